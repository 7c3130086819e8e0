public import Crypto
public import Frames
public import Wire

/// The pairwise keys of one data path (ND-PTK), and what they prove.
///
/// Bodies are those of whole action frames, from the category octet on, as they are on the air.
///
/// - Spec: Wi-Fi Aware 4.0, NAN data path security; 802.11-2020 §12.7.1.3 for the derivation.
public struct DataPathKeys: Sendable {
    /// Proves that messages are genuine (ND-KCK).
    public let confirmation: Key
    /// Wraps the key data of messages (ND-KEK).
    public let encryption: Key
    /// Encrypts the traffic (ND-TK).
    public let temporal: Key

    private let algorithms: DataPathAlgorithms

    /// - Parameters:
    ///   - master: the ND-PMK, 32 octets.
    ///   - initiator: the initiator's data interface, as `responder` is the other's.
    ///   - initiatorNonce: 32 octets, of M1 and M3; `responderNonce` those of M2 and M4.
    public init(
        _ algorithms: DataPathAlgorithms, master: Key, initiator: MACAddress, responder: MACAddress,
        initiatorNonce: [UInt8], responderNonce: [UInt8]
    ) {
        let (first, second) = (
            algorithms.confirmationCount, algorithms.confirmationCount + algorithms.encryptionCount
        )
        let count = second + algorithms.temporalCount
        let pairwise = algorithms.hash.derive(
            count, from: master.secret, label: "NAN Pairwise key expansion",
            context: initiator.octets + responder.octets + initiatorNonce + responderNonce)
        confirmation = Key(pairwise.extracting(0..<first))
        encryption = Key(pairwise.extracting(first..<second))
        temporal = Key(pairwise.extracting(second..<count))
        self.algorithms = algorithms
    }

    /// The MIC of a message: over `prefix` (for M3 the token of M1) and the body with zeros in the MIC's place.
    /// Nil where the body has no place for one.
    public func code(of body: [UInt8], prefix: [UInt8] = []) -> [UInt8]? {
        guard let place = place(ofCodeIn: body) else { return nil }
        var cleared = body
        for index in place { cleared[index] = 0 }
        let code = algorithms.hash.authenticationCode(of: prefix + cleared, key: confirmation.secret)
        return [UInt8](code.prefix(algorithms.codeCount))
    }

    /// Whether the MIC in a body is the right one.
    public func verify(_ body: [UInt8], prefix: [UInt8] = []) -> Bool {
        guard let place = place(ofCodeIn: body), let code = code(of: body, prefix: prefix) else {
            return false
        }
        return constantTimeEqual(code, [UInt8](body[place]))
    }

    /// Puts the right MIC into a body of ours.
    func sign(_ body: inout [UInt8], prefix: [UInt8] = []) {
        guard let place = place(ofCodeIn: body), let code = code(of: body, prefix: prefix) else {
            die("a message is signed that has no room for it")
        }
        body.replaceSubrange(place, with: code)
    }

    private func place(ofCodeIn body: [UInt8]) -> Range<Int>? {
        guard let place = SharedKeyDescriptor.micRange(inBodyOf: body), place.count == algorithms.codeCount
        else {
            return nil
        }
        return place
    }
}

/// What a cipher suite computes with, and the lengths of its keys in octets.
public struct DataPathAlgorithms: Equatable, Sendable {
    public let hash: HashFunction
    public let confirmationCount: Int
    public let encryptionCount: Int
    public let temporalCount: Int
    /// Of MICs.
    public let codeCount: Int

    /// Nil for suites that have no pairwise keys.
    public init?(_ suite: CipherSuite) {
        switch suite {
        case .sharedKey128, .pasn128:
            self.init(.sha256, confirmation: 16, encryption: 16, temporal: 16, code: 16)
        case .sharedKey256, .pasn256:
            self.init(.sha384, confirmation: 24, encryption: 32, temporal: 32, code: 24)
        default: return nil
        }
    }

    private init(_ hash: HashFunction, confirmation: Int, encryption: Int, temporal: Int, code: Int) {
        self.hash = hash
        confirmationCount = confirmation
        encryptionCount = encryption
        temporalCount = temporal
        codeCount = code
    }

    /// What M3's MIC covers besides M3, so that nobody can have changed M1, which has no MIC.
    public func token(ofRequest body: [UInt8]) -> [UInt8] { [UInt8](hash.digest(body).prefix(16)) }

    /// Names a master key to those who have it (ND-PMKID). The addresses are those of the management interfaces; in a
    /// publish the initiator's is broadcast.
    public func identifier(
        of master: Key, initiator: MACAddress, responder: MACAddress, service: ServiceIdentifier
    ) -> [UInt8] {
        let data = [UInt8]("NAN PMK Name".utf8) + initiator.octets + responder.octets + service.octets
        return [UInt8](hash.authenticationCode(of: data, key: master.secret).prefix(16))
    }

    /// The master key (ND-PMK) of a service with a passphrase. `publisher` is its management interface.
    public func master(
        passphrase: borrowing Secret, suite: CipherSuite, service: ServiceIdentifier, publisher: MACAddress
    ) -> Key {
        Key(
            hash.stretch(
                passphrase, salt: [0, suite.rawValue] + service.octets + publisher.octets, iterations: 4096,
                count: 32))
    }
}

extension DataPathKeys {
    /// A MIC's place before it is computed.
    var emptyCode: [UInt8] { algorithms.emptyCode }

    /// Whether key data, if there is any, is meant for us. The group keys in it are of no use: we send and take none.
    func canRead(_ descriptor: SharedKeyDescriptor) -> Bool {
        guard descriptor.info.contains(.encrypted) else { return descriptor.data.isEmpty }
        return AESKeyWrap.unwrap(descriptor.data, with: encryption.secret) != nil
    }
}

extension DataPathAlgorithms {
    var emptyCode: [UInt8] { [UInt8](repeating: 0, count: codeCount) }
}
