import Wire

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
