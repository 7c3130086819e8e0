import Wire

/// Keeps a flood of refusals from flooding the journal: they are counted all, and told up to a rate.
struct NewsBudget: Sendable {
    private static let capacity: UInt64 = 20
    /// One more piece of news each.
    private static let interval: UInt64 = 1_000_000

    private var left = NewsBudget.capacity
    private var refilled = Instant(microseconds: 0)

    mutating func allows(at now: Instant) -> Bool {
        let gained = now.microseconds(since: refilled) / Self.interval
        if gained > 0 {
            left = min(Self.capacity, left + gained)
            refilled = now
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
