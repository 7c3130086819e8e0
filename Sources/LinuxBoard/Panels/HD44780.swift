import Ports
public import Wire

/// A character display with an HD44780 or a clone, driven by nibbles: on six lines of its own, or behind a PCF8574.
///
/// A step is one octet. All waits are twice those of the data sheet: clones need them.
public final class HD44780: Display {
    public enum Size: Equatable, Sendable {
        case columns16rows2
        case columns20rows4

        var columns: Int { self == .columns16rows2 ? 16 : 20 }
        var rows: Int { self == .columns16rows2 ? 2 : 4 }

        /// The display's address of a row's first character.
        func address(ofRow row: Int) -> UInt8 {
            switch row {
            case 0: 0x00
            case 1: 0x40
            case 2: 0x14
            default: 0x54
            }
        }
    }

    /// How the display is connected.
    public enum Connection: Equatable, Sendable {
        case lines(HD44780Lines.Settings)
        case i2c(PCF8574.Settings)
    }

    private enum Command {
        static let clear: UInt8 = 0x01
        static let moveRight: UInt8 = 0x06
        static let off: UInt8 = 0x08
        static let on: UInt8 = 0x0c
        static let twoLines: UInt8 = 0x28
        static let address: UInt8 = 0x80
    }

    /// In microseconds.
    private enum Wait {
        static let power: UInt32 = 80_000
        static let firstWake: UInt32 = 9_000
        static let wake: UInt32 = 250
        static let clear: UInt32 = 3_100
        static let octet: UInt32 = 80
    }

    private enum Position {
        case start(step: Int)
        /// The display's address, where the next character goes.
        case at(UInt8)
    }

    private let size: Size
    private let connection: any HD44780Connection
    private var wanted: [[UInt8]]
    private var wantsOn = false
    private var standing: [[UInt8]]
    private var isOn = false
    private var position = Position.start(step: 0)

    public init(_ size: Size, on connection: Connection, wiring: any Wiring) {
        self.size = size
        self.connection =
            switch connection {
            case .lines(let settings): HD44780Lines(settings, wiring: wiring)
            case .i2c(let settings): PCF8574(settings, wiring: wiring)
            }
        wanted = TextPicture(.blank, columns: size.columns, rows: size.rows).rows
        standing = wanted
    }

    public var name: String { "hd44780 on \(connection.place)" }

    public func open() throws(BoardFault) {
        try connection.open()
        position = .start(step: 0)
    }

    public func close() { connection.close() }

    public func compose(_ scene: Scene) -> Instant? {
        let picture = TextPicture(scene, columns: size.columns, rows: size.rows)
        wanted = picture.rows
        wantsOn = scene != .blank
        return picture.changes
    }

    public func step() throws(BoardFault) -> UInt32? {
        switch position {
        case .start(let step): try start(step)
        case .at(let address): try draw(at: address)
        }
    }

    // MARK: Starting

    /// Whatever half of an octet the display has, three times 3 makes it listen to octets, and 2 to nibbles.
    private func start(_ step: Int) throws(BoardFault) -> UInt32 {
        position = .start(step: step + 1)
        switch step {
        case 0: return Wait.power
        case 1: return try nibble(3, then: Wait.firstWake)
        case 2, 3: return try nibble(3, then: Wait.wake)
        case 4: return try nibble(2, then: Wait.wake)
        case 5: return try command(Command.twoLines, then: Wait.octet)
        case 6: return try command(Command.off, then: Wait.octet)
        case 7: return try command(Command.moveRight, then: Wait.octet)
        default:
            let pause = try command(Command.clear, then: Wait.clear)
            standing = TextPicture(.blank, columns: size.columns, rows: size.rows).rows
            isOn = false
            position = .at(0)
            return pause
        }
    }

    private func nibble(_ nibble: UInt8, then pause: UInt32) throws(BoardFault) -> UInt32 {
        try connection.send(nibble: nibble)
        return pause
    }

    private func command(_ command: UInt8, then pause: UInt32) throws(BoardFault) -> UInt32 {
        try connection.send(command, isText: false)
        return pause
    }

    // MARK: Drawing

    private func draw(at address: UInt8) throws(BoardFault) -> UInt32? {
        if isOn, !wantsOn { return try switchOn(false) }
        guard let (row, column) = firstDifference() else { return wantsOn == isOn ? nil : try switchOn(true) }
        let place = size.address(ofRow: row) + UInt8(column)
        guard place == address else {
            let pause = try command(Command.address | place, then: Wait.octet)
            position = .at(place)
            return pause
        }
        try connection.send(wanted[row][column], isText: true)
        standing[row][column] = wanted[row][column]
        position = .at(place + 1)
        return Wait.octet
    }

    private func firstDifference() -> (row: Int, column: Int)? {
        for row in wanted.indices where wanted[row] != standing[row] {
            for column in wanted[row].indices where wanted[row][column] != standing[row][column] {
                return (row, column)
            }
        }
        return nil
    }

    private func switchOn(_ on: Bool) throws(BoardFault) -> UInt32 {
        connection.light(on)
        let pause = try command(on ? Command.on : Command.off, then: Wait.octet)
        isOn = on
        return pause
    }
}

/// What stands between the program and the display's pins.
protocol HD44780Connection: AnyObject {
    /// As in `GPIO7`.
    var place: String { get }
    func open() throws(BoardFault)
    func close()
    /// Only while the display starts.
    func send(nibble: UInt8) throws(BoardFault)
    /// The high nibble, then the low one.
    func send(_ octet: UInt8, isText: Bool) throws(BoardFault)
    /// The back light, with the next octet, where it can be switched.
    func light(_ isLit: Bool)
}
