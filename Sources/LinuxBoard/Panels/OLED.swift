import Ports
public import Wire

/// An OLED display of 128 columns and 64 or 32 rows, behind an SSD1306 or an SH1106 on I2C.
///
/// A step is one transaction of at most 19 octets, address and control octet among them: 1.7 ms at 100 kHz. A whole
/// picture takes 72 of them; what did not change is not sent.
public final class OLED: Display {
    public enum Controller: Equatable, Sendable {
        case ssd1306
        case sh1106
    }

    public struct Settings: Equatable, Sendable {
        public var controller: Controller
        /// 64 or 32.
        public var height: Int
        /// As in `/dev/i2c-1`.
        public var bus: String
        /// 0x3c or 0x3d.
        public var address: UInt8
        /// 0 … 255.
        public var brightness: UInt8

        public init(
            _ controller: Controller, height: Int, bus: String, address: UInt8 = 0x3c, brightness: UInt8 = 127
        ) {
            self.controller = controller
            self.height = height
            self.bus = bus
            self.address = address
            self.brightness = brightness
        }
    }

    /// The octet before what is sent: commands or dots follow.
    private enum Control {
        static let commands: UInt8 = 0x00
        static let dots: UInt8 = 0x40
    }

    private enum Command {
        static let off: UInt8 = 0xae
        static let on: UInt8 = 0xaf
        static let page: UInt8 = 0xb0
        static let columnLow: UInt8 = 0x00
        static let columnHigh: UInt8 = 0x10
    }

    /// Octets of a picture in one transaction.
    private static let run = 16

    private let settings: Settings
    private let wiring: any Wiring
    private var bus: (any I2CBus)?
    private var wanted: DotPicture
    private var wantsOn = false
    /// Of what stands, by runs: nil where it is not known.
    private var standing: [UInt8?] = []
    private var isOn = false
    /// How many of the start's commands were sent.
    private var started = 0
    /// The octet of the picture that the controller expects next; nil where it has to be told.
    private var position: Int?

    public init(_ settings: Settings, wiring: any Wiring) {
        precondition(settings.height == 64 || settings.height == 32, "64 or 32 rows")
        self.settings = settings
        self.wiring = wiring
        wanted = DotPicture(width: 128, height: settings.height)
    }

    public var name: String {
        let kind = settings.controller == .ssd1306 ? "ssd1306" : "sh1106"
        return "\(kind) at 0x\(String(settings.address, radix: 16)) of \(settings.bus)"
    }

    public func open() throws(BoardFault) {
        bus = nil
        bus = try wiring.i2cBus(settings.bus, address: settings.address)
        standing = [UInt8?](repeating: nil, count: wanted.octets.count)
        isOn = false
        started = 0
        position = nil
    }

    public func close() { bus = nil }

    public func compose(_ scene: Scene) -> Instant? {
        let drawn = DotPicture.drawn(scene, height: settings.height)
        wanted = drawn.picture
        wantsOn = scene != .blank
        return drawn.changes
    }

    public func step() throws(BoardFault) -> UInt32? {
        guard let bus else { return nil }
        if started < 2 {
            try bus.write(Control.commands, started == 0 ? [Command.off] : startCommands)
            started += 1
            return 0
        }
        if isOn, !wantsOn { return try switchOn(false, bus) }
        guard let index = firstDifference() else { return isOn == wantsOn ? nil : try switchOn(true, bus) }
        if position == index {
            try sendRun(at: index, bus)
        } else {
            try sendPosition(index, bus)
        }
        return 0
    }

    // MARK: Drawing

    /// The beginning of the first run that differs.
    private func firstDifference() -> Int? {
        for index in standing.indices where standing[index] != wanted.octets[index] {
            return index - index % Self.run
        }
        return nil
    }

    private func sendRun(at start: Int, _ bus: any I2CBus) throws(BoardFault) {
        let end = start + Self.run
        position = nil
        try bus.write(Control.dots, Array(wanted.octets[start..<end]))
        for index in start..<end { standing[index] = wanted.octets[index] }
        // The column does not run on into the next page.
        position = end % wanted.width == 0 ? nil : end
    }

    private func sendPosition(_ index: Int, _ bus: any I2CBus) throws(BoardFault) {
        // An SH1106 has four columns more than the glass, two on either side.
        let column = UInt8(index % wanted.width) + (settings.controller == .sh1106 ? 2 : 0)
        try bus.write(
            Control.commands,
            [
                Command.page | UInt8(index / wanted.width), Command.columnLow | column & 15,
                Command.columnHigh | column >> 4,
            ])
        position = index
    }

    private func switchOn(_ on: Bool, _ bus: any I2CBus) throws(BoardFault) -> UInt32 {
        try bus.write(Control.commands, [on ? Command.on : Command.off])
        isOn = on
        return 0
    }

    // MARK: Starting

    /// What the data sheets recommend, the picture turned so that the connector is above.
    private var startCommands: [UInt8] {
        let rows = UInt8(settings.height - 1)
        let pins: UInt8 = settings.height == 64 ? 0x12 : 0x02
        let common: [UInt8] = [
            0xd5, 0x80,  // clock
            0xa8, rows,  // rows
            0xd3, 0x00, 0x40,  // no offset, first row first
            0xa1, 0xc8,  // columns and rows from the other end
            0xda, pins,  // how the rows are wired
        ]
        let others: [UInt8] =
            switch settings.controller {
            case .ssd1306: [0x8d, 0x14, 0x20, 0x02]  // charge pump on, page addressing
            case .sh1106: [0xad, 0x8b]  // voltage converter on
            }
        return common + others + [0x81, settings.brightness]
    }
}
