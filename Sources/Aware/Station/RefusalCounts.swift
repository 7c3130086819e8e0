/// How often what was refused, by reason.
///
/// Reasons are sentences of ours, so there are not many; the bound is for the day on which one contains a number.
public struct RefusalCounts: Sendable {
    /// A reason, and how often it held.
    public struct Entry: Equatable, Sendable {
        public var reason: String
        public var count: UInt64
    }

    private static let capacity = 96
    private static let other = "other"

    /// In the order of their first time.
    public private(set) var entries: [Entry] = []

    public init() {}

    public var total: UInt64 { entries.reduce(0) { $0 + $1.count } }

    public func count(of reason: String) -> UInt64 {
        entries.first { $0.reason == reason }?.count ?? 0
    }

    /// Counts one more; beyond 96 reasons, as `other`.
    public mutating func add(_ reason: String) {
        for index in entries.indices where entries[index].reason == reason {
            entries[index].count += 1
            return
        }
        guard entries.count < Self.capacity || reason == Self.other else { return add(Self.other) }
        entries.append(Entry(reason: reason, count: 1))
    }
}
