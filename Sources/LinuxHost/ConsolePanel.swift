public import Ports
public import Wire

/// A panel for boards without one, and for scripts: standard output, a line per change.
///
/// `idle`, `open 120 s`, `PIN 482913`, `passkey 104711`, `paired NAME`, `refused NAME REASON`, `locked 64 s`,
/// `forgetting in 7 s`, `identify`, `fault REASON`.
public final class ConsolePanel: Panel {
    private let descriptor: Int32
    private var shown: PanelState?

    public convenience init() {
        self.init(descriptor: StandardStream.output.rawValue)
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    public let name = "console"
    public let fault: String? = nil
    public let deadline: Instant? = nil
    public func addDescriptors(to set: inout DescriptorSet) {}
    public func turn(at now: Instant) {}
    public func stop(at now: Instant) {}
    public let isStill = true

    public func show(_ content: PanelContent, at now: Instant) {
        guard content.state != shown else { return }
        shown = content.state
        var text = Self.line(for: content.state, at: now) + "\n"
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func line(for state: PanelState, at now: Instant) -> String {
        switch state {
        case .idle:
            return "idle"
        case .open(let end):
            return "open \(now.secondsLeft(until: end)) s"
        case .pin(let digits):
            var text = "PIN "
            for digit in digits { text += String(digit) }
            return text
        case .paired(let name):
            return "paired \(name.printable)"
        case .refused(let name, let reason):
            return "refused \(name.printable) \(reason.printable)"
        case .passkey(let digits):
            var text = "passkey "
            for digit in digits { text += String(digit) }
            return text
        case .locked(let end):
            return "locked \(now.secondsLeft(until: end)) s"
        case .forgetting(let time):
            return "forgetting in \(now.secondsLeft(until: time)) s"
        case .identify:
            return "identify"
        case .fault(let reason):
            return "fault \(reason.printable)"
        }
    }
}
