/// The first line of an answer on the local socket.
///
/// A client sends one line and reads the answer until the agent closes:
///
///     request = text LF                     at most 1024 octets, UTF-8
///     answer  = status SP count LF octets   status 0 … 255, then as many octets as count says
///             / "0" SP "-" LF octets        as many as come, until either side closes
///
/// The count tells an answer that is whole from that of an agent which ended in the middle.
struct AnswerHead: Equatable {
    /// With its end.
    static let longest = 16
    static let longestRequest = 1024

    /// With which the client program ends.
    var status: UInt8
    /// Nil where the answer has no end.
    var count: Int?

    init(status: UInt8, count: Int?) {
        self.status = status
        self.count = count
    }

    /// Reads the line, given without its end.
    init?(parsing line: [UInt8]) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 2, let status = Self.number(parts[0]), status <= 255 else { return nil }
        self.status = UInt8(status)
        if parts[1].elementsEqual([UInt8(ascii: "-")]) {
            guard status == 0 else { return nil }
            count = nil
        } else {
            guard let count = Self.number(parts[1]) else { return nil }
            self.count = count
        }
    }

    /// The line with its end.
    var octets: [UInt8] {
        guard let count else { return Array("0 -\n".utf8) }
        return Array("\(status) \(count)\n".utf8)
    }

    /// Up to nine decimal digits, and nothing else.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
