/// A MAX7219 as its data sheet describes it: sixteen bits a word, the register in the low nibble of the first octet.
/// Shares nothing with the driver.
struct MAX7219Decoder {
    /// By digit, the rightmost first.
    private(set) var digits = [UInt8](repeating: 0xff, count: 8)
    private(set) var decoding: UInt8 = 0xff
    private(set) var intensity: UInt8 = 0xff
    private(set) var scanLimit: UInt8 = 0xff
    private(set) var isOn = true
    private(set) var isTesting = true
    private(set) var complaints: [String] = []
    /// What a person could read, from the left, each time that it became another.
    private(set) var seen: [String] = []

    mutating func feed(_ words: some Sequence<[UInt8]>) {
        for word in words {
            guard word.count == 2 else {
                complaints.append("a word of \(word.count) octets")
                continue
            }
            take(register: word[0] & 0x0f, value: word[1])
        }
    }

    private mutating func take(register: UInt8, value: UInt8) {
        switch register {
        case 1...8: digits[Int(register) - 1] = value
        case 9: decoding = value
        case 10: intensity = value & 0x0f
        case 11: scanLimit = value & 7
        case 12: isOn = value & 1 == 1
        case 15: isTesting = value & 1 == 1
        default: complaints.append("register \(register)")
        }
        let readable = isOn ? text : "dark"
        if seen.last != readable { seen.append(readable) }
    }

    /// Its bits are, from the highest: point, a, b, c, d, e, f, g.
    private var text: String {
        let cells = digits.reversed().map { digit -> UInt8 in
            var segments: UInt8 = 0
            for (place, bit) in [6, 5, 4, 3, 2, 1, 0].enumerated() where digit & (1 << bit) != 0 {
                segments |= 1 << place
            }
            return segments
        }
        return SevenSegmentReader.text(cells)
    }
}
