import Crypto
import Frames
import Wire

/// The third frame of PASN (Auth3), as the responder reads it and the initiator writes it.
struct PASNConfirmation {
    /// Nil in a verification, which rests on the MIC alone.
    let confirm: SAEConfirm?
    /// What the MIC covers, besides the digest of Auth1.
    let zeroed: [UInt8]
    let mic: [UInt8]

    init(parsing body: [UInt8]) throws(PairingRefusal) {
        let frame = try PASNFrame.read(body, sequence: 3)
        try PASNFrame.needSuccess(frame)
        let parameters = try PASNFrame.parameters(of: frame)
        (mic, zeroed) = try PASNFrame.mic(of: frame, in: body)

        switch parameters.format {
        case .sae:
            guard case .confirm(let confirm) = try PASNFrame.need(WrappedSAE.self, of: frame, .wrappedData)
            else {
                throw .misplaced(.wrappedData)
            }
            self.confirm = confirm
        case .none:
            try PASNFrame.needUnwrapped(frame, parameters)
            confirm = nil
        default:
            throw .unsupportedWrapping(parameters.format.rawValue)
        }
    }

    /// The body of a confirmation of `request` with the MIC that `keys` give it.
    static func body(
        _ offer: PairingOffer, _ basis: PASNNANElement.Basis, confirm: SAEConfirm?, of request: [UInt8],
        keys: PairingKeys
    ) -> [UInt8] {
        var elements: [Element] = []
        if let confirm { elements.append(PASNFrame.element(WrappedSAE.confirm(confirm))) }
        elements.append(PASNFrame.parameters(confirm == nil ? .none : .sae, publicKey: nil))
        elements.append(PASNNANElement.element(offer, basis))
        return PASNFrame.body(sequence: 3, elements) { keys.confirmationMIC(request: request, body: $0) }
    }
}
