public import Wire

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
    /// Service information too short to say whose it is, with its length; empty where there is none.
    public var rest: [UInt8]

    public init(
        instance: UInt8, control: Control, rangeLimit: [UInt8]? = nil, updateIndicator: UInt8? = nil,
        information: ServiceInformation? = nil, rest: [UInt8] = []
    ) {
        self.instance = instance
        self.control = control
        self.rangeLimit = rangeLimit
        self.updateIndicator = updateIndicator
        self.information = information
        self.rest = rest
    }
}

// MARK: Octets
//
//   instance (1) | control (2) | [range limit (4)] | [update indicator (1)] | [length (2) | service information]

extension ServiceDescriptorExtension {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        instance = try body.octet("service extension's instance")
        control = Control(rawValue: try body.number16("service extension's control"))
        rangeLimit = control.contains(.rangeLimit) ? try body.octets(4, "range limit") : nil
        updateIndicator =
            control.contains(.updateIndicator) ? try body.octet("service update indicator") : nil
        information = nil
        rest = []
        if body.remaining > 0 {
            let count = try body.number16("service information's length")
            var content = try body.slice(Int(count), "service information")
            if content.remaining >= ServiceInformation.leastCount {
                information = try ServiceInformation(parsing: content)
            } else {
                rest = [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)] + content.rest()
            }
        }
        try body.end("service descriptor extension")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(instance)
        var control = control.subtracting([.rangeLimit, .updateIndicator])
        if rangeLimit != nil { control.insert(.rangeLimit) }
        if updateIndicator != nil { control.insert(.updateIndicator) }
        frame.number16(control.rawValue)
        if let rangeLimit { frame.octets(rangeLimit, exactly: 4, "range limit") }
        if let updateIndicator { frame.octet(updateIndicator) }
        if let information { frame.measured16("service information") { information.write(into: &$0) } }
        frame.octets(rest)
    }
}
