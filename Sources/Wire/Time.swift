/// A moment, counted from an arbitrary start that never changes while the program runs.
public struct Instant: Comparable, Hashable, Sendable {
    public var microseconds: UInt64

    public init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    public static func + (start: Instant, span: TimeUnits) -> Instant {
        Instant(microseconds: start.microseconds + UInt64(span.count) * TimeUnits.microseconds)
    }

    /// How long ago `earlier` was, in microseconds; zero where it lies ahead.
    public func microseconds(since earlier: Instant) -> UInt64 {
        earlier < self ? microseconds - earlier.microseconds : 0
    }

    /// How many seconds are left until `end`, as a person counts them down: up, but for what a rounded time unit adds.
    public func secondsLeft(until end: Instant) -> UInt64 {
        (end.microseconds(since: self) + 1_000_000 - TimeUnits.microseconds) / 1_000_000
    }

    /// The earlier of two moments, either of which may never come.
    public static func earliest(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one else { return other }
        guard let other else { return one }
        return min(one, other)
    }
}

/// A span in time units of 1024 µs, the clock of 802.11.
public struct TimeUnits: Comparable, Hashable, Sendable {
    public static let microseconds: UInt64 = 1024
    public var count: UInt32

    public init(_ count: UInt32) {
        self.count = count
    }

    /// The fewest time units that last at least `seconds`.
    public static func seconds(_ seconds: UInt32) -> TimeUnits {
        atLeast(microseconds: UInt64(seconds) * 1_000_000)
    }

    /// The fewest time units that last at least `milliseconds`.
    public static func milliseconds(_ milliseconds: UInt32) -> TimeUnits {
        atLeast(microseconds: UInt64(milliseconds) * 1_000)
    }

    public static func < (a: TimeUnits, b: TimeUnits) -> Bool { a.count < b.count }

    private static func atLeast(microseconds wanted: UInt64) -> TimeUnits {
        TimeUnits(UInt32((wanted + microseconds - 1) / microseconds))
    }
}
