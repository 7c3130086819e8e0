public import LinuxHost
public import Ports

/// Where a program keeps what outlives it.
public struct StatePlace: Equatable, Sendable {
    public var directory: String

    /// - Parameters:
    ///   - chosen: what `--state` says.
    ///   - program: names the directory under the user's own where nothing is chosen.
    public init(_ chosen: String?, program: String) {
        if let chosen {
            directory = chosen
        } else if let service = Environment.value("STATE_DIRECTORY") {
            directory = service
        } else if let home = Environment.value("XDG_STATE_HOME") {
            directory = home + "/" + program
        } else if let home = Environment.value("HOME") {
            directory = home + "/.local/state/" + program
        } else {
            directory = "/var/lib/" + program
        }
    }

    /// The socket at which the running agent answers.
    public var socket: String { directory + "/control" }

    public func store() throws(StoreError) -> FileStore {
        try FileStore(directory: directory + "/records")
    }
}
