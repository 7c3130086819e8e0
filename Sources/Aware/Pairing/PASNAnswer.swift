import Crypto
import Frames
import Wire

/// The second frame of PASN (Auth2), as the initiator reads it and the responder writes it.
struct PASNAnswer {
    enum Proof {
        case setup(SAECommit, SAEConfirm)
        case verification(IdentityResolution)
    }

    let proof: Proof
    /// The key identifier in the RSN element: SAE's, or the responder's identity resolution.
    let identifier: [UInt8]
    let publicKey: [UInt8]
    /// What the MIC covers.
    let security: [UInt8]
    let zeroed: [UInt8]
    let mic: [UInt8]

    init(parsing body: [UInt8]) throws(PairingRefusal) {
        let frame = try PASNFrame.read(body, sequence: 2)
        try PASNFrame.needSuccess(frame)
        let rsn = try PASNFrame.security(of: frame)
        guard let keyManagement = rsn.keyManagement.first, keyManagement == .sae else {
            throw .unsupportedKeyManagement(rsn.keyManagement.first?.rawValue ?? 0)
        }
        guard let identifier = rsn.keyIdentifiers.first else { throw .missing(.keyIdentifier) }
        let parameters = try PASNFrame.parameters(of: frame)
        let nan = try PASNNANElement(of: frame)
        self.identifier = identifier
        publicKey = try PASNFrame.publicKey(in: parameters)
        security = PASNFrame.securityOctets(of: frame.elements)
        (mic, zeroed) = try PASNFrame.mic(of: frame, in: body)

        switch parameters.format {
        case .sae:
            try PASNFrame.needHashToElement(in: frame)
            guard
                case .commitAndConfirm(let commit, let confirm) = try PASNFrame.need(
                    WrappedSAE.self, of: frame, .wrappedData)
            else { throw .misplaced(.wrappedData) }
            try PASNFrame.check(commit)
            proof = .setup(commit, confirm)
        case .none:
            try PASNFrame.needUnwrapped(frame, parameters)
            guard let resolution = nan.resolution else { throw .missing(.identityResolution) }
            guard identifier == resolution.keyIdentifier else { throw .wrongKeyIdentifier }
            proof = .verification(resolution)
        default:
            throw .unsupportedWrapping(parameters.format.rawValue)
        }
    }

    // MARK: Writing

    /// What the responder wraps of SAE, with the key identifier that follows from it.
    struct Wrapped {
        var commit: SAECommit
        var confirm: SAEConfirm
        var pmkid: [UInt8]
    }

    /// The body of an answer with the MIC that `keys` give it.
    static func body(
        _ offer: PairingOffer, _ basis: PASNNANElement.Basis, wrapped: Wrapped?, publicKey: [UInt8],
        keys: PairingKeys
    ) -> [UInt8] {
        var elements: [Element] = []
        switch (wrapped, basis) {
        case (let wrapped?, _):
            elements.append(PASNFrame.rsn(identifier: wrapped.pmkid))
            elements.append(PASNFrame.element(WrappedSAE.commitAndConfirm(wrapped.commit, wrapped.confirm)))
        case (nil, .identity(let own)):
            elements.append(PASNFrame.rsn(identifier: own.keyIdentifier))
        case (nil, .bootstrapping):
            die("a PASN answer rests on neither SAE nor an identity")
        }
        elements.append(.hashToElement)
        elements.append(PASNFrame.parameters(wrapped == nil ? .none : .sae, publicKey: publicKey))
        elements.append(PASNNANElement.element(offer, basis))
        elements.append(PASNFrame.element(SupportedGroups(groups: [PASNFrame.group.rawValue])))
        let security = PASNFrame.securityOctets(of: elements)
        return PASNFrame.body(sequence: 2, elements) { keys.answerMIC(security: security, body: $0) }
    }
}
