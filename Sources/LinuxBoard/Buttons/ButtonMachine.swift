public import Ports
public import Wire

/// What a button does.
public struct ButtonSettings: Equatable, Sendable {
    public enum Press: Equatable, Sendable {
        case openPairing
        /// It shows that somebody is there.
        case none
    }

    public enum Hold: Equatable, Sendable {
        case forgetAll
        /// A long press is a short one.
        case none
    }

    public var press = Press.openPairing
    public var hold = Hold.forgetAll
    /// How long it is held until that happens.
    public var holdTime = TimeUnits.seconds(10)
    /// A level counts when it has lasted so long.
    public var debounce = TimeUnits.milliseconds(25)

    public init() {}
}

/// Makes presses of the edges of a button that bounces.
///
/// Edges may get lost: whoever lets time pass says what the level is then, and that is believed. So a release that
/// nobody heard of forgets no device.
///
/// Legal transitions:
///
///     stuck ─released→ up ─pressed→ down ─1 s→ counting ─whole time→ spent
///       ↑               ↑             │            │                    │
///       │               └──released───┴──released──┴───released─────────┤
///       └─────────────── a minute ────┴─────────────── a minute ────────┘
public struct ButtonMachine: Sendable {
    private enum State: Equatable, Sendable {
        case up
        case down(since: Instant)
        case counting(since: Instant)
        /// What it does when it is held has been done.
        case spent(since: Instant)
        /// Pressed from the start, or for longer than a person would.
        case stuck
    }

    /// The level as the line has it, bounces and all.
    private struct Level: Equatable, Sendable {
        var isPressed: Bool
        var since: Instant
    }

    /// From then on it is no short press any more.
    private static let shortest = TimeUnits.seconds(1)
    private static let patience = TimeUnits.seconds(60)

    private let settings: ButtonSettings
    private var state: State
    private var level: Level

    /// - Parameter isPressed: the level when the line was taken. A button that is pressed then is no press.
    public init(_ settings: ButtonSettings, isPressed: Bool, at now: Instant) {
        self.settings = settings
        state = isPressed ? .stuck : .up
        level = Level(isPressed: isPressed, since: now)
    }

    public var isStuck: Bool { state == .stuck }

    /// When ``advance(to:isPressed:)`` next has something to do; nil while nothing is pressed.
    public var deadline: Instant? {
        if level.isPressed != isDown { return level.since + settings.debounce }
        return switch state {
        case .up, .stuck: nil
        case .down(let since): since + (settings.hold == .none ? Self.patience : Self.shortest)
        case .counting(let since): since + settings.holdTime
        case .spent(let since): since + Self.patience
        }
    }

    /// The line changed. What that means shows when it has lasted.
    public mutating func edge(isPressed: Bool, at time: Instant) -> [ButtonPress] {
        let presses = pass(to: time)
        // The same level again: an edge between them got lost, so it lasts from here.
        level = Level(isPressed: isPressed, since: max(level.since, time))
        return presses
    }

    /// Lets time pass. The level is the line's at that time.
    public mutating func advance(to now: Instant, isPressed: Bool) -> [ButtonPress] {
        if isPressed != level.isPressed { level = Level(isPressed: isPressed, since: max(level.since, now)) }
        return pass(to: now)
    }

    private var isDown: Bool { state != .up }

    private mutating func pass(to now: Instant) -> [ButtonPress] {
        var presses: [ButtonPress] = []
        while let deadline, deadline <= now { presses += step() }
        return presses
    }

    /// What comes at the deadline.
    private mutating func step() -> [ButtonPress] {
        guard level.isPressed == isDown else { return settle() }
        switch state {
        case .up, .stuck:
            return []
        case .down(let since) where settings.hold == .forgetAll:
            state = .counting(since: since)
            return [.holding(completes: since + settings.holdTime)]
        case .counting(let since):
            state = .spent(since: since)
            return [.held]
        case .down, .spent:
            state = .stuck
            return []
        }
    }

    /// The level has lasted.
    private mutating func settle() -> [ButtonPress] {
        let before = state
        state = level.isPressed ? .down(since: level.since) : .up
        return switch before {
        case .down: [settings.press == .openPairing ? .short : .noted]
        case .counting: [.released]
        case .up, .spent, .stuck: []
        }
    }
}
