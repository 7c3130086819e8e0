public import Wire

/// What the attributes of a data path's negotiation have in common.
public struct DataPathHead: Equatable, Sendable {
    public enum Kind: UInt8, Equatable, Sendable {
        case request = 0
        case response = 1
        case confirm = 2
        case securityInstall = 3
        case terminate = 4
    }

    public struct Control: OptionSet, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let confirmRequired = Control(rawValue: 1 << 0)
        public static let securityPresent = Control(rawValue: 1 << 2)
        public static let publishPresent = Control(rawValue: 1 << 3)
        public static let responderPresent = Control(rawValue: 1 << 4)
        /// NDP: service information is present. NDPE: a group key is required.
        public static let bit5 = Control(rawValue: 1 << 5)
    }

    public var dialogToken: UInt8
    public var kind: Kind
    public var status: NegotiationStatus
    public var reason: Reason
    public var initiator: MACAddress
    /// With the initiator's address, names the data path.
    public var identifier: UInt8
    /// `publishPresent` and `responderPresent` follow the two fields.
    public var control: Control
    public var publish: UInt8?
    public var responder: MACAddress?

    public init(
        dialogToken: UInt8, kind: Kind, status: NegotiationStatus, reason: Reason = Reason(rawValue: 0),
        initiator: MACAddress, identifier: UInt8, control: Control, publish: UInt8? = nil,
        responder: MACAddress? = nil
    ) {
        self.dialogToken = dialogToken
        self.kind = kind
        self.status = status
        self.reason = reason
        self.initiator = initiator
        self.identifier = identifier
        self.control = control
        self.publish = publish
        self.responder = responder
    }
}

/// - Spec: Wi-Fi Aware 4.0, NDP attribute, id 0x10: the older form, with raw service information.
public struct DataPathAttribute: Equatable, Sendable {
    public var head: DataPathHead
    public var information: [UInt8]?

    public init(head: DataPathHead, information: [UInt8]? = nil) {
        self.head = head
        self.information = information
    }
}

/// - Spec: Wi-Fi Aware 4.0, NDP Extension attribute (NDPE), id 0x29.
public struct DataPathExtension: Equatable, Sendable {
    public enum Item: Equatable, Sendable {
        /// The lower half of an IPv6 link-local address, 8 octets.
        case interfaceIdentifier(UInt64)
        case service(ServiceInformation)
        case unknown(id: UInt8, octets: [UInt8])
    }

    public var head: DataPathHead
    public var items: [Item]

    public init(head: DataPathHead, items: [Item] = []) {
        self.head = head
        self.items = items
    }
}
