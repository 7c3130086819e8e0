/// An SSD1306 or SH1106 as its data sheet describes it: takes I2C transactions and keeps its memory. Shares nothing
/// with the driver.
struct OLEDDecoder {
    enum Controller {
        case ssd1306
        case sh1106
    }

    private(set) var isOn = true
    private(set) var rows = 64
    private(set) var contrast: UInt8 = 0x7f
    private(set) var complaints: [String] = []
    /// The picture at the moment at which it was switched on, each time.
    private(set) var switchedOn: [[String]] = []
    /// Both axes run backwards, so that the picture stands with the connector above.
    private(set) var isTurned = (columns: false, rows: false)

    private let controller: Controller
    /// What it has after its supply rose is anything.
    private var memory = [[UInt8]](repeating: [UInt8](repeating: 0xa5, count: 132), count: 8)
    private var page = 0
    private var column = 0
    private var isPageAddressed = true
    private var hasSupply = false

    init(_ controller: Controller) {
        self.controller = controller
    }

    /// Lines of zeros and ones, as in a PBM file.
    var picture: [String] {
        let first = controller == .sh1106 ? 2 : 0
        return (0..<rows).map { row in
            (0..<128).map { memory[row / 8][first + $0] >> (row % 8) & 1 == 1 ? "1" : "0" }.joined()
        }
    }

    mutating func feed(_ transactions: some Sequence<[UInt8]>) {
        for octets in transactions {
            switch octets.first {
            case 0x00: commands(octets.dropFirst())
            case 0x40: for octet in octets.dropFirst() { store(octet) }
            default: complaints.append("control octet \(octets)")
            }
        }
    }

    private mutating func store(_ octet: UInt8) {
        guard isPageAddressed else { return complaints.append("dots in another addressing mode") }
        let width = controller == .sh1106 ? 132 : 128
        memory[page][column] = octet
        column = (column + 1) % width
    }

    private mutating func commands(_ octets: ArraySlice<UInt8>) {
        var rest = octets
        while let command = rest.popFirst() {
            switch command {
            case 0x00...0x0f: column = column & 0xf0 | Int(command)
            case 0x10...0x17: column = column & 0x0f | Int(command & 0x0f) << 4
            case 0x40...0x7f: if command != 0x40 { complaints.append("starts at row \(command & 0x3f)") }
            case 0xa0, 0xa1: isTurned.columns = command == 0xa1
            case 0xc0, 0xc8: isTurned.rows = command == 0xc8
            case 0xae: isOn = false
            case 0xaf:
                isOn = true
                if !hasSupply { complaints.append("on without a supply") }
                switchedOn.append(picture)
            case 0xb0...0xb7: page = Int(command & 7)
            case 0x20, 0x81, 0x8d, 0xa8, 0xad, 0xd3, 0xd5, 0xd9, 0xda, 0xdb:
                guard let value = rest.popFirst() else {
                    return complaints.append("half of command \(command)")
                }
                set(command, value)
            default: complaints.append("command \(command)")
            }
        }
    }

    private mutating func set(_ command: UInt8, _ value: UInt8) {
        switch (command, controller) {
        case (0x20, .ssd1306): isPageAddressed = value & 3 == 2
        case (0x8d, .ssd1306): hasSupply = value == 0x14
        case (0xad, .sh1106): hasSupply = value == 0x8b
        case (0x81, _): contrast = value
        case (0xa8, _): rows = Int(value) + 1
        case (0xda, _):
            if value & 0x10 != (rows == 64 ? 0x10 : 0) { complaints.append("pins \(value)") }
        case (0xd3, _), (0xd5, _), (0xd9, _), (0xdb, _): break
        default: complaints.append("command \(command) of another controller")
        }
    }
}
