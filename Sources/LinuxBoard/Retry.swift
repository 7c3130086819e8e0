import Wire

/// When a part that failed is tried again: every five seconds for half a minute, then every thirty.
enum Retry {
    static func delay(after failures: Int) -> TimeUnits { .seconds(failures <= 6 ? 5 : 30) }
}
