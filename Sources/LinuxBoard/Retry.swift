import Wire

/// When a part that failed is tried again: every five seconds for half a minute, then every thirty. Where failing took
/// its time, as on a bus that is stuck, no more than a two-hundredth of all time goes into it.
enum Retry {
    /// - Parameter lost: for how many microseconds the last try held the loop.
    static func delay(after failures: Int, lost: UInt64 = 0) -> TimeUnits {
        max(.seconds(failures <= 6 ? 5 : 30), .milliseconds(UInt32(clamping: lost / 5)))
    }
}
