public import Ports
public import Wire

/// Time that only a ``World`` moves.
public final class VirtualClock: Clock {
    public internal(set) var now: Instant
    private let start: Instant
    private let startDate: UInt64

    /// - Parameter date: What the calendar says at the beginning, in seconds since 1970.
    public init(now: Instant, date: UInt64) {
        self.now = now
        start = now
        startDate = date
    }

    public var date: UInt64 { startDate &+ now.microseconds(since: start) / 1_000_000 }
}
