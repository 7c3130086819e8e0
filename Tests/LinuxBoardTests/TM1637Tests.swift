import Ports
import Testing
import Wire

@testable import LinuxBoard

/// What a TM1637 makes of its two lines.
struct TM1637Tests {
    private let board = RecordingBoard()

    private func panel(_ registers: [UInt8], halfClock: UInt32 = 75) -> DisplayPanel {
        let settings = TM1637.Settings(
            chip: "pinctrl-bcm2835", clock: .name("GPIO23"), data: .name("GPIO24"), registers: registers,
            halfClock: halfClock, brightness: 5)
        return DisplayPanel(TM1637(settings, wiring: board), clock: board, shortWait: board)
    }

    private var decoded: TM1637Decoder {
        var decoder = TM1637Decoder(clock: "GPIO23", data: "GPIO24")
        decoder.feed(board.changes)
        return decoder
    }

    private func content(_ state: PanelState, connected: Int = 0) -> PanelContent {
        PanelContent(state, name: "My Drone", connected: connected)
    }

    /// What was readable, in turn, with the module's digits in their places.
    private func texts(_ registers: [UInt8]) -> [String] {
        decoded.seen.map { seen in SevenSegmentReader.text(registers.map { seen[Int($0)] }) }
    }

    @Test func `six digits are shown exactly`() {
        let registers: [UInt8] = [2, 1, 0, 5, 4, 3]
        let panel = panel(registers)
        panel.show(content(.pin([4, 8, 2, 9, 1, 3])), at: board.now)
        board.run(panel, milliseconds: 200)
        #expect(texts(registers).last == "482913")
        #expect(decoded.brightness == 5)
        #expect(decoded.isOn)
        #expect(decoded.complaints == [])
        #expect(panel.isStill && panel.deadline == nil)
        #expect(
            board.requests.first?.lines.map(\.use) == [.openDrain(isHigh: true), .openDrain(isHigh: true)])
    }

    @Test func `all digits are told apart`() {
        let registers: [UInt8] = [0, 1, 2, 3, 4, 5]
        let panel = panel(registers)
        for pin: [UInt8] in [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 0, 0], [0, 0, 0, 0, 0, 0]] {
            panel.show(content(.pin(pin)), at: board.now)
            board.run(panel, milliseconds: 200)
            #expect(texts(registers).last == pin.map(String.init).joined())
        }
        #expect(decoded.complaints == [])
    }

    @Test func `four digits show six in two halves, each marked`() {
        let panel = panel(TM1637.Settings.fourDigits)
        board.run(panel, milliseconds: 200)
        panel.show(content(.pin([4, 8, 2, 9, 1, 3])), at: board.now)
        board.run(panel, milliseconds: 9_100)
        let shown = texts(TM1637.Settings.fourDigits).filter { $0 != "    " }
        #expect(shown == ["482-", "-913", "482-", "-913"])
        #expect(texts(TM1637.Settings.fourDigits).suffix(3) == ["482-", "-913", "    "])
    }

    @Test func `whatever stood there is switched off before anything is shown`() {
        let panel = panel(TM1637.Settings.sixDigits)
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 200)
        #expect(decoded.seen.first == [0, 0, 0, 0, 0, 0])
        #expect(decoded.seen.count == 2)
    }

    @Test func `at the end it is dark`() {
        let panel = panel(TM1637.Settings.sixDigits)
        panel.show(content(.pin([1, 1, 1, 1, 1, 1])), at: board.now)
        board.run(panel, milliseconds: 200)
        panel.stop(at: board.now)
        board.run(panel, milliseconds: 200)
        #expect(!decoded.isOn)
        #expect(decoded.registers == [0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: [UInt32(10), 75, 100], [UInt64(0), 130, 5_000])
    func `levels stand for a half clock, however late the turns are`(halfClock: UInt32, delay: UInt64) {
        let panel = panel(TM1637.Settings.sixDigits, halfClock: halfClock)
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 3_000, delay: delay)
        #expect(texts(TM1637.Settings.sixDigits).last == "123456")
        #expect(decoded.shortestClock >= UInt64(halfClock))
        #expect(decoded.shortestSetup >= UInt64(halfClock))
        #expect(board.longestTurn <= 2_000)
    }

    @Test func `what is shown meanwhile wins`() {
        let panel = panel(TM1637.Settings.sixDigits)
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 30)
        panel.show(content(.paired("Phone")), at: board.now)
        board.run(panel, milliseconds: 200)
        #expect(texts(TM1637.Settings.sixDigits).last == "donE  ")
        #expect(decoded.complaints == [])
    }

    @Test func `a PIN is gone within a tenth of a second`() {
        let panel = panel(TM1637.Settings.sixDigits, halfClock: 100)
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 200)
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 100)
        #expect(texts(TM1637.Settings.sixDigits).last == "     -")
    }

    @Test func `a line that another holds is a fault, and later drawn`() {
        board.fault = .lineHeld("GPIO23", by: "leds")
        let panel = panel(TM1637.Settings.sixDigits)
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 100)
        #expect(panel.fault == "line GPIO23 is held by leds")
        board.fault = nil
        board.run(panel, milliseconds: 6_000)
        #expect(panel.fault == nil)
        #expect(texts(TM1637.Settings.sixDigits).last == "     -")
    }
}
