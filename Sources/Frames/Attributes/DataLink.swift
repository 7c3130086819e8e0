public import Wire

/// How the schedule between two devices is agreed.
///
/// - Spec: Wi-Fi Aware 4.0, NDL attribute, id 0x14.
public struct DataLink: Equatable, Sendable {
    public enum Kind: UInt8, Equatable, Sendable {
        case request = 0
        case response = 1
        case confirm = 2
    }

    public var dialogToken: UInt8
    public var kind: Kind
    public var status: NegotiationStatus
    public var reason: Reason
    /// Bit 0 peer id, 1 immutable schedule, 2 NDC present, 3 QoS present, 4 idle period, 5 type, 6-7 setup reason.
    /// Bits 0, 3 and 4 say which fields are present; bit 4 follows `idlePeriod`, bit 0 `peer`.
    public var control: UInt8
    public var peer: UInt8?
    /// In seconds; zero where the link may be idle for ever.
    public var idlePeriod: UInt16?
    /// An immutable schedule, kept as octets.
    public var rest: [UInt8]

    public init(
        dialogToken: UInt8, kind: Kind, status: NegotiationStatus, reason: Reason = Reason(rawValue: 0),
        control: UInt8 = 0, peer: UInt8? = nil, idlePeriod: UInt16? = nil, rest: [UInt8] = []
    ) {
        self.dialogToken = dialogToken
        self.kind = kind
        self.status = status
        self.reason = reason
        self.control = control
        self.peer = peer
        self.idlePeriod = idlePeriod
        self.rest = rest
    }
}

/// What a device says of a request: go on, agreed, or no.
public enum NegotiationStatus: UInt8, Equatable, Sendable {
    case continued = 0
    case accepted = 1
    case rejected = 2
}

/// What a link needs of time and delay.
///
/// - Spec: Wi-Fi Aware 4.0, NDL QoS attribute, id 0x15.
public struct DataLinkQoS: Equatable, Sendable {
    /// The fewest slots of 16 TU in each 512 TU.
    public var minimumSlots: UInt8
    /// The longest time between slots, in units of 16 TU; 0xffff where it does not matter.
    public var maximumLatency: UInt16

    public init(minimumSlots: UInt8, maximumLatency: UInt16) {
        self.minimumSlots = minimumSlots
        self.maximumLatency = maximumLatency
    }
}

// MARK: Octets
//
//   dialog token (1) | status, kind (4 bits each) | reason (1) | control (1) | [peer (1)] | [idle period (2)] |
//   immutable schedule
//
//   quality of service: slots (1) | latency (2)

extension DataLink {
    private enum Present {
        static let peer: UInt8 = 1 << 0
        static let idlePeriod: UInt8 = 1 << 4
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        dialogToken = try body.octet("data link dialog token")
        let typeAndStatus = try body.octet("data link type and status")
        guard let kind = Kind(rawValue: typeAndStatus & 0x0f),
            let status = NegotiationStatus(rawValue: typeAndStatus >> 4)
        else { throw .unexpected("data link type and status", value: UInt64(typeAndStatus)) }
        self.kind = kind
        self.status = status
        reason = Reason(rawValue: try body.octet("data link reason"))
        control = try body.octet("data link control")
        peer = control & Present.peer != 0 ? try body.octet("data link peer") : nil
        idlePeriod = control & Present.idlePeriod != 0 ? try body.number16("data link idle period") : nil
        rest = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(dialogToken)
        frame.octet(status.rawValue << 4 | kind.rawValue)
        frame.octet(reason.rawValue)
        var control = control & ~(Present.peer | Present.idlePeriod)
        if peer != nil { control |= Present.peer }
        if idlePeriod != nil { control |= Present.idlePeriod }
        frame.octet(control)
        if let peer { frame.octet(peer) }
        if let idlePeriod { frame.number16(idlePeriod) }
        frame.octets(rest)
    }
}

extension DataLinkQoS {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        minimumSlots = try body.octet("data link's fewest slots")
        maximumLatency = try body.number16("data link's longest latency")
        try body.end("data link quality of service")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(minimumSlots)
        frame.number16(maximumLatency)
    }
}
