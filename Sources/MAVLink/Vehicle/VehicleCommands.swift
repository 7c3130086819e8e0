import Wire

extension SimulatedVehicle {
    /// Does a command and acknowledges it.
    ///
    /// A ground station repeats a command whose acknowledgement got lost. It then hears what it should have heard
    /// before: doing it again would refuse what has just been done.
    mutating func answer(_ command: CommandLong, from sender: MAVLinkAddress) {
        let result: CommandResult
        if case .given(let last, let by, let before, let at) = answered, by == sender,
            last.isRepeated(by: command), now <= at + Self.repetitionSpan
        {
            result = before
        } else {
            result = perform(command)
            if command.command.changesOnce { answered = .given(command, by: sender, result: result, at: now) }
        }
        send(
            CommandAcknowledgement(
                command: command.command, result: result, targetSystem: sender.system,
                targetComponent: sender.component))
    }

    /// As long as ground stations go on repeating, at least.
    private static let repetitionSpan = TimeUnits.seconds(2)

    private mutating func perform(_ command: CommandLong) -> CommandResult {
        switch command.command {
        case .armOrDisarm: armOrDisarm(command)
        case .takeOff: takeOff(to: command.parameter7)
        case .land: bringDown(.land)
        case .returnToLaunch: bringDown(.returnToLaunch)
        case .holdPosition: change(to: .loiter)
        case .setMode: setMode(command)
        case .setMessageInterval: setInterval(command)
        case .getMessageInterval: tellInterval(command)
        case .requestMessage: sendOnce(command)
        case .requestCapabilities: sendOnce(AutopilotVersion.id)
        case .getHomePosition: sendOnce(HomePosition.id)
        default: .unsupported
        }
    }

    // MARK: Motors

    /// Stops the motors even in the air.
    private static let force: Float = 21196

    private mutating func armOrDisarm(_ command: CommandLong) -> CommandResult {
        if command.parameter1 == 1 { return arm() }
        guard command.parameter1 == 0 else { return .denied }
        return disarm(forced: command.parameter2 == Self.force)
    }

    private mutating func arm() -> CommandResult {
        switch flight.state {
        case .disarmed: break
        case .idle, .climbing, .holding, .descending, .landed, .falling: return .temporarilyRejected
        }
        guard mode.mayArm else {
            say("Arm: mode not armable", .critical)
            return .failed
        }
        flight.arm(at: now)
        heard = now
        say("Arming motors")
        sendTelemetry(Heartbeat.id)
        return .accepted
    }

    private mutating func disarm(forced: Bool) -> CommandResult {
        guard flight.isArmed else { return .accepted }
        guard forced || !flight.isInAir else { return .temporarilyRejected }
        flight.cut()
        standStill()
        say("Disarming motors")
        sendTelemetry(Heartbeat.id)
        return .accepted
    }

    // MARK: Flight

    private static let highest: Float = 120

    /// - Parameter height: Above home, in metres. NaN, and zero, for what the parameter says.
    private mutating func takeOff(to height: Float) -> CommandResult {
        let wanted = height.isNaN || height == 0 ? parameters[.takeOffHeight] / 100 : height
        guard wanted > 0, wanted <= Self.highest else { return .denied }
        guard case .idle = flight.state else { return .temporarilyRejected }
        guard mode == .guided else {
            say("Take-off: needs mode GUIDED", .warning)
            return .failed
        }
        flight.takeOff(to: Double(wanted))
        send(ExtendedSystemState(landedState: flight.landedState))
        return .accepted
    }

    /// Who asks a vehicle on the ground to land has what it wants.
    private mutating func bringDown(_ mode: FlightMode) -> CommandResult {
        if flight.isArmed { comeDown(mode) }
        return .accepted
    }

    private mutating func setMode(_ command: CommandLong) -> CommandResult {
        let base = command.parameter1
        let custom = command.parameter2
        guard base >= 0, base <= 255, custom >= 0, custom <= 255 else { return .denied }
        guard BaseMode(rawValue: UInt8(base)).contains(.custom) else { return .unsupported }
        return change(toMode: UInt32(custom))
    }

    mutating func change(toMode number: UInt32) -> CommandResult {
        guard let mode = FlightMode(rawValue: number) else {
            say("Mode not available", .warning)
            return .failed
        }
        return change(to: mode)
    }

    private mutating func change(to mode: FlightMode) -> CommandResult {
        guard mode != self.mode else { return .accepted }
        if flight.isArmed, mode.descends {
            comeDown(mode)
            return .accepted
        }
        self.mode = mode
        flight.hold()
        sendTelemetry(Heartbeat.id)
        return .accepted
    }

    // MARK: Messages

    private mutating func setInterval(_ command: CommandLong) -> CommandResult {
        guard let message = MessageID(command.parameter1) else { return .denied }
        return telemetry.setInterval(of: message, to: command.parameter2, at: now) ? .accepted : .unsupported
    }

    private mutating func tellInterval(_ command: CommandLong) -> CommandResult {
        guard let message = MessageID(command.parameter1) else { return .denied }
        let interval: Int32 =
            switch telemetry.interval(of: message) {
            case nil: 0
            case 0: -1
            case .some(let microseconds): Int32(clamping: microseconds)
            }
        send(MessageInterval(message: UInt16(truncatingIfNeeded: message.rawValue), interval: interval))
        return .accepted
    }

    private mutating func sendOnce(_ command: CommandLong) -> CommandResult {
        guard let message = MessageID(command.parameter1) else { return .denied }
        return sendOnce(message)
    }

    private mutating func sendOnce(_ message: MessageID) -> CommandResult {
        guard message == AutopilotVersion.id || telemetry.interval(of: message) != nil else {
            return .unsupported
        }
        sendTelemetry(message)
        return .accepted
    }
}

extension MessageID {
    /// As commands carry it.
    init?(_ parameter: Float) {
        guard parameter >= 0, parameter <= 65535 else { return nil }
        self.init(rawValue: UInt32(parameter))
    }
}

extension Command {
    /// Done twice it is refused the second time.
    fileprivate var changesOnce: Bool { self == .armOrDisarm || self == .takeOff }
}

extension CommandLong {
    /// Bit for bit the same, NaN included.
    func isRepeated(by other: CommandLong) -> Bool {
        command == other.command && parameter1.bitPattern == other.parameter1.bitPattern
            && parameter2.bitPattern == other.parameter2.bitPattern
            && parameter3.bitPattern == other.parameter3.bitPattern
            && parameter4.bitPattern == other.parameter4.bitPattern
            && parameter5.bitPattern == other.parameter5.bitPattern
            && parameter6.bitPattern == other.parameter6.bitPattern
            && parameter7.bitPattern == other.parameter7.bitPattern
    }
}
