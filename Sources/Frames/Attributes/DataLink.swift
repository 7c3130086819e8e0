import Wire

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
