extension String {
    /// Two lower-case digits an octet.
    public init(hex octets: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * octets.count)
        for octet in octets {
            text.append(digits[Int(octet >> 4)])
            text.append(digits[Int(octet & 15)])
        }
        self = String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Reads pairs of hexadecimal digits, and nothing else.
    public init?(hex text: String) {
        self = []
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = Self.value(ofDigit: character) else { return nil }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
