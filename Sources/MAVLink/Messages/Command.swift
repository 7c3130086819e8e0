public import Wire

/// Asks a component to do something, with seven numbers. Answered by ``CommandAcknowledgement``.
///
/// - Spec: MAVLink common, COMMAND_LONG.
public struct CommandLong: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 76)
    public static let length = 33

    /// NaN means: as the vehicle sees fit.
    public var parameter1: Float
    public var parameter2: Float
    public var parameter3: Float
    public var parameter4: Float
    public var parameter5: Float
    public var parameter6: Float
    public var parameter7: Float
    public var command: Command
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    /// Counts repetitions of a command that went unanswered.
    public var confirmation: UInt8

    public init(
        command: Command, parameter1: Float = 0, parameter2: Float = 0, parameter3: Float = 0,
        parameter4: Float = 0, parameter5: Float = 0, parameter6: Float = 0, parameter7: Float = 0,
        targetSystem: UInt8, targetComponent: UInt8, confirmation: UInt8 = 0
    ) {
        self.parameter1 = parameter1
        self.parameter2 = parameter2
        self.parameter3 = parameter3
        self.parameter4 = parameter4
        self.parameter5 = parameter5
        self.parameter6 = parameter6
        self.parameter7 = parameter7
        self.command = command
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.confirmation = confirmation
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        parameter1 = try payload.float("parameter1")
        parameter2 = try payload.float("parameter2")
        parameter3 = try payload.float("parameter3")
        parameter4 = try payload.float("parameter4")
        parameter5 = try payload.float("parameter5")
        parameter6 = try payload.float("parameter6")
        parameter7 = try payload.float("parameter7")
        command = Command(rawValue: try payload.number16("command"))
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        confirmation = try payload.octet("confirmation")
    }

    public func write(into payload: inout FrameWriter) {
        payload.float(parameter1)
        payload.float(parameter2)
        payload.float(parameter3)
        payload.float(parameter4)
        payload.float(parameter5)
        payload.float(parameter6)
        payload.float(parameter7)
        payload.number16(command.rawValue)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(confirmation)
    }
}

/// As ``CommandLong``, with a place on Earth as whole numbers.
///
/// - Spec: MAVLink common, COMMAND_INT.
public struct CommandInt: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 75)
    public static let length = 35

    public var parameter1: Float
    public var parameter2: Float
    public var parameter3: Float
    public var parameter4: Float
    /// Latitude in 10⁻⁷ degrees, in global frames.
    public var x: Int32
    public var y: Int32
    /// Altitude in metres.
    public var z: Float
    public var command: Command
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var frame: UInt8
    public var current: UInt8
    public var autocontinue: UInt8

    public init(
        command: Command, parameter1: Float = 0, parameter2: Float = 0, parameter3: Float = 0,
        parameter4: Float = 0, x: Int32 = 0, y: Int32 = 0, z: Float = 0, targetSystem: UInt8,
        targetComponent: UInt8, frame: UInt8 = 0, current: UInt8 = 0, autocontinue: UInt8 = 0
    ) {
        self.parameter1 = parameter1
        self.parameter2 = parameter2
        self.parameter3 = parameter3
        self.parameter4 = parameter4
        self.x = x
        self.y = y
        self.z = z
        self.command = command
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.frame = frame
        self.current = current
        self.autocontinue = autocontinue
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        parameter1 = try payload.float("parameter1")
        parameter2 = try payload.float("parameter2")
        parameter3 = try payload.float("parameter3")
        parameter4 = try payload.float("parameter4")
        x = try payload.signed32("x")
        y = try payload.signed32("y")
        z = try payload.float("z")
        command = Command(rawValue: try payload.number16("command"))
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        frame = try payload.octet("frame")
        current = try payload.octet("current")
        autocontinue = try payload.octet("autocontinue")
    }

    public func write(into payload: inout FrameWriter) {
        payload.float(parameter1)
        payload.float(parameter2)
        payload.float(parameter3)
        payload.float(parameter4)
        payload.signed32(x)
        payload.signed32(y)
        payload.float(z)
        payload.number16(command.rawValue)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(frame)
        payload.octet(current)
        payload.octet(autocontinue)
    }
}

/// What became of a command.
///
/// - Spec: MAVLink common, COMMAND_ACK.
public struct CommandAcknowledgement: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 77)
    public static let length = 10

    public var command: Command
    public var result: CommandResult
    public var progress: UInt8
    public var resultDetail: Int32
    public var targetSystem: UInt8
    public var targetComponent: UInt8

    public init(
        command: Command, result: CommandResult, targetSystem: UInt8, targetComponent: UInt8,
        progress: UInt8 = 0, resultDetail: Int32 = 0
    ) {
        self.command = command
        self.result = result
        self.progress = progress
        self.resultDetail = resultDetail
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        command = Command(rawValue: try payload.number16("command"))
        result = CommandResult(rawValue: try payload.octet("result"))
        progress = try payload.octet("progress")
        resultDetail = try payload.signed32("result detail")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number16(command.rawValue)
        payload.octet(result.rawValue)
        payload.octet(progress)
        payload.signed32(resultDetail)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
    }
}

/// The old way to change the flight mode.
///
/// - Spec: MAVLink common, SET_MODE.
public struct SetMode: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 11)
    public static let length = 6

    public var customMode: UInt32
    public var targetSystem: UInt8
    public var baseMode: BaseMode

    public init(
        customMode: UInt32, targetSystem: UInt8, baseMode: BaseMode
    ) {
        self.customMode = customMode
        self.targetSystem = targetSystem
        self.baseMode = baseMode
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        customMode = try payload.number32("custom mode")
        targetSystem = try payload.octet("target system")
        baseMode = BaseMode(rawValue: try payload.octet("base mode"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(customMode)
        payload.octet(targetSystem)
        payload.octet(baseMode.rawValue)
    }
}

/// The old way to ask for telemetry by the group.
///
/// - Spec: MAVLink common, REQUEST_DATA_STREAM.
public struct RequestDataStream: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 66)
    public static let length = 6

    /// In messages a second.
    public var rate: UInt16
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    /// Zero for everything.
    public var stream: UInt8
    /// Zero to stop.
    public var start: UInt8

    public init(
        rate: UInt16, targetSystem: UInt8, targetComponent: UInt8, stream: UInt8, start: UInt8
    ) {
        self.rate = rate
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.stream = stream
        self.start = start
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        rate = try payload.number16("rate")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        stream = try payload.octet("stream")
        start = try payload.octet("start")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number16(rate)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(stream)
        payload.octet(start)
    }
}

/// How often a message is sent.
///
/// - Spec: MAVLink common, MESSAGE_INTERVAL.
public struct MessageInterval: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 244)
    public static let length = 6

    /// In microseconds; zero where the message is unknown, -1 where it is not sent.
    public var interval: Int32
    public var message: UInt16

    public init(
        message: UInt16, interval: Int32
    ) {
        self.interval = interval
        self.message = message
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        interval = try payload.signed32("interval")
        message = try payload.number16("message")
    }

    public func write(into payload: inout FrameWriter) {
        payload.signed32(interval)
        payload.number16(message)
    }
}
