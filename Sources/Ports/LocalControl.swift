public import Wire

/// The local socket over which programs of the same user ask the running agent something.
public protocol LocalControl: Turnable {
    /// Who answers. Requests that come while there is nobody are refused. The control keeps its answerer.
    var answerer: (any LocalAnswerer)? { get set }
    /// Sends a line, given without its end, to every client that was answered by ``LocalAnswer/stream(_:)``.
    func broadcast(_ line: String)
    /// Whether anyone would read a broadcast.
    var hasListeners: Bool { get }
}

/// What the running agent says to whoever asks over the local socket.
public protocol LocalAnswerer: AnyObject {
    func answer(_ request: LocalRequest, at now: Instant) -> LocalAnswer
}

/// A line from a client.
public struct LocalRequest: Equatable, Sendable {
    /// At most 1023 octets of UTF-8, without the line's end.
    public var line: String
    /// Tells clients apart as long as the agent runs.
    public var client: UInt64
    /// The client's process.
    public var process: Int32

    public init(line: String, client: UInt64, process: Int32) {
        self.line = line
        self.client = client
        self.process = process
    }
}

/// What the client gets.
public enum LocalAnswer: Equatable, Sendable {
    /// What the client program writes, and the status with which it then ends: to its standard output where that is
    /// 0, to standard error where it is not.
    case reply([UInt8], status: UInt8)
    /// The client gets these octets, then every broadcast, until either side ends.
    case stream([UInt8])
}
