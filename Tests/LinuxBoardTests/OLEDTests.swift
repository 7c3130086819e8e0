import Foundation
import LinuxBoard
import Ports
import Testing
import Wire

/// What an OLED controller makes of its bus, against the pictures in Tests/Vectors/panels.
struct OLEDTests {
    private let board = RecordingBoard()

    private func panel(_ controller: OLED.Controller, _ height: Int) -> DisplayPanel {
        DisplayPanel(
            OLED(
                OLED.Settings(controller, height: height, bus: "/dev/i2c-1", brightness: 200), wiring: board),
            clock: board, shortWait: board)
    }

    private func show(
        _ state: PanelState, connected: Int = 0, on panel: DisplayPanel, milliseconds: UInt64 = 400
    ) {
        panel.show(PanelContent(state, name: "My Drone", connected: connected), at: board.now)
        board.run(panel, milliseconds: milliseconds)
    }

    private func decoded(_ controller: OLEDDecoder.Controller) -> OLEDDecoder {
        var decoder = OLEDDecoder(controller)
        decoder.feed(board.transfers.map(\.octets))
        #expect(decoder.complaints == [])
        return decoder
    }

    /// The rows of a PBM file, zeros and ones.
    private func golden(_ name: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/panels/\(name).pbm")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return lines.dropFirst(2).map(String.init)
    }

    /// A picture that is another is left in the temporary directory.
    private func expect(_ picture: [String], is name: String) throws {
        let isSame = (try? golden(name)) == picture
        if !isSame {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).pbm")
            let text = (["P1", "128 \(picture.count)"] + picture).joined(separator: "\n") + "\n"
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(isSame, "\(name) is in the temporary directory")
    }

    private static func states(_ now: Instant) -> [(String, PanelState)] {
        let later = Instant(microseconds: now.microseconds + 120_000_000)
        return [
            ("idle", .idle), ("open", .open(until: later)), ("pin", .pin([4, 8, 2, 9, 1, 3])),
            ("passkey", .passkey([1, 0, 4, 7, 5, 6])), ("paired", .paired("Ada's phone")),
            ("refused", .refused("Ada's phone", reason: "wrong PIN")), ("locked", .locked(until: later)),
            ("forgetting", .forgetting(at: later)), ("identify", .identify),
            ("fault", .fault("radio phy0: switched off by rfkill")),
        ]
    }

    @Test(arguments: [64, 32]) func `every state is drawn as its picture`(height: Int) throws {
        for (name, state) in Self.states(Instant(microseconds: 1_000_000)) {
            let board = RecordingBoard()
            let panel = DisplayPanel(
                OLED(OLED.Settings(.ssd1306, height: height, bus: "/dev/i2c-1"), wiring: board), clock: board,
                shortWait: board)
            panel.show(PanelContent(state, name: "My Drone", connected: 1), at: board.now)
            board.run(panel, milliseconds: 240)
            var decoder = OLEDDecoder(.ssd1306)
            decoder.feed(board.transfers.map(\.octets))
            #expect(decoder.complaints == [])
            #expect(decoder.isOn && decoder.rows == height)
            try expect(decoder.picture, is: "\(name)-\(height)")
            #expect(board.longestTurn <= 2_000)
        }
    }

    @Test(arguments: [64, 32]) func `an SH1106 shows the same`(height: Int) throws {
        let panel = panel(.sh1106, height)
        show(.pin([4, 8, 2, 9, 1, 3]), on: panel)
        let decoder = decoded(.sh1106)
        #expect(decoder.picture == (try golden("pin-\(height)")))
        #expect(decoder.isOn && decoder.contrast == 200)
        #expect(decoder.isTurned == (true, true))
    }

    @Test func `it is off until it is cleared, whatever stood there`() {
        let panel = panel(.ssd1306, 64)
        board.run(panel, milliseconds: 400)
        let decoder = decoded(.ssd1306)
        #expect(!decoder.isOn && decoder.switchedOn.isEmpty)
        #expect(decoder.picture.allSatisfy { !$0.contains("1") })
        #expect(board.transfers.first?.octets == [0x00, 0xae])
    }

    @Test func `only what changed is sent`() {
        let panel = panel(.ssd1306, 64)
        show(.pin([4, 8, 2, 9, 1, 3]), on: panel)
        let whole = board.transfers.count
        show(.pin([4, 8, 2, 9, 1, 4]), on: panel)
        #expect(board.transfers.count - whole <= 16)
        #expect(panel.deadline == nil)
    }

    @Test func `a time is drawn once a second`() {
        let panel = panel(.ssd1306, 64)
        show(.open(until: Instant(microseconds: 60_000_000)), on: panel)
        let pictures = (0..<5).map { _ in
            board.run(panel, milliseconds: 1_000)
            return decoded(.ssd1306).picture
        }
        #expect(Set(pictures).count == 5)
    }

    @Test func `to be identified it is inverted twice a second`() {
        let panel = panel(.ssd1306, 64)
        show(.identify, on: panel, milliseconds: 200)
        let first = decoded(.ssd1306).picture
        board.run(panel, milliseconds: 240)
        #expect(decoded(.ssd1306).picture == first.map { String($0.map { $0 == "1" ? "0" : "1" }) })
    }

    @Test func `a PIN is gone within half a second, and at the end it is off`() {
        let panel = panel(.ssd1306, 64)
        show(.pin([4, 8, 2, 9, 1, 3]), on: panel)
        panel.stop(at: board.now)
        board.run(panel, milliseconds: 500)
        let decoder = decoded(.ssd1306)
        #expect(!decoder.isOn)
        #expect(decoder.picture.allSatisfy { !$0.contains("1") })
    }

    @Test func `a silent address is a fault, and later everything is drawn anew`() throws {
        let panel = panel(.ssd1306, 64)
        show(.idle, on: panel)
        board.fault = .silent(bus: "/dev/i2c-1", address: 0x3c)
        show(.pin([4, 8, 2, 9, 1, 3]), on: panel)
        #expect(panel.fault == "nothing answers at 0x3c on /dev/i2c-1")
        board.fault = nil
        board.transfers = []
        board.run(panel, milliseconds: 6_000)
        #expect(panel.fault == nil)
        #expect(decoded(.ssd1306).picture == (try golden("pin-64")))
    }
}
