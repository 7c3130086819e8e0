import CShim
public import Ports
public import Wire

/// What the system or a person asks of the whole program by a signal.
public enum ProgramSignal: Equatable, Sendable {
    /// SIGTERM or SIGINT: end cleanly.
    case terminate
    /// SIGHUP: read the configuration again.
    case reload
}

/// Signals as something that the loop waits for. While it lives they do nothing else, and SIGPIPE does nothing at all.
public final class SignalSource: EventSource {
    public let deadline: Instant? = nil
    private let descriptor: Descriptor

    /// - Throws: What the system says, which is only that it has no more descriptors.
    public init() throws(HostError) {
        let opened = shim_open_signals()
        guard opened >= 0 else { throw HostError("signals cannot be waited for: \(reason(opened))") }
        descriptor = Descriptor(opened)
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        set.add(descriptor.number)
    }

    /// The next signal that came. Nil when there is none for now.
    public func nextSignal() -> ProgramSignal? {
        switch shim_next_signal(descriptor.number) {
        case Int32(shim_terminate), Int32(shim_interrupt): .terminate
        case Int32(shim_hangup): .reload
        default: nil
        }
    }
}
