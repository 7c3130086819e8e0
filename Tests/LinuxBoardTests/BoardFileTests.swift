import Foundation
import LinuxBoard
import LinuxHost
import Ports
import Testing
import Wire

struct BoardFileTests {
    private func read(_ text: String) throws -> BoardConfiguration {
        let path = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID()).conf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        return try BoardConfiguration(try readConfiguration(path), file: "board.conf")
    }

    /// What is said of a file, with the board's own lines before it.
    private func mistake(_ text: String, in board: String = Self.board) -> String {
        do throws {
            _ = try read(board + text)
            return "it is right"
        } catch { return "\(error)" }
    }

    private static let board = """
        [board]
        name = Board
        gpio-chip = pinctrl-bcm2711
        lines = GPIO0-GPIO27
        [bus /dev/i2c-1]
        lines = GPIO2 GPIO3
        [reserved the board's identification]
        lines = GPIO0 GPIO1
        [panel tm1637]
        clk = GPIO23
        dio = GPIO24

        """

    @Test func `a whole file`() throws {
        let board = try read(
            Self.board
                + """
                [panel ssd1306]
                bus = /dev/i2c-1
                size = 128x32
                [panel sh1106]
                bus = /dev/i2c-1
                address = 0x3d
                [panel hd44780]
                rs = GPIO5
                e = GPIO6
                d4 = GPIO12
                d5 = GPIO13
                d6 = GPIO16
                d7 = GPIO19
                size = 20x4
                [panel hd44780 second]
                bus = /dev/i2c-1
                [panel max7219]
                bus = /dev/spidev0.0
                [panel led]
                line = GPIO20
                active = low
                [panel exec]
                program = /usr/local/bin/show
                [button pairing]
                line = GPIO17
                hold-time = 5
                [button presence]
                line = GPIO27
                active = high
                press = none
                hold = none
                [light status]
                red = GPIO21
                green = GPIO22
                blue = GPIO25
                """
                .replacing("bus = /dev/spidev0.0", with: "bus = /dev/spidev0.0\nbrightness = 15")
                .replacing(
                    "[panel max7219]", with: "[bus /dev/spidev0.0]\nlines = GPIO7-GPIO11\n[panel max7219]"))
        let chip = "pinctrl-bcm2711"
        #expect(board.name == "Board" && !board.hasConsole && board.panels.count == 9)
        #expect(
            board.panels.first
                == .tm1637(
                    TM1637.Settings(chip: chip, clock: .name("GPIO23"), data: .name("GPIO24"))))
        #expect(board.panels.contains(.oled(OLED.Settings(.ssd1306, height: 32, bus: "/dev/i2c-1"))))
        #expect(
            board.panels.contains(.hd44780(.columns16rows2, .i2c(PCF8574.Settings(bus: "/dev/i2c-1")))))
        #expect(board.panels.contains(.exec("/usr/local/bin/show")))
        #expect(board.buttons.map(\.name) == ["pairing", "presence"])
        #expect(board.buttons.first?.isActiveLow == true && board.buttons.last?.isActiveLow == false)
        #expect(board.buttons.first?.settings.holdTime == .seconds(5))
        #expect(board.buttons.last?.settings.press == ButtonSettings.Press.none)
        let wiring = RecordingBoard()
        #expect(board.makePanels(on: wiring, clock: wiring).count == 9)
        #expect(board.makeButtons(on: wiring) != nil)
    }

    @Test func `a board whose chip does not name its lines`() throws {
        let board = try read(
            """
            [board]
            gpio-chip = 300b000.pinctrl
            console = yes
            [lines]
            PC9 = 73
            PC6 = 70
            [button pairing]
            line = PC9
            """)
        #expect(board.buttons.first?.line == .offset(73) && board.hasConsole)
    }

    @Test(arguments: [
        ("[button b]\nline = GPIO23", "13: line GPIO23 belongs to [panel tm1637] already, by line 10"),
        ("[button b]\nline = GPIO28", "13: this board has no line GPIO28"),
        ("[button b]\nline = 23", "13: this board has no line 23"),
        ("[button b]\nline = GPIO1", "13: line GPIO1 is reserved for the board's identification"),
        ("[button b]\nline = GPIO5 GPIO6", "13: line is one line"),
        ("[button b]\npress = none", "13: [button b] needs line = …"),
        ("[button]\nline = GPIO5", "13: [button] needs a name, as in [button NAME]"),
        ("[button b]\nline = GPIO5\ncolour = red", "14: unknown key colour in [button b]"),
        ("[button b]\nline = GPIO5\nline = GPIO6", "14: line is set twice in [button b]"),
        ("[button b]\nline = GPIO5\nhold-time = 31", "14: hold-time is a number from 3 to 30"),
        (
            "[button b]\nline = GPIO5\nhold = none\nhold-time = 5",
            "15: hold-time belongs to hold = forget-all"
        ),
        ("[button b]\nline = GPIO5\npress = fire", "14: press is open-pairing or none"),
        ("[button b]\nline = GPIO5\nactive = up", "14: active is low or high"),
        (
            "[button b]\nline = GPIO2\n[panel ssd1306]\nbus = /dev/i2c-1",
            "15: line GPIO2 of the bus /dev/i2c-1 belongs to [button b] already, by line 13"
        ),
        (
            "[panel ssd1306]\nbus = /dev/i2c-1\n[button b]\nline = GPIO3",
            "15: line GPIO3 belongs to [/dev/i2c-1] already, by line 13"
        ),
        ("[panel ssd1306]\nbus = /dev/i2c-7", "13: this board has no bus /dev/i2c-7"),
        (
            "[panel ssd1306]\nbus = /dev/i2c-1\n[panel sh1106]\nbus = /dev/i2c-1",
            "15: /dev/i2c-1 0x3c is used already"
        ),
        ("[panel ssd1306]\nbus = /dev/i2c-1\naddress = 0x80", "14: address is a number from 8 to 119"),
        ("[panel sh1106]\nbus = /dev/i2c-1\nsize = 128x32", "14: an sh1106 has 128x64 dots"),
        (
            "[panel tm1637 b]\nclk = GPIO5\ndio = GPIO6\norder = 1 2 3",
            "15: order names each of the 4 digits once, as in 2 1 0 5 4 3"
        ),
        ("[panel exec]\nprogram = show", "13: program is a path that begins with /"),
        (
            "[panel ink]\nbus = /dev/i2c-1",
            "13: [panel ink]: panels are tm1637, hd44780, ssd1306, sh1106, max7219, led and exec"
        ),
        ("[light l]\nred = GPIO5\ngreen = GPIO6", "13: [light l] needs blue = …"),
        ("[motor m]\nline = GPIO5", "13: unknown section [motor m]"),
        ("[reserved x]\nlines = GPIO9-GPIO4", "13: GPIO9-GPIO4 is no range of lines, as GPIO2-GPIO27 is"),
    ])
    func `a mistake is named with its line`(_ text: String, _ expected: String) {
        #expect(mistake(text) == "board.conf:\(expected)")
    }

    @Test func `what is wrong without lines`() {
        #expect(
            mistake("[button b]\nline = GPIO5", in: "")
                == "board.conf:2: [board] does not say which gpio-chip has the lines")
        #expect(mistake("name = Board", in: "") == "board.conf:1: name stands in no section")
        #expect(
            mistake("[lines]\nA = 5\nB = 5", in: "") == "board.conf:3: A has the offset 5 already")
        #expect(
            mistake("[lines]\nA = x", in: "")
                == "board.conf:2: A is a line's offset on its chip, from 0 to 1023")
    }

    @Test func `no file of whatever octets is a trap`() throws {
        var random = SystemRandomNumberGenerator()
        let words = [
            "[board]", "[lines]", "[panel tm1637]", "[button b]", "[light l]", "[bus /dev/i2c-1]",
            "[reserved r]",
            "gpio-chip", "lines", "line", "clk", "dio", "=", "\n", "GPIO5", "GPIO0-GPIO9999", "-",
            "999999999999",
            "0x", "0xfff", "order", "1 2 3 4", "digits", "6", ",", "é",
        ]
        for _ in 0..<2_000 {
            let text = (0..<30).map { _ in words.randomElement(using: &random)! + (Bool.random() ? "\n" : " ")
            }
            _ = try? read(text.joined())
        }
    }

    static let boards = [
        "raspberry-pi-5", "raspberry-pi-4", "raspberry-pi-zero-2w", "orange-pi-zero-3",
    ]

    /// The file as it is, and with everything that it only suggests.
    @Test(arguments: boards, [false, true])
    func `every board in the repository has a file that is right`(_ name: String, _ isWhole: Bool) throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../board/\(name)").standardized
        var text = try String(contentsOf: directory.appending(path: "board.conf"), encoding: .utf8)
        if isWhole { text = text.replacing("\n;", with: "\n") }
        let board = try read(text)
        #expect(!board.panels.isEmpty && !board.buttons.isEmpty && !board.name.isEmpty)
        let wiring = try String(contentsOf: directory.appending(path: "wiring.md"), encoding: .utf8)
        for kind in ["tm1637", "hd44780", "ssd1306", "max7219", "led", "button", "light"] {
            #expect(wiring.contains("## `\(kind)`"), "\(kind) is not drawn")
        }
    }
}
