public import Ports
import Wire

/// A panel for boards without one, and for scripts: standard output, a line per change.
///
/// `idle`, `open 120 s`, `PIN 482913`, `paired NAME`, `refused NAME REASON`, `locked 64 s`.
public final class ConsolePanel: Panel {
    private let descriptor: Int32
    private var shown: PanelState?

    public convenience init() {
        self.init(descriptor: StandardStream.output.rawValue)
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    public func show(_ state: PanelState) {
        guard state != shown else { return }
        shown = state
        var text = line(for: state) + "\n"
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private func line(for state: PanelState) -> String {
        switch state {
        case .idle:
            return "idle"
        case .open(let seconds):
            return "open \(seconds) s"
        case .pin(let digits):
            var text = "PIN "
            for digit in digits { text += String(digit) }
            return text
        case .paired(let name):
            return "paired \(name.printable)"
        case .refused(let name, let reason):
            return "refused \(name.printable) \(reason.printable)"
        case .locked(let seconds):
            return "locked \(seconds) s"
        }
    }
}
