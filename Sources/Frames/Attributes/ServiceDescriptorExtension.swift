import Wire

/// What a service asks of a peer, and its service-specific information.
///
/// - Spec: Wi-Fi Aware 4.0, Service Descriptor Extension attribute (SDEA), id 0x0e.
public struct ServiceDescriptorExtension: Equatable, Sendable {
    public struct Control: OptionSet, Sendable {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let furtherServiceDiscovery = Control(rawValue: 1 << 0)
        public static let gas = Control(rawValue: 1 << 1)
        public static let dataPathRequired = Control(rawValue: 1 << 2)
        public static let multicastDataPath = Control(rawValue: 1 << 3)
        public static let qosRequired = Control(rawValue: 1 << 5)
        public static let securityRequired = Control(rawValue: 1 << 6)
        public static let rangingRequired = Control(rawValue: 1 << 7)
        public static let rangeLimit = Control(rawValue: 1 << 8)
        public static let updateIndicator = Control(rawValue: 1 << 9)
        public static let groupKeyRequired = Control(rawValue: 1 << 10)
    }

    public var instance: UInt8
    /// `rangeLimit` and `updateIndicator` follow the two fields of these names.
    public var control: Control
    /// Inner and outer limit in cm, as four octets.
    public var rangeLimit: [UInt8]?
    /// Changes with every change of the service information.
    public var updateIndicator: UInt8?
    public var information: ServiceInformation?

    public init(
        instance: UInt8, control: Control, rangeLimit: [UInt8]? = nil, updateIndicator: UInt8? = nil,
        information: ServiceInformation? = nil
    ) {
        self.instance = instance
        self.control = control
        self.rangeLimit = rangeLimit
        self.updateIndicator = updateIndicator
        self.information = information
    }
}
