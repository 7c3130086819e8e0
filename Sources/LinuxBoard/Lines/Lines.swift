public import Wire

/// Lines of a GPIO chip that this program has for itself. They are given back with the last reference.
public protocol Lines: AnyObject {
    /// Readable while there is an edge to be read; for the loop's `DescriptorSet`.
    var descriptor: Int32 { get }
    /// Drives some of the lines at once: those in `high` high, the others low.
    func set(_ lines: LineSet, high: LineSet) throws(BoardFault)
    /// Which of all lines are high.
    func high() throws(BoardFault) -> LineSet
    /// The next change of an input, oldest first; nil when there is none for now.
    func nextEdge() throws(BoardFault) -> LineEdge?
}

/// Lines of one request, by their place in it.
public struct LineSet: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter index: 0 … 31.
    public static func line(_ index: Int) -> LineSet { LineSet(rawValue: 1 << UInt32(index)) }
}

public struct LineEdge: Equatable, Sendable {
    /// Its place in the request.
    public var line: Int
    public var isRising: Bool
    /// When the kernel saw it.
    public var time: Instant

    public init(line: Int, isRising: Bool, time: Instant) {
        self.line = line
        self.isRising = isRising
        self.time = time
    }
}

/// Which lines a program wants, and how.
public struct LineRequest: Equatable, Sendable {
    /// The chip's label, as in `pinctrl-bcm2835`, or its path, as in `/dev/gpiochip0`.
    public var chip: String
    /// At most 32.
    public var lines: [Line]
    /// What others are told who want one of the lines.
    public var consumer: String

    public init(chip: String, lines: [Line], consumer: String) {
        self.chip = chip
        self.lines = lines
        self.consumer = consumer
    }

    public struct Line: Equatable, Sendable {
        public var name: LineName
        public var use: LineUse

        public init(_ name: LineName, _ use: LineUse) {
            self.name = name
            self.use = use
        }
    }
}

/// A line of a chip.
public enum LineName: Hashable, Sendable {
    /// As the board names it, as in `GPIO23`.
    case name(String)
    /// Its number on the chip.
    case offset(UInt32)

    public var text: String {
        switch self {
        case .name(let name): name
        case .offset(let offset): "\(offset)"
        }
    }
}

public enum LineUse: Equatable, Sendable {
    case output(isHigh: Bool)
    /// Pulls low, or lets go: something else pulls high.
    case openDrain(isHigh: Bool)
    /// A watched one. A level that lasts shorter than `debounce` is none.
    case input(LineBias, debounce: TimeUnits)
}

public enum LineBias: Equatable, Sendable {
    case asIs
    case pullUp
    case pullDown
}
