import LinuxBoard
import Ports
import Testing
import Wire

/// A panel starts, draws, fails, tries again and ends, whatever its display is.
struct DisplayPanelTests {
    /// Needs three steps for whatever is composed.
    private final class Slate: Display {
        let name = "slate"
        var fault: BoardFault?
        /// What finding a fault takes, in microseconds.
        var lost: UInt64 = 0
        let board: RecordingBoard
        var opened = 0
        var composed: [Scene] = []
        var stands: Scene?
        private var left = 0

        init(_ board: RecordingBoard) { self.board = board }

        func open() throws(BoardFault) {
            if let fault { throw fault }
            opened += 1
        }

        func close() { stands = nil }

        func compose(_ scene: Scene) -> Instant? {
            composed.append(scene)
            left = 3
            guard case .content(let content, _, let now) = scene, case .open = content.state else {
                return nil
            }
            return Instant(microseconds: now.microseconds + 1_000_000)
        }

        func step() throws(BoardFault) -> UInt32? {
            if let fault {
                board.now.microseconds += lost
                throw fault
            }
            if left == 0 { return nil }
            left -= 1
            if left == 0 { stands = composed.last }
            return 200
        }
    }

    private let board = RecordingBoard()
    private let slate: Slate
    private let panel: DisplayPanel

    init() {
        slate = Slate(board)
        panel = DisplayPanel(slate, clock: board, shortWait: board)
    }

    private func content(_ state: PanelState) -> PanelContent {
        PanelContent(state, name: "My Drone", connected: 0)
    }

    @Test func `it is blank until something is shown`() {
        board.run(panel, milliseconds: 10)
        #expect(slate.stands == .blank)
        #expect(panel.isStill)
        #expect(panel.deadline == nil)
    }

    @Test func `what does not change is not drawn again`() {
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 10)
        let composed = slate.composed.count
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 10)
        #expect(slate.composed.count == composed)
    }

    @Test func `a visible time is drawn once a second`() {
        board.run(panel, milliseconds: 10)
        let composed = slate.composed.count
        panel.show(content(.open(until: Instant(microseconds: 100_000_000))), at: board.now)
        board.run(panel, milliseconds: 3_500)
        #expect(slate.composed.count == composed + 4)
    }

    @Test func `a fault is named, tried again, and everything drawn anew`() {
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 10)
        slate.fault = .silent(bus: "/dev/i2c-1", address: 0x3c)
        panel.show(content(.paired("Phone")), at: board.now)
        board.run(panel, milliseconds: 10)
        #expect(panel.fault == "nothing answers at 0x3c on /dev/i2c-1")
        #expect(panel.isStill)
        board.run(panel, milliseconds: 20_000)
        slate.fault = nil
        board.run(panel, milliseconds: 10_000)
        #expect(panel.fault == nil)
        #expect(slate.opened == 2)
        guard case .content(let shown, _, _)? = slate.stands else {
            Issue.record("nothing stands")
            return
        }
        #expect(shown.state == .paired("Phone"))
    }

    @Test func `it tries every five seconds, later every thirty`() {
        slate.fault = .noChip("pinctrl-rp1")
        var tries: [UInt64] = []
        for _ in 0..<9 {
            board.now = panel.deadline!
            tries.append(board.now.microseconds / 1_000_000)
            board.now.microseconds = max(board.now.microseconds, 1)
            panel.turn(at: board.now)
        }
        #expect(zip(tries.dropFirst(), tries).map { $0 - $1 } == [5, 5, 5, 5, 5, 5, 30, 30])
    }

    @Test func `a bus that holds the loop gets a two-hundredth of the time`() {
        board.run(panel, milliseconds: 10)
        slate.fault = .stuck(bus: "/dev/i2c-1")
        slate.lost = 50_000
        panel.show(content(.identify), at: board.now)
        panel.turn(at: board.now)
        #expect(panel.deadline == board.now + .seconds(10))
        slate.fault = nil
        board.run(panel, milliseconds: 11_000)
        #expect(panel.fault == nil && slate.stands != nil)
    }

    @Test func `a display that rested is started anew before it shows something else`() {
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 9_000)
        panel.show(content(.open(until: Instant(microseconds: 100_000_000))), at: board.now)
        board.run(panel, milliseconds: 30_000)
        #expect(slate.opened == 1, "it does something each second")
        panel.show(content(.idle), at: board.now)
        board.run(panel, milliseconds: 11_000)
        // Unplugged and put back.
        slate.close()
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 10)
        #expect(slate.opened == 2 && slate.stands != nil)
        board.run(panel, milliseconds: 11_000)
        panel.stop(at: board.now)
        #expect(!panel.isStill)
        board.run(panel, milliseconds: 10)
        #expect(slate.stands == .blank && slate.opened == 3)
    }

    @Test func `a turn that comes late shortens no wait`() {
        panel.turn(at: board.now)
        let now = board.now
        board.now.microseconds += 5_000
        panel.turn(at: now)
        #expect(panel.deadline == Instant(microseconds: board.now.microseconds + 201))
    }

    @Test func `at the end it is blank`() {
        panel.show(content(.pin([1, 2, 3, 4, 5, 6])), at: board.now)
        board.run(panel, milliseconds: 10)
        panel.stop(at: board.now)
        #expect(!panel.isStill)
        board.run(panel, milliseconds: 10)
        #expect(panel.isStill)
        #expect(slate.stands == .blank)
    }
}
