import LinuxBoard
import Ports
import Testing
import Wire

/// What an HD44780 makes of its pins, and of a PCF8574's octets.
struct HD44780Tests {
    private let board = RecordingBoard()
    private static let lines = ["GPIO7", "GPIO8", "GPIO25", "GPIO26", "GPIO27", "GPIO22"]

    private func onLines(_ size: HD44780.Size) -> DisplayPanel {
        let names = Self.lines.map(LineName.name)
        let settings = HD44780Lines.Settings(
            chip: "pinctrl-bcm2835", registerSelect: names[0], enable: names[1], data: Array(names[2...]))
        return DisplayPanel(
            HD44780(size, on: .lines(settings), wiring: board), clock: board, shortWait: board)
    }

    private func onBus(_ size: HD44780.Size) -> DisplayPanel {
        DisplayPanel(
            HD44780(size, on: .i2c(PCF8574.Settings(bus: "/dev/i2c-1")), wiring: board), clock: board,
            shortWait: board)
    }

    private func show(_ state: PanelState, connected: Int = 0, on panel: DisplayPanel) {
        panel.show(PanelContent(state, name: "My Drone", connected: connected), at: board.now)
        board.run(panel, milliseconds: 200)
    }

    private func decoded() -> HD44780Decoder {
        var decoder = HD44780Decoder(powered: Instant(microseconds: 1_000_000))
        decoder.feed(board.changes, lines: Self.lines)
        decoder.feed(expander: board.transfers)
        #expect(decoder.complaints == [])
        return decoder
    }

    private func rows(_ size: HD44780.Size) -> [String] {
        let decoder = decoded()
        return size == .columns16rows2
            ? (0..<2).map { decoder.row($0, columns: 16) } : (0..<4).map { decoder.row($0, columns: 20) }
    }

    @Test(arguments: [UInt64(0), 3_000]) func `six digits are shown exactly, on lines`(delay: UInt64) {
        let panel = onLines(.columns16rows2)
        panel.show(
            PanelContent(.pin([4, 8, 2, 9, 1, 3]), name: "My Drone", connected: 0), at: board.now)
        board.run(panel, milliseconds: 500, delay: delay)
        #expect(rows(.columns16rows2) == ["My Drone        ", "PIN 482913      "])
        #expect(decoded().isOn)
        #expect(panel.deadline == nil)
        #expect(board.longestTurn <= 2_000)
    }

    @Test func `six digits are shown exactly, behind a PCF8574, with its light`() {
        let panel = onBus(.columns16rows2)
        show(.pin([0, 0, 7, 5, 6, 3]), on: panel)
        #expect(rows(.columns16rows2) == ["My Drone        ", "PIN 007563      "])
        #expect(decoded().isLit)
        #expect(board.longestTurn <= 2_000)
    }

    @Test func `two rows tell every state`() {
        let panel = onLines(.columns16rows2)
        let now = board.now
        let later = Instant(microseconds: now.microseconds + 60_000_000)
        let states: [(PanelState, String, String)] = [
            (.idle, "My Drone", "ready"),
            (.open(until: later), "My Drone", "pairing 60 s"),
            (.pin([1, 2, 3, 4, 5, 6]), "My Drone", "PIN 123456"),
            (.passkey([1, 0, 4, 7, 1, 1]), "My Drone", "BT 104711"),
            (.paired("Jürgen's \\phone~"), "paired", "J?rgen's /phone-"),
            (.refused("Phone", reason: "wrong PIN"), "refused", "wrong PIN, Phone"),
            (.locked(until: later), "My Drone", "locked 59 s"),
            (.forgetting(at: later), "forget all: 59 s", "release to keep"),
            (.identify, "My Drone", "this one"),
            (.fault("the radio is switched off"), "fault", "the radio is swi"),
        ]
        for (state, first, second) in states {
            show(state, on: panel)
            #expect(rows(.columns16rows2) == [first, second].map { $0.padding(to: 16) })
        }
        show(.idle, connected: 2, on: panel)
        #expect(rows(.columns16rows2)[1] == "2 connected     ")
    }

    @Test func `four rows tell more`() {
        let panel = onBus(.columns20rows4)
        board.run(panel, milliseconds: 200)
        #expect(!decoded().isOn)
        show(.fault("the radio is switched off by a button"), on: panel)
        #expect(
            rows(.columns20rows4) == [
                "My Drone            ", "fault               ", "the radio is switche",
                "d off by a button   ",
            ])
        show(.pin([4, 8, 2, 9, 1, 3]), on: panel)
        #expect(
            Array(rows(.columns20rows4)[1...]) == ["PIN 482913          "] + [String](repeating: " ", 20, 2))
    }

    @Test func `at the end it is empty and off`() {
        let panel = onBus(.columns16rows2)
        show(.pin([1, 2, 3, 4, 5, 6]), on: panel)
        panel.stop(at: board.now)
        board.run(panel, milliseconds: 200)
        #expect(!decoded().isOn)
        #expect(rows(.columns16rows2) == [String](repeating: " ", 16, 2))
        #expect(!decoded().isLit)
    }

    @Test func `a silent bus is a fault, and later everything is written anew`() {
        let panel = onBus(.columns16rows2)
        show(.pin([1, 2, 3, 4, 5, 6]), on: panel)
        board.fault = .silent(bus: "/dev/i2c-1", address: 0x27)
        show(.pin([6, 5, 4, 3, 2, 1]), on: panel)
        #expect(panel.fault == "nothing answers at 0x27 on /dev/i2c-1")
        board.fault = nil
        board.transfers = []
        board.run(panel, milliseconds: 6_000)
        #expect(panel.fault == nil)
        #expect(rows(.columns16rows2) == ["My Drone        ", "PIN 654321      "])
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: width - count)
    }
}

extension [String] {
    fileprivate init(repeating text: String, _ width: Int, _ count: Int) {
        self.init(repeating: String(repeating: text, count: width), count: count)
    }
}
