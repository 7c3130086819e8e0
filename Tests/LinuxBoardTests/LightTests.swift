import Ports
import Testing
import Wire

@testable import LinuxBoard

struct LightTests {
    static func content(_ state: PanelState, connected: Int = 0) -> PanelContent {
        PanelContent(state, name: "My Drone", connected: connected)
    }

    static let contents: [PanelContent] = [
        content(.idle), content(.idle, connected: 1), content(.open(until: Instant(microseconds: 9_000_000))),
        content(.pin([1, 2, 3, 4, 5, 6])), content(.paired("Ada")),
        content(.refused("Ada", reason: "wrong PIN")),
        content(.locked(until: Instant(microseconds: 9_000_000))),
        content(.forgetting(at: Instant(microseconds: 9_000_000))), content(.identify),
        content(.fault("gone")),
    ]

    /// A light on a board without hardware, turned when it wants to be.
    struct Bench {
        let board = RecordingBoard()
        let panel: LightPanel
        private(set) var turns = 0

        init(_ place: LightWiring.Place, isActiveLow: Bool = false, language: LightWiring.Language = .states)
        {
            panel = LightPanel(
                LightWiring(
                    name: "status", chip: "chip", place: place, isActiveLow: isActiveLow, language: language),
                on: board)
        }

        mutating func run(milliseconds: UInt64) {
            let end = Instant(microseconds: board.now.microseconds + milliseconds * 1000)
            while let deadline = panel.deadline, deadline <= end {
                board.now = max(board.now, deadline)
                turns += 1
                panel.turn(at: board.now)
            }
            board.now = end
        }

        mutating func show(_ state: PanelState, connected: Int = 0, milliseconds: UInt64) {
            panel.show(LightTests.content(state, connected: connected), at: board.now)
            run(milliseconds: milliseconds)
        }

        /// For how many milliseconds the first line was high and low in turn, from its first change on.
        var spans: [UInt64] {
            let changes = board.changes.filter { $0.line == board.changes[0].line }
            return zip(changes, changes.dropFirst()).map {
                $1.time.microseconds(since: $0.time) / 1000
            }
        }
    }

    @Test func `a light that shows what stands wakes nobody`() {
        var bench = Bench(.one(.name("GPIO5")))
        bench.show(.idle, milliseconds: 10)
        #expect(bench.panel.deadline == nil)
        bench.show(.idle, connected: 1, milliseconds: 60_000)
        #expect(bench.panel.deadline == nil && bench.turns <= 3)
        #expect(bench.board.changes.map(\.isHigh) == [false, false, true])
    }

    @Test func `a blinking light wakes for its changes alone`() {
        var bench = Bench(.one(.name("GPIO5")))
        bench.show(.open(until: Instant(microseconds: 0)), milliseconds: 10_500)
        #expect((10...12).contains(bench.turns))
        let after = bench.board.changes.count
        bench.show(.open(until: Instant(microseconds: 9)), milliseconds: 0)
        #expect(bench.board.changes.count == after, "the same pattern goes on")
    }

    @Test func `each state can be told from the others without colours`() {
        let rhythms = Self.contents.map { content in
            LightPattern.steps(of: content).map { "\($0.color != .off) \($0.milliseconds)" }
        }
        // A light that stands on says that a phone is connected, or that one has just paired.
        #expect(Set(rhythms).count == rhythms.count - 1)
    }

    @Test func `three lines show colours, and a light that is active low is dark while high`() {
        var bench = Bench(
            .colors(red: .name("R"), green: .name("G"), blue: .name("B")), isActiveLow: true)
        bench.show(.paired("Ada"), milliseconds: 10)
        let last = ["R", "G", "B"].map { line in bench.board.changes.last { $0.line == line }?.isHigh }
        #expect(last == [true, false, true])
        bench.panel.stop(at: bench.board.now)
        #expect(!bench.panel.isStill)
        bench.run(milliseconds: 1)
        let dark = ["R", "G", "B"].map { line in bench.board.changes.last { $0.line == line }?.isHigh }
        #expect(dark == [true, true, true] && bench.panel.isStill)
    }

    /// Reads a blink code as a person does who was told the rules and not how it is made.
    static func read(_ spans: [UInt64]) -> [[Int]] {
        var codes: [[Int]] = []
        var blinks = 0
        for (on, off) in stride(from: 0, to: spans.count - 1, by: 2).map({ (spans[$0], spans[$0 + 1]) }) {
            if on < 150 {
                if off > 1_800 { codes.append([]) }
                continue
            }
            guard !codes.isEmpty else { continue }
            if on > 1_000 {
                codes[codes.count - 1].append(0)
            } else {
                blinks += 1
                if off > 1_000 {
                    codes[codes.count - 1].append(blinks)
                    blinks = 0
                }
            }
        }
        return codes
    }

    @Test(
        arguments: [[4, 8, 2, 9, 1, 3], [0, 0, 0, 0, 0, 0], [9, 9, 9, 9, 9, 9], [1, 0, 1, 0, 0, 1]]
            as [[UInt8]])
    func `the PIN can be read off the light within the time of an attempt`(_ pin: [UInt8]) {
        var bench = Bench(.one(.name("GPIO5")), language: .digits)
        bench.show(.idle, milliseconds: 10)
        bench.board.changes = []
        bench.show(.pin(pin), milliseconds: 100_000)
        let codes = Self.read(bench.spans)
        #expect(codes.count >= 2 && codes[0] == pin.map { Int($0) } && codes[0] == codes[1])
        let length = BlinkCode.steps(of: pin).reduce(0) { $0 + $1.milliseconds }
        #expect(length < 40_000)
    }

    @Test func `the PIN is gone from the light at once`() {
        var bench = Bench(.one(.name("GPIO5")), language: .digits)
        bench.show(.pin([1, 2, 3, 4, 5, 6]), milliseconds: 5_000)
        bench.show(.idle, milliseconds: 1)
        #expect(bench.board.changes.last?.isHigh == false && bench.panel.deadline == nil)
    }

    @Test func `a line that is held by another is a fault, and tried again until it is free`() {
        var bench = Bench(.one(.name("GPIO5")))
        bench.board.fault = .lineHeld("GPIO5", by: "gpiomon")
        bench.show(.idle, connected: 1, milliseconds: 12_000)
        #expect(bench.panel.fault == "line GPIO5 is held by gpiomon" && bench.turns == 3)
        #expect(bench.panel.isStill)
        bench.board.fault = nil
        bench.run(milliseconds: 6_000)
        #expect(bench.panel.fault == nil && bench.board.changes.last?.isHigh == true)
    }
}

struct BoardButtonsTests {
    private func buttons(on board: RecordingBoard) -> BoardButtons {
        BoardButtons(
            [
                ButtonWiring(
                    name: "pairing", chip: "chip", line: .name("GPIO17"), isActiveLow: true,
                    settings: ButtonSettings())
            ], on: board)
    }

    private func presses(_ buttons: BoardButtons, _ board: RecordingBoard, milliseconds: UInt64)
        -> [ButtonPress]
    {
        var presses: [ButtonPress] = []
        let end = Instant(microseconds: board.now.microseconds + milliseconds * 1000)
        while let press = buttons.nextPress(at: board.now) { presses.append(press) }
        while let deadline = buttons.deadline, deadline <= end {
            board.now = max(board.now, deadline)
            while let press = buttons.nextPress(at: board.now) { presses.append(press) }
        }
        board.now = end
        return presses
    }

    @Test func `a button between a line and ground: low is pressed`() {
        let board = RecordingBoard()
        board.inputs = .line(0)
        let buttons = buttons(on: board)
        #expect(presses(buttons, board, milliseconds: 1_000) == [])
        #expect(
            board.requests.first?.lines == [
                .init(.name("GPIO17"), .input(.pullUp, debounce: .milliseconds(25)))
            ])
        board.edges = [LineEdge(line: 0, isRising: false, time: board.now)]
        board.inputs = []
        #expect(presses(buttons, board, milliseconds: 200) == [])
        board.edges = [LineEdge(line: 0, isRising: true, time: board.now)]
        board.inputs = .line(0)
        #expect(presses(buttons, board, milliseconds: 200) == [.short])
        #expect(buttons.deadline == nil && buttons.fault == nil)
    }

    @Test func `a line that is held by another is a named fault, until it is free`() {
        let board = RecordingBoard()
        board.inputs = .line(0)
        board.fault = .lineHeld("GPIO17", by: "gpiomon")
        let buttons = buttons(on: board)
        #expect(presses(buttons, board, milliseconds: 1_000) == [])
        #expect(buttons.fault == "pairing: line GPIO17 is held by gpiomon")
        board.fault = nil
        #expect(presses(buttons, board, milliseconds: 6_000) == [])
        #expect(buttons.fault == nil)
    }

    @Test func `a line that changes all the time is let go, and presses nothing until it is quiet`() {
        let board = RecordingBoard()
        board.inputs = .line(0)
        let buttons = buttons(on: board)
        _ = presses(buttons, board, milliseconds: 100)
        /// Ten changes, a fifth of a second in all.
        func oscillate() -> [ButtonPress] {
            var found: [ButtonPress] = []
            for number in 0..<10 {
                board.inputs = number % 2 == 0 ? [] : .line(0)
                board.edges.append(LineEdge(line: 0, isRising: number % 2 == 1, time: board.now))
                found += presses(buttons, board, milliseconds: 20)
            }
            return found
        }
        _ = oscillate()
        #expect(buttons.fault == nil, "a finger in a hurry")
        _ = oscillate()
        _ = oscillate()
        let fault = "pairing: line GPIO17 changes all the time: is something loose?"
        #expect(buttons.fault == fault)
        var set = DescriptorSet()
        buttons.addDescriptors(to: &set)
        #expect(set.interests.isEmpty, "nobody wakes for it")
        board.edges = []
        #expect(presses(buttons, board, milliseconds: 5_000) == [])
        #expect(buttons.fault == fault && board.requests.count == 2, "it is looked at again")
        #expect(oscillate() == [] && oscillate() == [] && oscillate() == [])
        #expect(buttons.fault == fault)
        board.edges = []
        #expect(presses(buttons, board, milliseconds: 7_000) == [])
        #expect(buttons.fault == nil, "it was quiet for a second")
        #expect(board.requests.count == 3)
    }

    @Test func `a button that is pressed at the start is a fault and no press`() {
        let board = RecordingBoard()
        let buttons = buttons(on: board)
        #expect(presses(buttons, board, milliseconds: 60_000) == [])
        #expect(buttons.fault?.hasPrefix("pairing: pressed all the time") == true)
        board.edges = [LineEdge(line: 0, isRising: true, time: board.now)]
        board.inputs = .line(0)
        #expect(presses(buttons, board, milliseconds: 1_000) == [])
        #expect(buttons.fault == nil)
    }
}
