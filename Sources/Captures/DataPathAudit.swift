import Aware
public import Crypto
public import Frames
import Wire

/// Follows the key messages M1 to M4 of data paths, and says which of them are genuine.
public struct DataPathAudit {
    public enum Message: String, Equatable, Sendable {
        case m1, m2, m3, m4
    }

    public enum Verdict: Equatable, Sendable {
        case valid
        /// Changed on the way, or made with another master key.
        case wrong
        /// There is no key to try, or an earlier message is missing.
        case unknown
    }

    public struct Finding: Equatable, Sendable {
        public var message: Message
        /// Nil for M1, which has no MIC.
        public var mic: Verdict?
        /// What was wrapped in the message, where it could be unwrapped.
        public var keyData: [KeyData]?
    }

    /// As many negotiations are kept in mind; the oldest is forgotten first.
    private static let limit = 64

    private struct Negotiation {
        var initiator: MACAddress
        var identifier: UInt8
        var algorithms: DataPathAlgorithms
        var initiatorNonce: [UInt8]
        var token: [UInt8]
        var answer: Answer?
    }

    /// What M2 added; the keys that each master key gives, or the only ones that M2 agreed with.
    private struct Answer {
        var keys: [DataPathKeys]
    }

    private let masters: [Key]
    private var negotiations: [Negotiation] = []

    /// - Parameter masters: ND-PMKs of 32 octets, each of which is tried.
    public init(masters: [Key]) {
        self.masters = masters
    }

    /// Nil for frames that are no key messages.
    ///
    /// - Parameter body: The frame's, from the category on.
    public mutating func take(_ frame: ActionFrame, body: [UInt8]) -> Finding? {
        guard case .action(let subtype) = frame.kind, let descriptor = frame.sharedKeyDescriptor,
            let head = frame.dataPathExtension?.head ?? frame.dataPath?.head
        else { return nil }
        switch subtype {
        case .dataPathRequest:
            begin(head, descriptor, frame.cipherSuites, body)
            return Finding(message: .m1, mic: nil, keyData: nil)
        case .dataPathResponse:
            return Finding(message: .m2, mic: answer(head, descriptor, body), keyData: nil)
        case .dataPathConfirm:
            return proof(.m3, head, descriptor, body)
        case .dataPathKeyInstall:
            return proof(.m4, head, descriptor, body)
        default:
            return nil
        }
    }

    private mutating func begin(
        _ head: DataPathHead, _ descriptor: SharedKeyDescriptor, _ suites: CipherSuiteInformation?,
        _ body: [UInt8]
    ) {
        negotiations.removeAll { $0.initiator == head.initiator && $0.identifier == head.identifier }
        guard !masters.isEmpty, let algorithms = Self.algorithms(suites) else { return }
        if negotiations.count == Self.limit { negotiations.removeFirst() }
        negotiations.append(
            Negotiation(
                initiator: head.initiator, identifier: head.identifier, algorithms: algorithms,
                initiatorNonce: descriptor.nonce, token: algorithms.token(ofRequest: body)))
    }

    private static func algorithms(_ suites: CipherSuiteInformation?) -> DataPathAlgorithms? {
        for entry in suites?.entries ?? [] {
            if let algorithms = DataPathAlgorithms(entry.suite) { return algorithms }
        }
        return nil
    }

    private mutating func answer(
        _ head: DataPathHead, _ descriptor: SharedKeyDescriptor, _ body: [UInt8]
    ) -> Verdict {
        guard !masters.isEmpty, let index = index(of: head), let responder = head.responder else {
            return .unknown
        }
        let negotiation = negotiations[index]
        var keys: [DataPathKeys] = []
        for master in masters {
            keys.append(
                DataPathKeys(
                    negotiation.algorithms, master: master, initiator: head.initiator, responder: responder,
                    initiatorNonce: negotiation.initiatorNonce, responderNonce: descriptor.nonce))
        }
        let genuine = keys.filter { $0.verify(body) }
        negotiations[index].answer = Answer(keys: genuine.isEmpty ? keys : genuine)
        return genuine.isEmpty ? .wrong : .valid
    }

    private func proof(
        _ message: Message, _ head: DataPathHead, _ descriptor: SharedKeyDescriptor, _ body: [UInt8]
    ) -> Finding {
        guard let index = index(of: head), let answer = negotiations[index].answer else {
            return Finding(message: message, mic: .unknown, keyData: nil)
        }
        let prefix = message == .m3 ? negotiations[index].token : []
        for keys in answer.keys where keys.verify(body, prefix: prefix) {
            return Finding(message: message, mic: .valid, keyData: Self.keyData(descriptor, keys))
        }
        return Finding(message: message, mic: .wrong, keyData: nil)
    }

    private func index(of head: DataPathHead) -> Int? {
        negotiations.firstIndex { $0.initiator == head.initiator && $0.identifier == head.identifier }
    }

    private static func keyData(_ descriptor: SharedKeyDescriptor, _ keys: DataPathKeys) -> [KeyData]? {
        guard descriptor.info.contains(.encrypted), !descriptor.data.isEmpty,
            let plain = AESKeyWrap.unwrap(descriptor.data, with: keys.encryption.secret)
        else { return nil }
        let octets = plain.secret.withOctets { Array($0) }
        return try? KeyData.list(parsing: FrameReader(octets.span.bytes))
    }
}
