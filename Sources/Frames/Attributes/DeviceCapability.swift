public import Wire

/// What a device's radio can do, and in which windows it is awake.
///
/// - Spec: Wi-Fi Aware 4.0, Device Capability attribute (DCA), id 0x0f.
public struct DeviceCapability: Equatable, Sendable {
    public var map: UInt8
    /// Bits 0-2: every 2ⁿ⁻¹-th 2.4 GHz window; 3-5 the same for 5 GHz; the rest are map overrides.
    public var committedWindows: UInt16
    /// Bit 2: 2.4 GHz; bit 4: 5 GHz.
    public var bands: UInt8
    public var operationMode: UInt8
    /// Low nibble transmit, high nibble receive.
    public var antennas: UInt8
    /// In microseconds.
    public var channelSwitchTime: UInt16
    public var capabilities: Capabilities

    public struct Capabilities: OptionSet, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let dataPathExtension = Capabilities(rawValue: 1 << 3)
    }

    public init(
        map: UInt8 = 0, committedWindows: UInt16, bands: UInt8, operationMode: UInt8, antennas: UInt8,
        channelSwitchTime: UInt16, capabilities: Capabilities
    ) {
        self.map = map
        self.committedWindows = committedWindows
        self.bands = bands
        self.operationMode = operationMode
        self.antennas = antennas
        self.channelSwitchTime = channelSwitchTime
        self.capabilities = capabilities
    }
}

// MARK: Octets
//
//   map (1) | committed windows (2) | bands (1) | operation mode (1) | antennas (1) |
//   channel switch time (2) | capabilities (1)

extension DeviceCapability {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        map = try body.octet("device capability map")
        committedWindows = try body.number16("committed windows")
        bands = try body.octet("device capability bands")
        operationMode = try body.octet("operation mode")
        antennas = try body.octet("antennas")
        channelSwitchTime = try body.number16("channel switch time")
        capabilities = Capabilities(rawValue: try body.octet("device capabilities"))
        try body.end("device capability")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(map)
        frame.number16(committedWindows)
        frame.octet(bands)
        frame.octet(operationMode)
        frame.octet(antennas)
        frame.number16(channelSwitchTime)
        frame.octet(capabilities.rawValue)
    }
}
