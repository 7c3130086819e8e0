public import Crypto
public import Frames

/// What one side of a PASN authentication can prove, and expects the other to prove.
public enum PairingCredential: Sendable {
    /// Pairing setup: the PIN in ASCII, and the bootstrapping request that it was shown or typed for. The initiator
    /// gives the request as it sent it, the responder as it last received it.
    case password(Key, request: PairingBootstrapping)
    /// Pairing verification: the cached NPK, the peer's identity key, and how we are known at our address now.
    case paired(npk: Key, peerNIK: Key, own: IdentityResolution)
}

/// The publish that a pairing is about, and the group keys that go with it (``CipherSuiteInformation``).
public struct PairingOffer: Equatable, Sendable {
    public var publish: UInt8
    /// As in the publish's own cipher suite information.
    public var capabilities: UInt8

    public init(publish: UInt8, capabilities: UInt8 = 0) {
        self.publish = publish
        self.capabilities = capabilities
    }
}

/// What a PASN machine asks for. The order matters: a key is in before the frame goes out whose answer needs it.
public enum PASNAction: Sendable {
    /// Encrypt management frames to and from the peer with this NM-TK from now on.
    case install(Key)
    /// The key that was installed is good for nothing; drop it.
    case uninstall
    /// Send an authentication frame with this body to the peer, unencrypted.
    case send([UInt8])
    /// The peer has proved itself. Once in an attempt.
    case authenticated(PairingKeys)
    /// The attempt is over.
    case failed(PairingRefusal)
}
