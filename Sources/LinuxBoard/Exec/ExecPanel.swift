public import Ports
public import Wire

/// A program as a panel: gets each state as a line on its standard input (``PanelState/line(at:)``), the first when it
/// starts. At the end of the input it is to clear what it shows, and to end. The line is the only place of a PIN.
///
/// One that ends before is started again, after a while. One that reads too slowly misses states, never the last.
public final class ExecPanel: Panel {
    private enum State {
        /// The last one, which is dead by then, goes when the next one starts.
        case stopped(starts: Instant, last: FedProgram?)
        /// Nothing is to be shown any more.
        case ended
        case running(FedProgram)
    }

    /// Lines of up to so many octets are handed over whole or not at all.
    private static let longestLine = 512

    private let path: String
    private var state = State.stopped(starts: Instant(microseconds: 0), last: nil)
    private var content: PanelState?
    /// What could not be handed over yet.
    private var pending: [UInt8] = []
    private var failures = 0
    public private(set) var fault: String?

    public init(_ path: String) {
        self.path = path
    }

    public var name: String { "exec \(path)" }
    public let isStill = true

    public var deadline: Instant? {
        if case .stopped(let starts, _) = state { starts } else { nil }
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        guard case .running(let program) = state else { return }
        set.add(program.descriptor, readable: false, writable: !pending.isEmpty)
    }

    public func show(_ content: PanelContent, at now: Instant) {
        guard content.state != self.content else { return }
        self.content = content.state
        feed(at: now)
    }

    public func stop(at now: Instant) {
        if case .running(let program) = state { program.leave() }
        state = .ended
    }

    public func turn(at now: Instant) {
        switch state {
        case .ended: return
        case .stopped(let starts, _):
            if starts <= now { start(at: now) }
        case .running(let program):
            if let end = program.end() { return fail("it \(end)", at: now) }
            if !pending.isEmpty { handOver(to: program, at: now) }
        }
    }

    private func start(at now: Instant) {
        do throws(BoardFault) {
            state = .running(try FedProgram(path))
            feed(at: now)
        } catch {
            fail(error.explanation, at: now)
        }
    }

    private func feed(at now: Instant) {
        guard let content, case .running(let program) = state else { return }
        pending = Array(content.line(at: now).utf8.prefix(Self.longestLine - 1)) + [UInt8(ascii: "\n")]
        handOver(to: program, at: now)
    }

    private func handOver(to program: FedProgram, at now: Instant) {
        switch program.feed(pending) {
        case .taken:
            pending = []
            fault = nil
        case .full: fault = "it does not read its input"
        case .failed: fail("it does not read its input any more", at: now)
        }
    }

    private func fail(_ reason: String, at now: Instant) {
        pending = []
        fault = reason
        failures += 1
        var last: FedProgram?
        if case .running(let program) = state {
            program.kill()
            last = program
        }
        state = .stopped(starts: now + Retry.delay(after: failures), last: last)
    }
}
