public import Wire

/// A small multicopter that behaves like one with ArduPilot, as far as a ground station can tell.
///
/// It arms, takes off, holds, lands, returns; it moves up and down only. It is told the time, it is given the frames
/// of ground stations, and it answers with frames for all of them. When no ground station is heard any more it comes
/// down by itself, as FS_GCS_ENABLE says. While it is disarmed and nobody listens it has no deadline.
public struct SimulatedVehicle: Sendable {
    /// Where it stands at first.
    public struct Home: Equatable, Sendable {
        /// In 10⁻⁷ degrees.
        public var latitude: Int32
        public var longitude: Int32
        /// Above the sea, in mm.
        public var altitude: Int32

        public init(latitude: Int32, longitude: Int32, altitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }

        /// A field near Zürich where simulated vehicles have always flown.
        public static let usual = Home(latitude: 473_977_420, longitude: 85_455_940, altitude: 488_000)
    }

    let address: MAVLinkAddress
    let home: Home
    let started: Instant
    var now: Instant
    var mode = FlightMode.loiter
    var flight = Flight()
    var parameters: VehicleParameters
    var parameterList = ParameterList.idle
    var telemetry = Telemetry()
    var answered = LastCommand.none
    /// When a ground station's heartbeat was last heard, or when the motors were started, whichever is later.
    var heard: Instant
    private var sequence: UInt8 = 0
    private var outbox: [MAVLinkFrame] = []

    enum ParameterList: Sendable {
        case idle
        case sending(next: Int, due: Instant)
    }

    enum LastCommand: Sendable {
        case none
        case given(CommandLong, by: MAVLinkAddress, result: CommandResult, at: Instant)
    }

    /// - Parameter system: Its number among vehicles, 1 … 255.
    public init(system: UInt8 = 1, home: Home = .usual, at now: Instant) {
        address = MAVLinkAddress(system: system, component: 1)
        self.home = home
        started = now
        self.now = now
        heard = now
        parameters = VehicleParameters(system: system)
    }

    public var isArmed: Bool { flight.isArmed }
    /// Metres above home.
    public var height: Double { flight.height }

    /// When ``advance(to:)`` next has work; nil while it stands still and nobody listens.
    public var deadline: Instant? {
        var earliest = Instant.earliest(flight.deadline, telemetry.deadline)
        if case .sending(_, let due) = parameterList { earliest = Instant.earliest(earliest, due) }
        return earliest
    }

    /// Somebody listens from now on: telemetry starts.
    public mutating func start(at now: Instant) -> [MAVLinkFrame] {
        telemetry.start(at: now)
        return advance(to: now)
    }

    /// Nobody listens any more. It flies on, and by and by its failsafe brings it down.
    public mutating func stop(at now: Instant) {
        telemetry.stop()
        parameterList = .idle
        _ = advance(to: now)
    }

    public mutating func receive(_ frame: MAVLinkFrame, at now: Instant) -> [MAVLinkFrame] {
        catchUp(to: now)
        answer(frame)
        return takeOutbox()
    }

    public mutating func advance(to now: Instant) -> [MAVLinkFrame] {
        catchUp(to: now)
        return takeOutbox()
    }

    // MARK: What its parts use

    mutating func send<Message: MAVLinkMessage>(_ message: Message) {
        outbox.append(MAVLinkFrame(message, from: address, sequence: sequence))
        sequence &+= 1
    }

    mutating func say(_ text: StaticString, _ severity: Severity = .information) {
        send(StatusText(severity: severity, text: text.withUTF8Buffer { Array($0) }))
    }

    private mutating func takeOutbox() -> [MAVLinkFrame] {
        let frames = outbox
        outbox.removeAll(keepingCapacity: true)
        return frames
    }

    private mutating func catchUp(to time: Instant) {
        now = max(now, time)
        for event in flight.advance(to: now, speeds: speeds) { report(event) }
        watchOver()
        sendParameterList()
        for message in telemetry.advance(to: now) { sendTelemetry(message) }
    }

    private var speeds: Flight.Speeds {
        Flight.Speeds(
            climb: Double(parameters[.climbSpeed]) / 100, descend: Double(parameters[.descendSpeed]) / 100,
            land: Double(parameters[.landSpeed]) / 100)
    }

    private mutating func report(_ event: Flight.Event) {
        switch event {
        case .reachedHeight:
            say("Reached take-off height")
        case .touchedGround:
            say("Landed")
        case .hitGround:
            say("Crash: fell to the ground", .critical)
            standStill()
        case .disarmed:
            say("Disarming motors")
            standStill()
        }
        send(ExtendedSystemState(landedState: flight.landedState))
        if !flight.isArmed { sendTelemetry(Heartbeat.id) }
    }

    /// We differ: ArduPilot stays in a mode in which it cannot be armed again.
    mutating func standStill() {
        if !mode.mayArm { mode = .loiter }
    }

    /// Lost ground stations and an empty battery end the flight.
    private mutating func watchOver() {
        guard flight.isArmed, !mode.descends else { return }
        let timeout = UInt64(parameters[.groundStationTimeout] * 1_000_000)
        if parameters[.groundStationFailsafe] > 0, now.microseconds(since: heard) > timeout {
            say("GCS Failsafe", .critical)
            comeDown(parameters[.groundStationFailsafe] == 5 ? .land : .returnToLaunch)
        } else if flight.isInAir, flight.battery.remaining < Double(parameters[.lowBattery]) {
            say("Battery Failsafe", .critical)
            comeDown(.land)
        }
    }

    /// Lands from the air. On the ground the motors stop.
    mutating func comeDown(_ mode: FlightMode) {
        self.mode = mode
        if flight.isInAir {
            flight.land()
        } else {
            flight.disarm()
            say("Disarming motors")
            standStill()
        }
        sendTelemetry(Heartbeat.id)
    }

    private mutating func sendParameterList() {
        guard case .sending(let next, let due) = parameterList, due <= now else { return }
        guard next < parameters.entries.count else {
            parameterList = .idle
            return
        }
        send(parameters.message(next))
        parameterList = .sending(next: next + 1, due: now + Self.parameterSpacing)
    }

    /// Half of what a slow radio link carries, so that telemetry stays alive meanwhile.
    private static let parameterSpacing = TimeUnits.milliseconds(10)
}
