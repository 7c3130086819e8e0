public import Wire

/// Service-specific information: whose protocol it is, and its octets.
public struct ServiceInformation: Equatable, Sendable {
    /// 50-6F-9A, whatever follows being a protocol of the Wi-Fi Alliance's list.
    public static let wiFiAlliance: UInt32 = 0x506f9a

    public var oui: UInt32
    public var content: Content

    public enum Content: Equatable, Sendable {
        /// Service protocol 2 of the Wi-Fi Alliance.
        case generic(GenericService)
        /// `type` is the octet after the OUI: 1 Bonjour, 3 Matter, or another's own.
        case other(type: UInt8, octets: [UInt8])
    }

    public init(oui: UInt32 = ServiceInformation.wiFiAlliance, content: Content) {
        self.oui = oui
        self.content = content
    }
}

/// The generic service protocol: where a service listens and what it is called.
///
/// - Spec: Wi-Fi Aware 4.0, Generic Service Protocol. Ids 2 and 4 to 6 are likely, not confirmed.
public struct GenericService: Equatable, Sendable {
    public enum Item: Equatable, Sendable {
        case port(UInt16)
        case transport(Transport)
        case serviceName([UInt8])
        case instanceName([UInt8])
        /// DNS-SD TXT strings (RFC 6763 §6), each at most 255 octets.
        case text([[UInt8]])
        case unknown(id: UInt8, octets: [UInt8])
    }

    /// An IP protocol number.
    public struct Transport: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let tcp = Transport(rawValue: 6)
        public static let udp = Transport(rawValue: 17)
    }

    /// In the order of the frame.
    public var items: [Item]

    public init(items: [Item]) {
        self.items = items
    }
}

extension GenericService {
    /// What a publisher says of itself.
    public init(port: UInt16?, transport: Transport?, text: [[UInt8]] = []) {
        items = []
        if let port { items.append(.port(port)) }
        if let transport { items.append(.transport(transport)) }
        if !text.isEmpty { items.append(.text(text)) }
    }

    /// Where the service listens; nil where it does not say, and for zero, which is no port.
    public var port: UInt16? {
        for case .port(let port) in items where port != 0 { return port }
        return nil
    }

    public var transport: Transport? {
        for case .transport(let transport) in items { return transport }
        return nil
    }

    /// The TXT strings of all text items.
    public var text: [[UInt8]] {
        var strings: [[UInt8]] = []
        for case .text(let some) in items { strings += some }
        return strings
    }

    public var pairing: PairingInformation { PairingInformation(text: text) }
}

// MARK: Octets
//
//   service information: organisation (3) | type (1) | content
//   generic service: [id (1) | length (2) | value] …
//   text: [length (1) | string] …

extension ServiceInformation {
    static let leastCount = 4
    private static let generic: UInt8 = 2

    /// Whatever does not follow the generic service protocol is kept as it came: peers put plain text there too.
    public init(parsing body: consuming FrameReader) throws(WireError) {
        oui = try body.organisation("service information's organisation")
        let type = try body.octet("service information's protocol")
        let octets = body.rest()
        if oui == Self.wiFiAlliance, type == Self.generic,
            let service = try? GenericService(parsing: FrameReader(octets.span.bytes))
        {
            content = .generic(service)
        } else {
            content = .other(type: type, octets: octets)
        }
    }

    public func write(into frame: inout FrameWriter) {
        frame.organisation(oui)
        switch content {
        case .generic(let service):
            frame.octet(Self.generic)
            service.write(into: &frame)
        case .other(let type, let octets):
            frame.octet(type)
            frame.octets(octets)
        }
    }
}

extension GenericService {
    private enum ItemID {
        static let port: UInt8 = 0
        static let transport: UInt8 = 1
        static let serviceName: UInt8 = 2
        static let instanceName: UInt8 = 3
        static let text: UInt8 = 4
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        items = []
        while body.remaining > 0 {
            let id = try body.octet("generic service item")
            let count = Int(try body.number16("generic service item's length"))
            items.append(try Self.item(id, parsing: try body.slice(count, "generic service item's value")))
        }
    }

    public func write(into frame: inout FrameWriter) {
        for item in items {
            switch item {
            case .port(let port):
                frame.octet(ItemID.port)
                frame.measured16("port") { $0.number16(port) }
            case .transport(let transport):
                frame.octet(ItemID.transport)
                frame.measured16("transport") { $0.octet(transport.rawValue) }
            case .serviceName(let name):
                frame.octet(ItemID.serviceName)
                frame.measured16("service name") { $0.octets(name) }
            case .instanceName(let name):
                frame.octet(ItemID.instanceName)
                frame.measured16("instance name") { $0.octets(name) }
            case .text(let strings):
                frame.octet(ItemID.text)
                frame.measured16("text") { frame in
                    for string in strings { frame.measured8("text string") { $0.octets(string) } }
                }
            case .unknown(let id, let octets):
                frame.octet(id)
                frame.measured16("generic service item") { $0.octets(octets) }
            }
        }
    }

    /// A value that does not have its item's form is kept as an unknown one.
    private static func item(_ id: UInt8, parsing value: consuming FrameReader) throws(WireError) -> Item {
        switch (id, value.remaining) {
        case (ItemID.port, 2): return .port(try value.number16("port"))
        case (ItemID.transport, 1): return .transport(Transport(rawValue: try value.octet("transport")))
        case (ItemID.serviceName, _): return .serviceName(value.rest())
        case (ItemID.instanceName, _): return .instanceName(value.rest())
        case (ItemID.text, _):
            let octets = value.rest()
            guard let strings = strings(octets) else { return .unknown(id: id, octets: octets) }
            return .text(strings)
        default: return .unknown(id: id, octets: value.rest())
        }
    }

    private static func strings(_ octets: [UInt8]) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        var start = 0
        while start < octets.count {
            let end = start + 1 + Int(octets[start])
            guard end <= octets.count else { return nil }
            strings.append([UInt8](octets[start + 1..<end]))
            start = end
        }
        return strings
    }
}
