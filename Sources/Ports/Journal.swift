/// Takes down what happened, a line an event. Never given a key or a PIN.
public protocol Journal: AnyObject {
    func write(_ importance: Importance, _ line: String)
}

/// How a line is to be taken. `debug` is written only where more is asked for.
public enum Importance: UInt8, Comparable, Sendable {
    case debug
    case notice
    case warning

    public static func < (one: Importance, other: Importance) -> Bool { one.rawValue < other.rawValue }
}
