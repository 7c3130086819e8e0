import Wire

/// Which messages a vehicle sends by itself, and when each is next due.
struct Telemetry: Sendable {
    struct Stream: Sendable {
        var message: MessageID
        /// In microseconds.
        let usual: UInt64
        /// Zero while it is switched off.
        var interval: UInt64
        var next: Instant

        init(_ message: MessageID, every interval: UInt64) {
            self.message = message
            self.usual = interval
            self.interval = interval
            next = Instant(microseconds: 0)
        }
    }

    private enum State: Sendable {
        case silent
        case running
    }

    /// Nobody gets more than fifty a second of a message, in microseconds.
    private static let shortest: UInt64 = 20_000
    private static let longest: UInt64 = 3_600_000_000

    private var state = State.silent
    private var streams: [Stream] = [
        Stream(Heartbeat.id, every: 1_000_000),
        Stream(SystemStatus.id, every: 1_000_000),
        Stream(ExtendedSystemState.id, every: 500_000),
        Stream(GlobalPositionInt.id, every: 250_000),
        Stream(Attitude.id, every: 250_000),
        Stream(GPSRawInt.id, every: 500_000),
        Stream(FlightDisplay.id, every: 500_000),
        Stream(LocalPosition.id, every: 500_000),
        Stream(BatteryStatus.id, every: 2_000_000),
        Stream(HomePosition.id, every: 5_000_000),
        Stream(Altitude.id, every: 0),
    ]

    var deadline: Instant? {
        guard case .running = state else { return nil }
        var earliest: Instant?
        for stream in streams where stream.interval > 0 { earliest = Instant.earliest(earliest, stream.next) }
        return earliest
    }

    /// Everything is due at once, for a listener who has just come.
    mutating func start(at now: Instant) {
        state = .running
        for index in streams.indices { streams[index].next = now }
    }

    mutating func stop() { state = .silent }

    /// What is due by now.
    mutating func advance(to now: Instant) -> [MessageID] {
        guard case .running = state else { return [] }
        var due: [MessageID] = []
        for index in streams.indices where streams[index].interval > 0 && streams[index].next <= now {
            due.append(streams[index].message)
            let interval = streams[index].interval
            // What was missed while the program stood still stays unsent.
            let behind = now.microseconds(since: streams[index].next) / interval
            streams[index].next = Instant(
                microseconds: streams[index].next.microseconds + (behind + 1) * interval)
        }
        return due
    }

    /// In microseconds; zero where it is switched off, nil for a message that this vehicle does not have.
    func interval(of message: MessageID) -> UInt64? {
        streams.first { $0.message == message }?.interval
    }

    /// - Parameter microseconds: As in MAV_CMD_SET_MESSAGE_INTERVAL: negative for off, zero for the usual.
    /// - Returns: Whether the vehicle has such a message, and the number is one.
    mutating func setInterval(of message: MessageID, to microseconds: Float, at now: Instant) -> Bool {
        guard microseconds.isFinite, let index = streams.firstIndex(where: { $0.message == message }) else {
            return false
        }
        // Without heartbeats every ground station would think that the vehicle is gone.
        guard message != Heartbeat.id else { return microseconds >= 0 }
        if microseconds < 0 {
            streams[index].interval = 0
        } else if microseconds < 1 {
            streams[index].interval = streams[index].usual
        } else {
            let wanted = UInt64(min(microseconds, Float(Self.longest)))
            streams[index].interval = max(wanted, Self.shortest)
        }
        streams[index].next = now
        return true
    }

    /// As a ground station asks in the old way: everything but heartbeats, so many a second.
    mutating func setRate(_ rate: UInt16, at now: Instant) {
        guard rate > 0 else { return }
        for index in streams.indices where streams[index].message != Heartbeat.id && streams[index].usual > 0
        {
            // It is a wish for the moving numbers; what hardly changes stays as it is.
            guard streams[index].usual < 1_000_000 else { continue }
            streams[index].interval = max(Self.shortest, 1_000_000 / UInt64(rate))
            streams[index].next = now
        }
    }
}
