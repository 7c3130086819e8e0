import CShim

/// The standard output and the standard error stream, without buffers: a call is in the kernel when it returns.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    public var isTerminal: Bool { shim_is_terminal(rawValue) == 1 }

    /// Writes everything, in one system call where the system takes it in one.
    @discardableResult
    public func write(_ text: String) -> WriteOutcome {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    @discardableResult
    public func write(_ octets: [UInt8]) -> WriteOutcome {
        octets.withUnsafeBytes { write($0) }
    }

    func write(_ octets: UnsafeRawBufferPointer) -> WriteOutcome {
        let result = writeAll(octets, to: rawValue)
        if result >= 0 { return .written }
        return result == Int(shim_error_pipe) ? .readerGone : .failed(Int32(clamping: -result))
    }
}

public enum WriteOutcome: Equatable, Sendable {
    case written
    /// Whoever read the pipe has had enough. No error of ours, and a reason to end quietly.
    case readerGone
    /// The system's error number.
    case failed(Int32)
}

/// What a program does that writes its result and ends: it is not to die of a reader that went away.
public func ignoreBrokenPipes() {
    shim_ignore_broken_pipes()
}

/// Ends the program with its status.
public func endProgram(with status: Int32) -> Never {
    shim_exit(status)
}

/// Keeps keys and PINs out of core dumps, and the program's memory from other programs of the same user. To be called
/// before there are any.
public func hideMemory() {
    shim_hide_memory()
}
