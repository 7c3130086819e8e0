public import Wire

/// Something that the one loop of the program waits for.
///
/// The loop collects all descriptors and the earliest deadline, waits once, and then turns everyone.
public protocol EventSource: AnyObject {
    /// When it wants a turn even if no descriptor is ready. Nil for never.
    var deadline: Instant? { get }
    /// Adds what it waits for now; called before each wait.
    func addDescriptors(to set: inout DescriptorSet)
}

/// The file descriptors that a program waits for, filled anew before each wait.
public struct DescriptorSet {
    /// What is waited for at one descriptor.
    public struct Interest: Sendable {
        public var descriptor: Int32
        public var readable: Bool
        public var writable: Bool
    }

    /// In the order in which they were added; one descriptor may be there twice.
    public private(set) var interests: [Interest] = []

    public init() {}

    /// Waits until there is something to read, unless that is not asked for, or, where asked, room to write.
    public mutating func add(_ descriptor: Int32, readable: Bool = true, writable: Bool = false) {
        interests.append(Interest(descriptor: descriptor, readable: readable, writable: writable))
    }

    /// Empties the set, keeping its memory.
    public mutating func removeAll() {
        interests.removeAll(keepingCapacity: true)
    }
}

/// An event source that is turned by the loop itself; radios are turned by the agent that owns them.
public protocol Turnable: EventSource {
    /// Does what is due at `now`, without waiting.
    func turn(at now: Instant)
}

/// The time that never jumps, and the calendar's.
public protocol Clock: AnyObject {
    var now: Instant { get }
    /// Seconds since 1970.
    var date: UInt64 { get }
}
