import LinuxBoard
import Ports
import Wire

/// A board without hardware: takes down what happens on its lines and buses, and when, in virtual time. Every use takes
/// its time: 5 µs for a line, on I2C nine bits for an octet at 100 kHz, on SPI eight at 1 MHz.
final class RecordingBoard: Wiring, Clock, ShortWait {
    /// A change of a line, as the kernel's own trace has it.
    struct Change: Equatable {
        var time: Instant
        var line: String
        var isHigh: Bool
    }

    struct Transfer: Equatable {
        var time: Instant
        var octets: [UInt8]
    }

    var now = Instant(microseconds: 1_000_000)
    let date: UInt64 = 0
    var changes: [Change] = []
    var transfers: [Transfer] = []
    private(set) var requests: [LineRequest] = []
    /// The longest that a turn of a panel took, in microseconds.
    private(set) var longestTurn: UInt64 = 0
    /// Thrown by whatever is tried, while it is there.
    var fault: BoardFault?
    /// Edges to be read, and levels of inputs.
    var edges: [LineEdge] = []
    var inputs: LineSet = []

    func lines(_ request: LineRequest) throws(BoardFault) -> any Lines {
        try check()
        requests.append(request)
        for line in request.lines {
            switch line.use {
            case .output(let isHigh), .openDrain(let isHigh): record(line.name, isHigh)
            case .input: break
            }
        }
        return RecordingLines(names: request.lines.map(\.name), board: self)
    }

    func i2cBus(_ path: String, address: UInt8) throws(BoardFault) -> any I2CBus {
        try check()
        return RecordingBus(board: self)
    }

    func spiBus(_ path: String, hertz: UInt32) throws(BoardFault) -> any SPIBus {
        try check()
        return RecordingBus(board: self)
    }

    func wait(microseconds: UInt32) { now.microseconds += UInt64(microseconds) }

    fileprivate func check() throws(BoardFault) {
        if let fault { throw fault }
    }

    fileprivate func record(_ name: LineName, _ isHigh: Bool) {
        now.microseconds += 5
        changes.append(Change(time: now, line: name.text, isHigh: isHigh))
    }

    fileprivate func record(_ octets: [UInt8], taking microseconds: Int) {
        now.microseconds += UInt64(microseconds)
        transfers.append(Transfer(time: now, octets: octets))
    }

    /// Turns the panel as the loop does, each time late by so much.
    func run(_ panel: DisplayPanel, milliseconds: UInt64, delay: UInt64 = 0) {
        let end = Instant(microseconds: now.microseconds + milliseconds * 1_000)
        while let deadline = panel.deadline, deadline < end {
            now = max(now, deadline)
            now.microseconds += delay
            let start = now
            panel.turn(at: now)
            longestTurn = max(longestTurn, now.microseconds - start.microseconds)
        }
        now = max(now, end)
    }
}

private final class RecordingLines: Lines {
    let descriptor: Int32 = -1
    private let names: [LineName]
    private let board: RecordingBoard

    init(names: [LineName], board: RecordingBoard) {
        self.names = names
        self.board = board
    }

    func set(_ lines: LineSet, high: LineSet) throws(BoardFault) {
        try board.check()
        for index in names.indices where lines.contains(.line(index)) {
            board.record(names[index], high.contains(.line(index)))
        }
    }

    func high() throws(BoardFault) -> LineSet {
        try board.check()
        return board.inputs
    }

    func nextEdge() throws(BoardFault) -> LineEdge? {
        try board.check()
        return board.edges.isEmpty ? nil : board.edges.removeFirst()
    }
}

private final class RecordingBus: I2CBus, SPIBus {
    private let board: RecordingBoard

    init(board: RecordingBoard) {
        self.board = board
    }

    func write(_ command: UInt8, _ octets: [UInt8]) throws(BoardFault) {
        try board.check()
        board.record([command] + octets, taking: (2 + octets.count) * 90)
    }

    func write(_ octets: [UInt8]) throws(BoardFault) {
        try board.check()
        board.record(octets, taking: octets.count * 8)
    }
}
