public import Wire

/// Which sensors there are, which are used, which are well, and the battery.
///
/// - Spec: MAVLink common, SYS_STATUS.
public struct SystemStatus: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 1)
    public static let length = 31

    public var present: Sensors
    public var enabled: Sensors
    public var healthy: Sensors
    /// In 0.1 per cent.
    public var load: UInt16
    /// In mV.
    public var voltage: UInt16
    /// In 10 mA.
    public var current: Int16
    /// In per cent.
    public var batteryRemaining: Int8

    public init(
        present: Sensors, enabled: Sensors, healthy: Sensors, load: UInt16, voltage: UInt16, current: Int16,
        batteryRemaining: Int8
    ) {
        self.present = present
        self.enabled = enabled
        self.healthy = healthy
        self.load = load
        self.voltage = voltage
        self.current = current
        self.batteryRemaining = batteryRemaining
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        present = Sensors(rawValue: try payload.number32("present"))
        enabled = Sensors(rawValue: try payload.number32("enabled"))
        healthy = Sensors(rawValue: try payload.number32("healthy"))
        load = try payload.number16("load")
        voltage = try payload.number16("voltage")
        current = try payload.signed16("current")
        _ = try payload.octets(12, "errors")
        batteryRemaining = Int8(bitPattern: try payload.octet("battery remaining"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(present.rawValue)
        payload.number32(enabled.rawValue)
        payload.number32(healthy.rawValue)
        payload.number16(load)
        payload.number16(voltage)
        payload.signed16(current)
        payload.zeros(12)
        payload.octet(UInt8(bitPattern: batteryRemaining))
    }
}

/// Whether the vehicle is on the ground.
///
/// - Spec: MAVLink common, EXTENDED_SYS_STATE.
public struct ExtendedSystemState: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 245)
    public static let length = 2

    /// Zero for a vehicle that has no wings to change to.
    public var vtolState: UInt8
    public var landedState: LandedState

    public init(
        landedState: LandedState, vtolState: UInt8 = 0
    ) {
        self.vtolState = vtolState
        self.landedState = landedState
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        vtolState = try payload.octet("vtol state")
        landedState = LandedState(rawValue: try payload.octet("landed state"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(vtolState)
        payload.octet(landedState.rawValue)
    }
}

/// The battery in detail.
///
/// - Spec: MAVLink common, BATTERY_STATUS.
public struct BatteryStatus: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 147)
    public static let length = 41

    /// In mAh.
    public var consumed: Int32
    /// Of the whole battery, in mV, as long as single cells are not measured.
    public var voltage: UInt16
    /// In 10 mA.
    public var current: Int16
    /// In per cent.
    public var remaining: Int8

    public init(consumed: Int32, voltage: UInt16, current: Int16, remaining: Int8) {
        self.consumed = consumed
        self.voltage = voltage
        self.current = current
        self.remaining = remaining
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        consumed = try payload.signed32("consumed")
        _ = try payload.octets(6, "energy and temperature")
        voltage = try payload.number16("voltage")
        _ = try payload.octets(18, "voltages of further cells")
        current = try payload.signed16("current")
        _ = try payload.octets(3, "identifier, function and type")
        remaining = Int8(bitPattern: try payload.octet("remaining"))
        _ = try payload.octets(5, "time remaining and charge state")
    }

    public func write(into payload: inout FrameWriter) {
        payload.signed32(consumed)
        payload.signed32(Self.energyUnknown)
        payload.signed16(Self.temperatureUnknown)
        payload.number16(voltage)
        for _ in 1..<10 { payload.number16(Self.noCell) }
        payload.signed16(current)
        payload.octet(0)
        payload.octet(Self.allFunctions)
        payload.octet(Self.lithiumPolymer)
        payload.octet(UInt8(bitPattern: remaining))
        payload.signed32(0)
        payload.octet(0)
    }

    private static let energyUnknown: Int32 = -1
    private static let temperatureUnknown = Int16.max
    private static let noCell = UInt16.max
    private static let allFunctions: UInt8 = 1
    private static let lithiumPolymer: UInt8 = 1
}
/// A sentence for the pilot.
///
/// - Spec: MAVLink common, STATUSTEXT.
public struct StatusText: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 253)
    public static let length = 51

    public var severity: Severity
    public var text: [UInt8]

    public init(
        severity: Severity, text: [UInt8]
    ) {
        self.severity = severity
        self.text = text
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        severity = Severity(rawValue: try payload.octet("severity"))
        text = try payload.text(50, "text")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(severity.rawValue)
        payload.text(text, 50)
    }
}

/// What the autopilot can do, and its version.
///
/// - Spec: MAVLink common, AUTOPILOT_VERSION.
public struct AutopilotVersion: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 148)
    public static let length = 60

    public var capabilities: Capabilities
    public var identifier: UInt64
    /// Major, minor, patch and kind of release, an octet each.
    public var flightVersion: UInt32
    public var middlewareVersion: UInt32
    public var systemVersion: UInt32
    public var boardVersion: UInt32
    public var vendor: UInt16
    public var product: UInt16

    public init(
        capabilities: Capabilities, identifier: UInt64, flightVersion: UInt32, middlewareVersion: UInt32 = 0,
        systemVersion: UInt32 = 0, boardVersion: UInt32 = 0, vendor: UInt16 = 0, product: UInt16 = 0
    ) {
        self.capabilities = capabilities
        self.identifier = identifier
        self.flightVersion = flightVersion
        self.middlewareVersion = middlewareVersion
        self.systemVersion = systemVersion
        self.boardVersion = boardVersion
        self.vendor = vendor
        self.product = product
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        capabilities = Capabilities(rawValue: try payload.number64("capabilities"))
        identifier = try payload.number64("identifier")
        flightVersion = try payload.number32("flight version")
        middlewareVersion = try payload.number32("middleware version")
        systemVersion = try payload.number32("system version")
        boardVersion = try payload.number32("board version")
        vendor = try payload.number16("vendor")
        product = try payload.number16("product")
        _ = try payload.octets(24, "revisions")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number64(capabilities.rawValue)
        payload.number64(identifier)
        payload.number32(flightVersion)
        payload.number32(middlewareVersion)
        payload.number32(systemVersion)
        payload.number32(boardVersion)
        payload.number16(vendor)
        payload.number16(product)
        payload.zeros(24)
    }
}
