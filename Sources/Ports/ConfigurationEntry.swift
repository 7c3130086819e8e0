/// One `key = value` of a configuration file.
public struct ConfigurationEntry: Equatable, Sendable {
    /// Of the last `[section]` line above it; empty before the first.
    public var section: String
    public var key: String
    /// Without white space at either end; empty where nothing follows the `=`.
    public var value: String
    /// In the file, from 1.
    public var line: Int

    public init(section: String, key: String, value: String, line: Int) {
        self.section = section
        self.key = key
        self.value = value
        self.line = line
    }
}

/// What is wrong with a configuration, and where.
public struct ConfigurationError: Error, Equatable, Sendable {
    public var file: String
    /// Nil where it is about the whole file.
    public var line: Int?
    public var explanation: String

    public init(file: String, line: Int?, _ explanation: String) {
        self.file = file
        self.line = line
        self.explanation = explanation
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// As compilers write it: `file:line: explanation`.
    public var description: String {
        guard let line else { return "\(file): \(explanation)" }
        return "\(file):\(line): \(explanation)"
    }
}
