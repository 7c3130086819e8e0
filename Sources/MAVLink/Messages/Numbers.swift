// The numbers that messages carry. A peer may send others.

/// - Spec: MAVLink minimal, MAV_TYPE.
public struct VehicleType: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let quadrotor = VehicleType(rawValue: 2)
    public static let groundStation = VehicleType(rawValue: 6)
}

/// - Spec: MAVLink minimal, MAV_AUTOPILOT.
public struct AutopilotType: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let arduPilot = AutopilotType(rawValue: 3)
    /// Of a component that is no autopilot.
    public static let none = AutopilotType(rawValue: 8)
}

/// - Spec: MAVLink minimal, MAV_MODE_FLAG.
public struct BaseMode: OptionSet, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let custom = BaseMode(rawValue: 0x01)
    public static let guided = BaseMode(rawValue: 0x08)
    public static let stabilized = BaseMode(rawValue: 0x10)
    public static let manualInput = BaseMode(rawValue: 0x40)
    public static let armed = BaseMode(rawValue: 0x80)
}

/// - Spec: MAVLink minimal, MAV_STATE.
public struct SystemState: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let standby = SystemState(rawValue: 3)
    public static let active = SystemState(rawValue: 4)
    public static let critical = SystemState(rawValue: 5)
}

/// - Spec: MAVLink common, MAV_CMD.
public struct Command: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let holdPosition = Command(rawValue: 17)
    public static let returnToLaunch = Command(rawValue: 20)
    public static let land = Command(rawValue: 21)
    public static let takeOff = Command(rawValue: 22)
    public static let setMode = Command(rawValue: 176)
    public static let armOrDisarm = Command(rawValue: 400)
    public static let getHomePosition = Command(rawValue: 410)
    public static let getMessageInterval = Command(rawValue: 510)
    public static let setMessageInterval = Command(rawValue: 511)
    public static let requestMessage = Command(rawValue: 512)
    public static let requestCapabilities = Command(rawValue: 520)
}

/// - Spec: MAVLink common, MAV_RESULT.
public struct CommandResult: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let accepted = CommandResult(rawValue: 0)
    /// Right in another state of the vehicle.
    public static let temporarilyRejected = CommandResult(rawValue: 1)
    /// The numbers are wrong.
    public static let denied = CommandResult(rawValue: 2)
    public static let unsupported = CommandResult(rawValue: 3)
    public static let failed = CommandResult(rawValue: 4)
}

/// - Spec: MAVLink common, MAV_PARAM_TYPE.
public struct ParameterType: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let int8 = ParameterType(rawValue: 2)
    public static let int16 = ParameterType(rawValue: 4)
    public static let int32 = ParameterType(rawValue: 6)
    public static let float = ParameterType(rawValue: 9)
}

/// - Spec: MAVLink common, MAV_SYS_STATUS_SENSOR.
public struct Sensors: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let gyroscope = Sensors(rawValue: 1 << 0)
    public static let accelerometer = Sensors(rawValue: 1 << 1)
    public static let magnetometer = Sensors(rawValue: 1 << 2)
    public static let pressure = Sensors(rawValue: 1 << 3)
    public static let satellites = Sensors(rawValue: 1 << 5)
    public static let rateControl = Sensors(rawValue: 1 << 10)
    public static let attitudeControl = Sensors(rawValue: 1 << 11)
    public static let yawControl = Sensors(rawValue: 1 << 12)
    public static let heightControl = Sensors(rawValue: 1 << 13)
    public static let positionControl = Sensors(rawValue: 1 << 14)
    public static let motors = Sensors(rawValue: 1 << 15)
    public static let attitudeEstimate = Sensors(rawValue: 1 << 21)
    public static let battery = Sensors(rawValue: 1 << 25)
    public static let armingChecks = Sensors(rawValue: 1 << 28)
}

/// - Spec: MAVLink common, MAV_LANDED_STATE.
public struct LandedState: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let onGround = LandedState(rawValue: 1)
    public static let inAir = LandedState(rawValue: 2)
    public static let takingOff = LandedState(rawValue: 3)
    public static let landing = LandedState(rawValue: 4)
}

/// - Spec: MAVLink common, MAV_SEVERITY.
public struct Severity: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let critical = Severity(rawValue: 2)
    public static let warning = Severity(rawValue: 4)
    public static let information = Severity(rawValue: 6)
}

/// - Spec: MAVLink common, MAV_PROTOCOL_CAPABILITY.
public struct Capabilities: OptionSet, Sendable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let missionInt = Capabilities(rawValue: 1 << 2)
    public static let commandInt = Capabilities(rawValue: 1 << 3)
    public static let mavlink2 = Capabilities(rawValue: 1 << 13)
    /// Parameters that are whole numbers are sent as the float of the same value.
    public static let castParameters = Capabilities(rawValue: 1 << 17)
}

/// - Spec: MAVLink guide, "File Transfer Protocol", "OpCodes/Command".
public struct FileOperation: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let openForReading = FileOperation(rawValue: 4)
    public static let acknowledged = FileOperation(rawValue: 128)
    public static let refused = FileOperation(rawValue: 129)
}

/// - Spec: MAVLink common, MAV_MISSION_RESULT.
public struct MissionResult: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let accepted = MissionResult(rawValue: 0)
    public static let unsupported = MissionResult(rawValue: 3)
    public static let noRoom = MissionResult(rawValue: 4)
    public static let invalidSequence = MissionResult(rawValue: 13)
}
