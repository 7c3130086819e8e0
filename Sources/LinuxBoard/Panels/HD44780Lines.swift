/// An HD44780 on six lines. R/W lies on ground: the display is never read.
public final class HD44780Lines: HD44780Connection {
    public struct Settings: Equatable, Sendable {
        public var chip: String
        public var registerSelect: LineName
        public var enable: LineName
        /// D4 to D7.
        public var data: [LineName]

        public init(chip: String, registerSelect: LineName, enable: LineName, data: [LineName]) {
            self.chip = chip
            self.registerSelect = registerSelect
            self.enable = enable
            self.data = data
        }
    }

    private static var registerSelect: LineSet { .line(0) }
    private static var enable: LineSet { .line(1) }
    private static var data: LineSet { [.line(2), .line(3), .line(4), .line(5)] }

    private let settings: Settings
    private let wiring: any Wiring
    private var lines: (any Lines)?

    init(_ settings: Settings, wiring: any Wiring) {
        precondition(settings.data.count == 4, "D4 to D7")
        self.settings = settings
        self.wiring = wiring
    }

    var place: String { settings.enable.text }

    func open() throws(BoardFault) {
        lines = nil
        var wanted: [LineRequest.Line] = []
        for line in [settings.registerSelect, settings.enable] + settings.data {
            wanted.append(LineRequest.Line(line, .output(isHigh: false)))
        }
        lines = try wiring.lines(
            LineRequest(chip: settings.chip, lines: wanted, consumer: "awared hd44780"))
    }

    func close() { lines = nil }

    func send(nibble: UInt8) throws(BoardFault) { try put(nibble, isText: false) }

    func send(_ octet: UInt8, isText: Bool) throws(BoardFault) {
        try put(octet >> 4, isText: isText)
        try put(octet & 15, isText: isText)
    }

    func light(_ isLit: Bool) {}

    /// The display takes the nibble when E falls. Each call of the system takes longer than the 450 ns that E has to
    /// be high and the 60 ns that RS has to stand before.
    private func put(_ nibble: UInt8, isText: Bool) throws(BoardFault) {
        guard let lines else { return }
        let high = LineSet(rawValue: UInt32(nibble & 15) << 2).union(isText ? Self.registerSelect : [])
        try lines.set(Self.data.union(Self.registerSelect), high: high)
        try lines.set(Self.enable, high: Self.enable)
        try lines.set(Self.enable, high: [])
    }
}
