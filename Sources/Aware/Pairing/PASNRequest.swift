public import Frames
import Wire

/// The first frame of PASN (Auth1), read and found to be something that a responder can decide on.
///
/// Nothing in it is proved.
public struct PASNRequest: Sendable {
    public enum Purpose: Equatable, Sendable {
        /// A stranger wants to pair by PIN. Each answer lets it guess once.
        case setup
        /// Somebody wants to be recognised; try the identity keys of the paired peers on it.
        case verification(IdentityResolution)
        /// A stranger wants to pair without a proof. Read, so that it can be refused by name.
        case opportunistic
    }

    enum Proof: Sendable {
        case setup(SAECommit)
        case verification(IdentityResolution)
        case opportunistic
    }

    public var purpose: Purpose {
        switch proof {
        case .setup: .setup
        case .verification(let resolution): .verification(resolution)
        case .opportunistic: .opportunistic
        }
    }

    /// The publish whose cipher suite the initiator chose.
    public let publish: UInt8
    /// The bootstrapping request that the initiator thinks it made.
    public let bootstrapping: PairingBootstrapping?

    let proof: Proof
    let publicKey: [UInt8]
    /// The body: Auth3's MIC covers its digest, and a repetition is known by it.
    let octets: [UInt8]

    /// Whether the body of an authentication frame says that it is a first frame, not an answer or a confirmation.
    public static func isRequest(_ body: [UInt8]) -> Bool { body.count >= 4 && body[2] == 1 && body[3] == 0 }

    public init(parsing body: [UInt8]) throws(PairingRefusal) {
        let frame = try PASNFrame.read(body, sequence: 1)
        try PASNFrame.needSuccess(frame)
        let security = try PASNFrame.security(of: frame)
        let parameters = try PASNFrame.parameters(of: frame)
        let nan = try PASNNANElement(of: frame)
        publicKey = try PASNFrame.publicKey(in: parameters)
        publish = nan.publish
        bootstrapping = nan.bootstrapping
        octets = body

        switch (security.keyManagement.first, security.keyIdentifiers.first) {
        case (.sae, nil):
            try PASNFrame.needHashToElement(in: frame)
            proof = .setup(try Self.commit(of: frame, parameters))
        case (.sae, let identifier?):
            try PASNFrame.needUnwrapped(frame, parameters)
            guard let resolution = nan.resolution else { throw .missing(.identityResolution) }
            guard identifier == resolution.keyIdentifier else { throw .wrongKeyIdentifier }
            proof = .verification(resolution)
        case (.pasn, nil):
            try PASNFrame.needUnwrapped(frame, parameters)
            proof = .opportunistic
        case (.pasn, _?):
            throw .misplaced(.keyIdentifier)
        case (let other, _):
            throw .unsupportedKeyManagement(other?.rawValue ?? 0)
        }
    }

    private static func commit(
        of frame: AuthenticationFrame, _ parameters: PASNParameters
    ) throws(PairingRefusal) -> SAECommit {
        guard parameters.format == .sae else { throw .unsupportedWrapping(parameters.format.rawValue) }
        guard case .commit(let commit) = try PASNFrame.need(WrappedSAE.self, of: frame, .wrappedData) else {
            throw .misplaced(.wrappedData)
        }
        try PASNFrame.check(commit)
        return commit
    }

    // MARK: Writing

    /// The body of a request.
    static func body(
        _ offer: PairingOffer, _ basis: PASNNANElement.Basis, commit: SAECommit?, publicKey: [UInt8]
    ) -> [UInt8] {
        var elements: [Element] = []
        switch basis {
        case .bootstrapping: elements.append(PASNFrame.rsn(identifier: nil))
        case .identity(let own): elements.append(PASNFrame.rsn(identifier: own.keyIdentifier))
        }
        if let commit { elements.append(PASNFrame.element(WrappedSAE.commit(commit))) }
        elements.append(.hashToElement)
        elements.append(PASNFrame.parameters(commit == nil ? .none : .sae, publicKey: publicKey))
        elements.append(PASNNANElement.element(offer, basis))
        return PASNFrame.body(sequence: 1, elements)
    }
}
