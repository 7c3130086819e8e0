public import Ports
public import Wire

/// A panel that remembers what it showed.
public final class RecordedPanel: Panel {
    public private(set) var states: [PanelState] = []

    public init() {}

    public let name = "recorded"
    public var fault: String?
    public let deadline: Instant? = nil
    public func addDescriptors(to set: inout DescriptorSet) {}
    public func turn(at now: Instant) {}
    public func stop(at now: Instant) {
        if states.last != .idle { states.append(.idle) }
    }
    public let isStill = true

    public func show(_ content: PanelContent, at now: Instant) {
        if content.state != states.last { states.append(content.state) }
    }

    /// The PIN that is shown now. Nil where another thing is.
    public var pin: [UInt8]? {
        guard case .pin(let digits) = states.last else { return nil }
        return digits
    }
}

/// Buttons that a test presses.
public final class ScriptedButtons: Buttons {
    private var presses: [(time: Instant, press: ButtonPress)] = []
    public var fault: String?

    public init() {}

    /// Has a press happen at that time, behind those before.
    public func press(_ press: ButtonPress, at time: Instant) {
        presses.append((time, press))
    }

    public var deadline: Instant? { presses.first?.time }
    public func addDescriptors(to set: inout DescriptorSet) {}

    public func nextPress(at now: Instant) -> ButtonPress? {
        guard let first = presses.first, first.time <= now else { return nil }
        presses.removeFirst()
        return first.press
    }
}

/// A journal that can be read.
public final class RecordedJournal: Journal {
    public struct Entry: Equatable, Sendable {
        public var importance: Importance
        public var line: String
    }

    public private(set) var entries: [Entry] = []
    /// Beyond so many the oldest are forgotten.
    private static let limit = 10_000

    public init() {}

    public func write(_ importance: Importance, _ line: String) {
        if entries.count == Self.limit { entries.removeFirst(Self.limit / 2) }
        entries.append(Entry(importance: importance, line: line))
    }
}
