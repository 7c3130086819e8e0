import Wire

/// So many of something at once, and one more each interval.
struct RateBudget: Sendable {
    private let capacity: UInt64
    /// In microseconds.
    private let interval: UInt64
    private var left: UInt64
    private var refilled = Instant(microseconds: 0)

    init(_ capacity: UInt64, interval: TimeUnits) {
        self.capacity = capacity
        self.interval = UInt64(interval.count) * TimeUnits.microseconds
        left = capacity
    }

    mutating func allows(at now: Instant) -> Bool {
        let gained = now.microseconds(since: refilled) / interval
        if gained > 0 {
            left = min(capacity, left + gained)
            refilled = now
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
