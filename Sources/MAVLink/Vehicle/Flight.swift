import Wire

/// The motion of a multicopter straight up and down, and what its motors do.
///
/// Legal transitions:
///
///     disarmed ─arm→ idle ─takeOff→ climbing ─reached→ holding
///        ↑            │                 │    ↖──────────│
///        ├──disarm────┘                 └────land───────┴→ descending ─touches ground→ landed
///        ├──after a second───────────────────────────────────────────────────────────────┘
///        └──hits ground── falling ←─cut─ (any in the air)
struct Flight: Sendable {
    enum State: Sendable {
        case disarmed
        /// Motors turn, on the ground.
        case idle(since: Instant)
        /// Heights are metres above home.
        case climbing(to: Double)
        case holding(at: Double)
        case descending
        case landed(since: Instant)
        case falling
    }

    enum Event: Equatable, Sendable {
        case reachedHeight
        case touchedGround
        case hitGround
        case disarmed
    }

    /// What the pilot's parameters say about speeds, in m/s.
    struct Speeds: Sendable {
        var climb: Double
        var descend: Double
        var land: Double
    }

    private(set) var state = State.disarmed
    /// Metres above home.
    private(set) var height = 0.0
    /// In m/s, up.
    private(set) var climb = 0.0
    private(set) var battery = Battery()
    private var stepped = Instant(microseconds: 0)

    private static let step: UInt64 = 20_000
    /// A program that was stopped for longer goes on from where it was.
    private static let longestCatchUp: UInt64 = 10_000_000
    private static let wakeUp: UInt64 = 100_000
    private static let acceleration = 2.0
    private static let gravity = 9.81
    /// From here to the ground the vehicle lands slowly, in metres.
    private static let slowHeight = 3.0
    private static let groundDisarmDelay = TimeUnits.seconds(10)
    private static let landedDisarmDelay = TimeUnits.seconds(1)

    var isArmed: Bool {
        switch state {
        case .disarmed, .falling: false
        case .idle, .climbing, .holding, .descending, .landed: true
        }
    }

    var isInAir: Bool {
        switch state {
        case .disarmed, .idle, .landed: false
        case .climbing, .holding, .descending, .falling: true
        }
    }

    var landedState: LandedState {
        switch state {
        case .disarmed, .idle, .landed: .onGround
        case .climbing: .takingOff
        case .holding, .falling: .inAir
        case .descending: .landing
        }
    }

    /// While the motors stand still there is nothing to reckon.
    var deadline: Instant? {
        switch state {
        case .disarmed: nil
        case .idle, .climbing, .holding, .descending, .landed, .falling:
            Instant(microseconds: stepped.microseconds + Self.wakeUp)
        }
    }

    /// From `disarmed` only.
    mutating func arm(at now: Instant) {
        guard case .disarmed = state else { die("a vehicle is armed that is not disarmed") }
        state = .idle(since: now)
        stepped = now
    }

    /// On the ground only.
    mutating func disarm() {
        guard !isInAir else { die("a vehicle is disarmed in the air") }
        standStill()
    }

    /// From `idle` only.
    mutating func takeOff(to height: Double) {
        guard case .idle = state else { die("a vehicle takes off that does not stand ready") }
        state = .climbing(to: height)
    }

    /// Stays at the height that it has, if it flies.
    mutating func hold() {
        switch state {
        case .climbing, .holding, .descending: state = .holding(at: height)
        case .disarmed, .idle, .landed, .falling: break
        }
    }

    /// Comes down, if it flies.
    mutating func land() {
        switch state {
        case .climbing, .holding: state = .descending
        case .disarmed, .idle, .descending, .landed, .falling: break
        }
    }

    /// Stops the motors wherever it is.
    mutating func cut() {
        if isInAir {
            state = .falling
        } else {
            disarm()
        }
    }

    mutating func advance(to now: Instant, speeds: Speeds) -> [Event] {
        var events: [Event] = []
        if now.microseconds(since: stepped) > Self.longestCatchUp {
            stepped = Instant(microseconds: now.microseconds - Self.longestCatchUp)
        }
        while deadline != nil, now.microseconds(since: stepped) >= Self.step {
            stepped = Instant(microseconds: stepped.microseconds + Self.step)
            if let event = move(speeds: speeds) { events.append(event) }
        }
        return events
    }

    private mutating func move(speeds: Speeds) -> Event? {
        let seconds = Double(Self.step) / 1_000_000
        battery.draw(current, for: seconds)
        switch state {
        case .disarmed:
            return nil
        case .idle(let since):
            return disarm(ifAfter: since + Self.groundDisarmDelay)
        case .landed(let since):
            return disarm(ifAfter: since + Self.landedDisarmDelay)
        case .climbing(let target):
            approach(target, speeds: speeds, seconds: seconds)
            guard abs(target - height) < 0.1, abs(climb) < 0.2 else { return nil }
            state = .holding(at: target)
            return .reachedHeight
        case .holding(let target):
            approach(target, speeds: speeds, seconds: seconds)
            return nil
        case .descending:
            steer(to: height > Self.slowHeight ? -speeds.descend : -speeds.land, seconds: seconds)
            guard touchesGround() else { return nil }
            state = .landed(since: stepped)
            return .touchedGround
        case .falling:
            climb -= Self.gravity * seconds
            height += climb * seconds
            guard touchesGround() else { return nil }
            standStill()
            return .hitGround
        }
    }

    private mutating func disarm(ifAfter end: Instant) -> Event? {
        guard stepped >= end else { return nil }
        disarm()
        return .disarmed
    }

    private mutating func standStill() {
        state = .disarmed
        battery = Battery()
    }

    private mutating func approach(_ target: Double, speeds: Speeds, seconds: Double) {
        steer(to: max(-speeds.descend, min(speeds.climb, target - height)), seconds: seconds)
    }

    private mutating func steer(to speed: Double, seconds: Double) {
        let change = Self.acceleration * seconds
        climb += max(-change, min(change, speed - climb))
        height = max(0, height + climb * seconds)
    }

    private mutating func touchesGround() -> Bool {
        guard height <= 0 else { return false }
        height = 0
        climb = 0
        return true
    }

    /// Of the motors, in amperes.
    private var current: Double {
        switch state {
        case .disarmed, .falling: 0
        case .idle, .landed: 1
        case .climbing, .holding, .descending: 15 + 2 * climb
        }
    }
}

/// A battery of three cells. Whoever disarms the vehicle puts a full one in.
struct Battery: Sendable {
    /// In ampere seconds.
    private static let capacity = 5.0 * 3600
    private(set) var drawn = 0.0
    /// In amperes.
    private(set) var current = 0.0

    /// Per cent left.
    var remaining: Double { max(0, 100 * (1 - drawn / Self.capacity)) }
    var volts: Double { 10.8 + 0.018 * remaining - 0.02 * current }
    /// In mAh.
    var consumed: Double { drawn / 3.6 }

    mutating func draw(_ current: Double, for seconds: Double) {
        self.current = current
        drawn += current * seconds
    }
}
