import LinuxBoard
import Ports
import Testing
import Wire

/// What a MAX7219 makes of its bus.
struct MAX7219Tests {
    private let board = RecordingBoard()
    private let panel: DisplayPanel

    init() {
        panel = DisplayPanel(
            MAX7219(MAX7219.Settings(bus: "/dev/spidev0.0", brightness: 3), wiring: board), clock: board,
            shortWait: board)
    }

    private var decoded: MAX7219Decoder {
        var decoder = MAX7219Decoder()
        decoder.feed(board.transfers.map(\.octets))
        return decoder
    }

    private func show(_ state: PanelState) {
        panel.show(PanelContent(state, name: "My Drone", connected: 0), at: board.now)
        board.run(panel, milliseconds: 20)
    }

    @Test func `it is started dark and cleared, whatever stood there`() {
        board.run(panel, milliseconds: 20)
        #expect(decoded.seen.first == "dark")
        #expect(decoded.digits == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(decoded.decoding == 0 && decoded.scanLimit == 7 && decoded.intensity == 3)
        #expect(!decoded.isTesting && !decoded.isOn)
    }

    @Test func `six digits are shown exactly, and a passkey with its name`() {
        show(.pin([0, 1, 2, 3, 4, 5]))
        #expect(decoded.seen.last == "  012345")
        show(.pin([6, 7, 8, 9, 9, 0]))
        #expect(decoded.seen.last == "  678990")
        show(.passkey([1, 0, 4, 7, 1, 1]))
        #expect(decoded.seen.last == "bt104711")
        #expect(decoded.complaints == [])
        #expect(board.longestTurn <= 2_000)
    }

    @Test func `only digits that differ are written`() {
        show(.pin([1, 1, 1, 1, 1, 1]))
        let count = board.transfers.count
        show(.pin([1, 1, 1, 1, 1, 2]))
        #expect(board.transfers.count == count + 1)
    }

    @Test func `at the end it is dark and empty`() {
        show(.pin([1, 1, 1, 1, 1, 1]))
        panel.stop(at: board.now)
        board.run(panel, milliseconds: 20)
        #expect(!decoded.isOn)
        #expect(decoded.digits == [0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a bus that fails is a fault, and later everything is written anew`() {
        show(.pin([1, 2, 3, 4, 5, 6]))
        board.fault = .system("write to /dev/spidev0.0", -19)
        show(.pin([6, 5, 4, 3, 2, 1]))
        #expect(panel.fault == "write to /dev/spidev0.0: No such device")
        board.fault = nil
        board.transfers = []
        board.run(panel, milliseconds: 6_000)
        #expect(decoded.seen == ["dark", "  654321"])
    }
}
