public import Crypto
public import Wire

/// Why a pairing, a verification or an exchange of identity keys did not go on.
///
/// Thrown where a frame was refused and nothing changed; carried by a `failed` action where the attempt is over.
public enum PairingRefusal: Error, Equatable, Sendable {
    /// What a frame must bring.
    public enum Part: Equatable, Sendable {
        case rsn
        case rsnExtension
        case pasnParameters
        case publicKey
        case wrappedData
        case nanElement
        case cipherSuites
        case identityResolution
        case keyIdentifier
        case mic
        case identityKey
    }

    // MARK: The frame cannot be what it should be

    case malformed(WireError)
    /// An authentication frame of another algorithm than PASN.
    case wrongAlgorithm(UInt16)
    /// Not the frame of the three that can come now.
    case wrongSequence(UInt16)
    case missing(Part)
    case repeated(Part)
    /// There, but not where the kind of authentication has it.
    case misplaced(Part)

    // MARK: The peer wants what we do not

    /// The peer ended it, with the status code of its frame.
    case refusedByPeer(status: UInt16)
    case unsupportedVersion(UInt16)
    case unsupportedKeyManagement(UInt32)
    case unsupportedCipher(UInt32)
    /// Neither of the suites in the frame's cipher suite information is NCS-PK-PASN-128.
    case unsupportedSuites
    case unsupportedGroup(UInt16)
    case unsupportedWrapping(UInt8)
    /// SAE by another way than hash-to-element.
    case notHashToElement
    /// Pairing without a proof.
    case opportunistic
    /// The frame asks for another kind of authentication than the caller prepared.
    case wrongPurpose
    /// The peer asked to come back later, where nobody may.
    case comeBack

    // MARK: The proofs are wrong

    /// A point, scalar or combination that no honest peer sends.
    case invalidContribution(CryptoError)
    /// Our own contribution came back.
    case reflected
    /// The other side knows another PIN.
    case wrongPIN
    case badMIC
    /// The key identifier is not the one that follows from the frame.
    case wrongKeyIdentifier
    /// The identity resolution is not made with the identity key that it should be made with.
    case unknownIdentity
    /// Key data that do not unwrap with the pairing's key.
    case notUnwrapped
    case unsupportedIdentityCipher(UInt8)
    /// Another identity key than the one that was exchanged before.
    case identityChanged

    // MARK: The moment is wrong

    /// Nothing of the kind is expected in this state.
    case unexpected
    /// What we have acted on already, or what came back after the attempt was over.
    case replayed
    case attemptUnderWay
    /// The same frame came more often than a peer has reason to send it.
    case repeatedTooOften
    /// A new attempt of the same peer took the place of this one.
    case superseded
    case noAnswer
    /// We gave it up ourselves.
    case stopped
    /// Authenticated, but the identity keys were not exchanged in time: the peer will not be known again.
    case noIdentityKey
}

extension PairingRefusal: CustomStringConvertible {
    /// A clause for the journal, without any key.
    public var description: String {
        switch self {
        case .malformed(let error): "malformed frame: \(error.description)"
        case .wrongAlgorithm(let number): "authentication algorithm \(number) instead of 7"
        case .wrongSequence(let number): "authentication frame \(number) out of turn"
        case .missing(let part): "\(part.description) missing"
        case .repeated(let part): "\(part.description) there twice"
        case .misplaced(let part): "\(part.description) where there should be none"
        case .refusedByPeer(let status): "refused by the peer with status \(status)"
        case .unsupportedVersion(let version): "RSN version \(version) not supported"
        case .unsupportedKeyManagement(let suite): "key management suite \(suite & 0xff) not supported"
        case .unsupportedCipher(let suite): "cipher \(suite & 0xff) not supported"
        case .unsupportedSuites: "NCS-PK-PASN-128 not among the cipher suites"
        case .unsupportedGroup(let group): "group \(group) not supported"
        case .unsupportedWrapping(let format): "wrapped data format \(format) not supported"
        case .notHashToElement: "SAE without hash-to-element"
        case .opportunistic: "pairing without a PIN is not allowed"
        case .wrongPurpose: "another kind of authentication than prepared"
        case .comeBack: "the peer asked to come back later"
        case .invalidContribution: "invalid key contribution"
        case .reflected: "our own contribution came back"
        case .wrongPIN: "wrong PIN"
        case .badMIC: "wrong MIC"
        case .wrongKeyIdentifier: "wrong key identifier"
        case .unknownIdentity: "identity not known"
        case .notUnwrapped: "key data do not unwrap"
        case .unsupportedIdentityCipher(let version): "identity key cipher version \(version) not supported"
        case .identityChanged: "another identity key than before"
        case .unexpected: "not expected now"
        case .replayed: "replayed"
        case .attemptUnderWay: "another attempt is under way"
        case .repeatedTooOften: "repeated too often"
        case .superseded: "superseded by a new attempt"
        case .noAnswer: "no answer"
        case .stopped: "given up"
        case .noIdentityKey: "no identity key came"
        }
    }
}

extension PairingRefusal.Part: CustomStringConvertible {
    public var description: String {
        switch self {
        case .rsn: "RSN element"
        case .rsnExtension: "RSN extension element"
        case .pasnParameters: "PASN parameters"
        case .publicKey: "public key"
        case .wrappedData: "wrapped data"
        case .nanElement: "NAN element"
        case .cipherSuites: "cipher suite information"
        case .identityResolution: "identity resolution"
        case .keyIdentifier: "key identifier"
        case .mic: "MIC"
        case .identityKey: "identity key"
        }
    }
}
