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

// MARK: Octets
//
//   dialog token (1) | status, kind (4 bits each) | reason (1) | initiator (6) | identifier (1) | control (1) |
//   [publish (1)] | [responder (6)]
//
//   then in an NDP: service information
//        in an NDPE: [id (1) | length (2) | value] …

extension DataPathHead {
    init(parsing body: inout FrameReader) throws(WireError) {
        dialogToken = try body.octet("data path dialog token")
        let typeAndStatus = try body.octet("data path type and status")
        guard let kind = Kind(rawValue: typeAndStatus & 0x0f),
            let status = NegotiationStatus(rawValue: typeAndStatus >> 4)
        else { throw .unexpected("data path type and status", value: UInt64(typeAndStatus)) }
        self.kind = kind
        self.status = status
        reason = Reason(rawValue: try body.octet("data path reason"))
        initiator = try body.address("data path initiator")
        identifier = try body.octet("data path identifier")
        control = Control(rawValue: try body.octet("data path control"))
        publish = control.contains(.publishPresent) ? try body.octet("data path's publish id") : nil
        responder = control.contains(.responderPresent) ? try body.address("data path responder") : nil
    }

    func write(into frame: inout FrameWriter) {
        frame.octet(dialogToken)
        frame.octet(status.rawValue << 4 | kind.rawValue)
        frame.octet(reason.rawValue)
        frame.address(initiator)
        frame.octet(identifier)
        var control = control.subtracting([.publishPresent, .responderPresent])
        if publish != nil { control.insert(.publishPresent) }
        if responder != nil { control.insert(.responderPresent) }
        frame.octet(control.rawValue)
        if let publish { frame.octet(publish) }
        if let responder { frame.address(responder) }
    }
}

extension DataPathAttribute {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        head = try DataPathHead(parsing: &body)
        information = nil
        if head.control.contains(.bit5) {
            information = body.rest()
        } else {
            try body.end("data path")
        }
    }

    public func write(into frame: inout FrameWriter) {
        var head = head
        if information == nil { head.control.remove(.bit5) } else { head.control.insert(.bit5) }
        head.write(into: &frame)
        if let information { frame.octets(information) }
    }
}

extension DataPathExtension {
    private enum ItemID {
        static let interfaceIdentifier: UInt8 = 0
        static let service: UInt8 = 1
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        head = try DataPathHead(parsing: &body)
        items = []
        while body.remaining > 0 {
            let id = try body.octet("data path item")
            let count = Int(try body.number16("data path item's length"))
            var value = try body.slice(count, "data path item's value")
            if id == ItemID.interfaceIdentifier, count == 8 {
                items.append(.interfaceIdentifier(try value.bigEndian64("interface identifier")))
            } else if id == ItemID.service, count >= ServiceInformation.leastCount {
                items.append(.service(try ServiceInformation(parsing: value)))
            } else {
                items.append(.unknown(id: id, octets: value.rest()))
            }
        }
    }

    public func write(into frame: inout FrameWriter) {
        head.write(into: &frame)
        for item in items {
            switch item {
            case .interfaceIdentifier(let identifier):
                frame.octet(ItemID.interfaceIdentifier)
                frame.measured16("interface identifier") { $0.bigEndian64(identifier) }
            case .service(let information):
                frame.octet(ItemID.service)
                frame.measured16("data path's service information") { information.write(into: &$0) }
            case .unknown(let id, let octets):
                frame.octet(id)
                frame.measured16("data path item") { $0.octets(octets) }
            }
        }
    }
}
