import LinuxHost

/// The statuses with which the programs end.
public enum ExitStatus {
    public static let done: Int32 = 0
    /// The thing asked for failed.
    public static let failed: Int32 = 1
    /// Bad usage or configuration.
    public static let usage: Int32 = 2
}

/// Says on standard error what is wrong, and returns the status to end with.
public func complain(_ program: StaticString, _ text: String, status: Int32 = ExitStatus.failed) -> Int32 {
    StandardStream.error.write("\(program): \(text)\n")
    return status
}
