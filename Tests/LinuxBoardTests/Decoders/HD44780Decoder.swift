import Wire

/// An HD44780 as its data sheet describes it: takes nibbles when E falls. Shares nothing with the driver.
struct HD44780Decoder {
    private(set) var isOn = true
    /// The back light, where there is a PCF8574.
    private(set) var isLit = true
    private(set) var complaints: [String] = []
    private var memory = [UInt8](repeating: 0x2a, count: 128)
    private var address = 0
    private var eightBits = true
    private var wakes = 0
    private var high: UInt8?
    private var isReady: Instant
    private var hasTwoLines = false
    private var moves = 1

    /// - Parameter now: when its supply rose.
    init(powered now: Instant) {
        isReady = Instant(microseconds: now.microseconds + 15_000)
    }

    /// As many characters of a row as the glass has.
    func row(_ row: Int, columns: Int) -> String {
        let first = [0x00, 0x40, 0x14, 0x54][row]
        return String(decoding: memory[first..<first + columns], as: UTF8.self)
    }

    /// E fell.
    mutating func take(_ nibble: UInt8, isText: Bool, at now: Instant) {
        if high == nil {
            if now < isReady { complaints.append("busy at \(now.microseconds)") }
        }
        if eightBits {
            // D0 to D3 are not connected.
            guard !isText, nibble >> 1 == 1 else {
                return complaints.append("nibble \(nibble) while starting")
            }
            wakes += 1
            busy(wakes == 1 ? 4_100 : 100, from: now)
            if nibble == 2 {
                if wakes < 4 { complaints.append("woken only \(wakes - 1) times") }
                eightBits = false
            }
            return
        }
        guard let first = high else {
            high = nibble
            return
        }
        high = nil
        busy(37, from: now)
        let octet = first << 4 | nibble
        if isText {
            memory[address & 0x7f] = octet
            address += moves
        } else {
            command(octet, at: now)
        }
    }

    private mutating func command(_ octet: UInt8, at now: Instant) {
        switch octet.leadingZeroBitCount {
        case 0: address = Int(octet & 0x7f)
        case 2:
            hasTwoLines = octet & 0x08 != 0
            if octet & 0x10 != 0 || !hasTwoLines { complaints.append("function \(octet)") }
        case 4: isOn = octet & 4 != 0
        case 5: moves = octet & 2 != 0 ? 1 : -1
        case 7:
            memory = [UInt8](repeating: 0x20, count: 128)
            address = 0
            busy(1_520, from: now)
        default: complaints.append("command \(octet)")
        }
    }

    private mutating func busy(_ microseconds: UInt64, from now: Instant) {
        isReady = Instant(microseconds: now.microseconds + microseconds)
    }

    // MARK: From its pins

    /// Six lines by name: RS, E, D4 to D7.
    mutating func feed(_ changes: [RecordingBoard.Change], lines: [String]) {
        var levels = [Bool](repeating: false, count: lines.count)
        for change in changes {
            guard let line = lines.firstIndex(of: change.line) else { continue }
            let fell = levels[line] && !change.isHigh
            levels[line] = change.isHigh
            guard line == 1, fell else { continue }
            var nibble: UInt8 = 0
            for place in 0..<4 where levels[2 + place] { nibble |= 1 << place }
            take(nibble, isText: levels[0], at: change.time)
        }
    }

    /// The octets that a PCF8574 gets, each 90 µs after the one before.
    mutating func feed(expander transfers: [RecordingBoard.Transfer]) {
        var pins: UInt8 = 0
        for transfer in transfers {
            for (place, octet) in transfer.octets.enumerated() {
                let late = UInt64(transfer.octets.count - 1 - place) * 90
                let time = Instant(microseconds: transfer.time.microseconds - late)
                if octet & 2 != 0 { complaints.append("a read") }
                if pins & 4 != 0, octet & 4 == 0 {
                    if pins & 0xf1 != octet & 0xf1 { complaints.append("pins change with E") }
                    take(octet >> 4, isText: octet & 1 != 0, at: time)
                }
                pins = octet
            }
        }
        isLit = pins & 8 != 0
    }
}
