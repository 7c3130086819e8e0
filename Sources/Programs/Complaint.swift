import LinuxHost

/// The statuses with which the programs end.
public enum ExitStatus {
    public static let done: Int32 = 0
    /// The thing asked for failed.
    public static let failed: Int32 = 1
    /// Bad usage or configuration.
    public static let usage: Int32 = 2
}

/// What keeps a program from what it was asked for: what to say, and the status to end with.
public struct Obstacle: Error {
    public var explanation: String
    /// One of ``ExitStatus``.
    public var status: Int32

    public init(_ explanation: String, status: Int32 = ExitStatus.failed) {
        self.explanation = explanation
        self.status = status
    }

    /// One that lies in the command line or in a file that it names.
    public static func usage(_ explanation: String) -> Obstacle {
        Obstacle(explanation, status: ExitStatus.usage)
    }
}

/// Says on standard error what is wrong, and returns the status to end with.
public func complain(_ program: StaticString, _ text: String, status: Int32 = ExitStatus.failed) -> Int32 {
    StandardStream.error.write("\(program): \(text)\n")
    return status
}
