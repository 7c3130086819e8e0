public import Ports
public import Wire

/// A panel for boards without one, and for scripts: standard output, the state's line per change.
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
        var text = content.state.line(at: now) + "\n"
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
