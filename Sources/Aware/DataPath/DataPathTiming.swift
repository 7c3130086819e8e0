import Wire

/// How long a message may be awaited, and when ours is repeated: acknowledged frames get lost too, between a radio
/// and a station that is not ready for them.
enum DataPathTiming {
    /// For the answer to a request: the other side may have to ask its user.
    static let answerLimit = TimeUnits.seconds(30)
    static let requestInterval = TimeUnits.seconds(1)
    /// For every message after that.
    static let messageLimit = TimeUnits.seconds(2)
    /// More than a period of discovery windows, and a few times within the limit.
    static let messageInterval = TimeUnits.milliseconds(600)
}

/// A message of ours that is repeated until its answer comes or the time is up.
struct PendingMessage {
    let body: [UInt8]
    private(set) var repeats: Instant
    let givesUp: Instant
    private let interval: TimeUnits

    init(_ body: [UInt8], limit: TimeUnits, interval: TimeUnits, at now: Instant) {
        self.body = body
        self.interval = interval
        repeats = now + interval
        givesUp = now + limit
    }

    var deadline: Instant { min(repeats, givesUp) }

    /// The message once more, where it is time; a late call makes up for nothing.
    mutating func repetition(at now: Instant) -> [UInt8]? {
        guard repeats <= now else { return nil }
        repeats = now + interval
        return body
    }
}
