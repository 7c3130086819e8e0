public import Wire

/// SAE's commit message as PASN wraps it: an authentication frame body without its header.
///
/// - Spec: 802.11-2020 §12.4.7.4 and §12.13.
public struct SAECommit: Equatable, Sendable {
    public var status: AuthenticationFrame.Status
    public var group: UInt16
    public var scalar: [UInt8]
    /// x, then y.
    public var element: [UInt8]

    public init(
        status: AuthenticationFrame.Status = .hashToElement, group: UInt16, scalar: [UInt8], element: [UInt8]
    ) {
        self.status = status
        self.group = group
        self.scalar = scalar
        self.element = element
    }
}

/// SAE's confirm message.
public struct SAEConfirm: Equatable, Sendable {
    public var sendConfirm: UInt16
    public var proof: [UInt8]

    public init(sendConfirm: UInt16, proof: [UInt8]) {
        self.sendConfirm = sendConfirm
        self.proof = proof
    }
}

/// What the Wrapped Data element carries in each of the three frames.
///
/// - Spec: 802.11az-2022 §12.13, Wrapped Data element.
public enum WrappedSAE: Equatable, Sendable {
    /// In the first frame.
    case commit(SAECommit)
    /// In the second.
    case commitAndConfirm(SAECommit, SAEConfirm)
    /// In the third.
    case confirm(SAEConfirm)
}

// MARK: Octets
//
//   commit: algorithm 3 (2) | sequence 1 (2) | status (2) | group (2) | scalar | element
//   confirm: algorithm 3 (2) | sequence 2 (2) | status 0 (2) | send-confirm (2) | proof
//   both: length (2) | commit | length (2) | confirm

extension SAECommit {
    static let sequence: UInt16 = 1

    /// Octets of a scalar and of each coordinate; nil for groups that NAN does not use.
    private static func size(ofGroup group: UInt16) -> Int? {
        switch group {
        case 19: 32
        case 20: 48
        default: nil
        }
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        try SAEMessage.head(Self.sequence, parsing: &body)
        status = AuthenticationFrame.Status(rawValue: try body.number16("SAE commit's status"))
        group = try body.number16("SAE group")
        guard let size = Self.size(ofGroup: group) else {
            throw .unexpected("SAE group", value: UInt64(group))
        }
        scalar = try body.octets(size, "SAE scalar")
        element = try body.octets(2 * size, "SAE element")
        try body.end("SAE commit")
    }

    public func write(into frame: inout FrameWriter) {
        guard let size = Self.size(ofGroup: group) else {
            return frame.fail(.unexpected("SAE group", value: UInt64(group)))
        }
        SAEMessage.writeHead(Self.sequence, into: &frame)
        frame.number16(status.rawValue)
        frame.number16(group)
        frame.octets(scalar, exactly: size, "SAE scalar")
        frame.octets(element, exactly: 2 * size, "SAE element")
    }
}

extension SAEConfirm {
    static let sequence: UInt16 = 2

    public init(parsing body: consuming FrameReader) throws(WireError) {
        try SAEMessage.head(Self.sequence, parsing: &body)
        let status = try body.number16("SAE confirm's status")
        guard status == 0 else { throw .unexpected("SAE confirm's status", value: UInt64(status)) }
        sendConfirm = try body.number16("SAE send-confirm")
        guard body.remaining == 32 || body.remaining == 48 else {
            throw .unexpected("SAE confirm's length", value: UInt64(body.remaining))
        }
        proof = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        SAEMessage.writeHead(Self.sequence, into: &frame)
        frame.number16(AuthenticationFrame.Status.success.rawValue)
        frame.number16(sendConfirm)
        frame.octets(proof)
    }
}

extension WrappedSAE: ElementContent {
    public static let id = Element.ID.wrappedData

    /// A message starts with its algorithm, which is no length of one: the form needs no other hint.
    public init(parsing body: consuming FrameReader) throws(WireError) {
        let octets = body.rest()
        var body = FrameReader(octets.span.bytes)
        let first = try body.number16("wrapped data")
        guard first == SAEMessage.algorithm else {
            let commit = try SAECommit(parsing: try body.slice(Int(first), "wrapped SAE commit"))
            let count = Int(try body.number16("wrapped SAE confirm's length"))
            let confirm = try SAEConfirm(parsing: try body.slice(count, "wrapped SAE confirm"))
            try body.end("wrapped data")
            self = .commitAndConfirm(commit, confirm)
            return
        }
        if try body.number16("wrapped data") == SAECommit.sequence {
            self = .commit(try SAECommit(parsing: FrameReader(octets.span.bytes)))
        } else {
            self = .confirm(try SAEConfirm(parsing: FrameReader(octets.span.bytes)))
        }
    }

    public func write(into body: inout FrameWriter) {
        switch self {
        case .commit(let commit):
            commit.write(into: &body)
        case .commitAndConfirm(let commit, let confirm):
            body.measured16("wrapped SAE commit") { commit.write(into: &$0) }
            body.measured16("wrapped SAE confirm") { confirm.write(into: &$0) }
        case .confirm(let confirm):
            confirm.write(into: &body)
        }
    }
}

/// The head that both messages have: an authentication frame's, as they would be sent bare.
private enum SAEMessage {
    static let algorithm = AuthenticationFrame.Algorithm.sae.rawValue

    static func head(_ sequence: UInt16, parsing body: inout FrameReader) throws(WireError) {
        let algorithm = try body.number16("wrapped algorithm")
        guard algorithm == Self.algorithm else {
            throw .unexpected("wrapped algorithm", value: UInt64(algorithm))
        }
        let number = try body.number16("SAE sequence")
        guard number == sequence else { throw .unexpected("SAE sequence", value: UInt64(number)) }
    }

    static func writeHead(_ sequence: UInt16, into frame: inout FrameWriter) {
        frame.number16(algorithm)
        frame.number16(sequence)
    }
}
