public import Wire

/// Says that a component is there, what it is, and which mode it is in. Once a second.
///
/// - Spec: MAVLink common, HEARTBEAT.
public struct Heartbeat: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 0)
    public static let length = 9

    /// The autopilot's own number of its flight mode.
    public var customMode: UInt32
    public var type: VehicleType
    public var autopilot: AutopilotType
    public var baseMode: BaseMode
    public var systemState: SystemState
    /// Always 3.
    public var protocolVersion: UInt8

    public init(
        type: VehicleType, autopilot: AutopilotType, customMode: UInt32, baseMode: BaseMode,
        systemState: SystemState, protocolVersion: UInt8 = 3
    ) {
        self.customMode = customMode
        self.type = type
        self.autopilot = autopilot
        self.baseMode = baseMode
        self.systemState = systemState
        self.protocolVersion = protocolVersion
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        customMode = try payload.number32("custom mode")
        type = VehicleType(rawValue: try payload.octet("type"))
        autopilot = AutopilotType(rawValue: try payload.octet("autopilot"))
        baseMode = BaseMode(rawValue: try payload.octet("base mode"))
        systemState = SystemState(rawValue: try payload.octet("system state"))
        protocolVersion = try payload.octet("protocol version")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(customMode)
        payload.octet(type.rawValue)
        payload.octet(autopilot.rawValue)
        payload.octet(baseMode.rawValue)
        payload.octet(systemState.rawValue)
        payload.octet(protocolVersion)
    }
}
