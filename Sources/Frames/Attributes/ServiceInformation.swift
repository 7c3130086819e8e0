import Wire

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
