import Crypto
import Wire

/// Why a stored record was not taken.
public enum RecordRefusal: Error, Equatable, Sendable {
    /// It does not end as a record does.
    case truncated
    /// What its last line says of the lines above is not so.
    case damaged
    /// Another kind of record, or one that a later version of the program wrote.
    case unsupported
    /// The line of this key is not where it must be.
    case missing(String)
    /// The line of this key says what cannot be.
    case invalid(String)
    /// More lines than a record of its kind has.
    case leftOver
}

extension RecordRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "the record is cut off"
        case .damaged: "the record is damaged"
        case .unsupported: "not a record of this kind and version"
        case .missing(let key): "line \(key) missing"
        case .invalid(let key): "line \(key) invalid"
        case .leftOver: "lines left over"
        }
    }
}

// A record is a small text that a person can read and nothing can change unnoticed:
//
//   awared-peer 1                  kind and version
//   name Anna's phone              a key and its value a line, in a fixed order; octets in hexadecimal
//   …
//   sha256 5f3c…                   of everything above, line ends included

/// Writes a record from its first line to its last.
struct RecordWriter {
    static let checkKey = "sha256"
    /// Longer than any record, so that the text never moves and leaves keys behind.
    private static let capacity = 4_096

    private var text: [UInt8] = []

    init(_ kind: String) {
        text.reserveCapacity(Self.capacity)
        text += kind.utf8
        text.append(Record.lineEnd)
    }

    mutating func line(_ key: String, _ value: String) {
        begin(key)
        text += value.utf8
        text.append(Record.lineEnd)
    }

    mutating func line(_ key: String, number: UInt64) { line(key, String(number)) }

    mutating func line(_ key: String, secret: Key) {
        begin(key)
        secret.secret.withOctets { octets in
            for octet in octets {
                text.append(Record.digit(octet >> 4))
                text.append(Record.digit(octet & 15))
            }
        }
        text.append(Record.lineEnd)
    }

    consuming func finish() -> Secret {
        line(Self.checkKey, String(hex: HashFunction.sha256.digest(text)))
        let record = Secret(text)
        text.erase()
        return record
    }

    private mutating func begin(_ key: String) {
        text += key.utf8
        text.append(Record.space)
    }
}

/// Reads a record line by line, after its check.
struct RecordReader: ~Copyable {
    private let record: Secret
    private var position: Int
    /// Where the check line begins.
    private let end: Int

    init(_ record: borrowing Secret, kind: String) throws(RecordRefusal) {
        let check = Array(RecordWriter.checkKey.utf8) + [Record.space]
        let end = record.count - (check.count + 2 * HashFunction.sha256.count + 1)
        guard end > 0 else { throw .truncated }
        var content = record.withOctets { [UInt8]($0[..<end]) }
        defer { content.erase() }
        let last = record.withOctets { [UInt8]($0[end...]) }
        guard content.last == Record.lineEnd, last.starts(with: check), last.last == Record.lineEnd else {
            throw .truncated
        }
        let digest = Array(String(hex: HashFunction.sha256.digest(content)).utf8)
        guard last.dropFirst(check.count).dropLast().elementsEqual(digest) else { throw .damaged }

        guard content.starts(with: Array(kind.utf8) + [Record.lineEnd]) else { throw .unsupported }
        self.record = record.extracting(0..<record.count)
        self.end = end
        position = kind.utf8.count + 1
    }

    /// The value of the next line, which is that of `key`.
    mutating func text(_ key: String) throws(RecordRefusal) -> String {
        guard let range = value(of: key) else { throw .missing(key) }
        let (text, isText) = record.withOctets { octets in
            let text = String(decoding: octets[range], as: UTF8.self)
            return (text, text.utf8.elementsEqual(octets[range]))
        }
        guard isText else { throw .invalid(key) }
        position = range.upperBound + 1
        return text
    }

    mutating func textIfNext(_ key: String) throws(RecordRefusal) -> String? {
        guard value(of: key) != nil else { return nil }
        return try text(key)
    }

    mutating func number(_ key: String) throws(RecordRefusal) -> UInt64 {
        guard let number = UInt64(try text(key)) else { throw .invalid(key) }
        return number
    }

    mutating func secret(_ key: String, count: Int) throws(RecordRefusal) -> Key {
        guard let range = value(of: key) else { throw .missing(key) }
        guard range.count == 2 * count else { throw .invalid(key) }
        var areDigits = true
        let secret = record.withOctets { octets in
            Secret(count: count) { filled in
                for place in 0..<count {
                    let high = Record.value(ofDigit: octets[range.lowerBound + 2 * place])
                    let low = Record.value(ofDigit: octets[range.lowerBound + 2 * place + 1])
                    if high == nil || low == nil { areDigits = false }
                    filled[place] = (high ?? 0) << 4 | (low ?? 0)
                }
            }
        }
        guard areDigits else { throw .invalid(key) }
        position = range.upperBound + 1
        return Key(secret)
    }

    consuming func finish() throws(RecordRefusal) {
        guard position == end else { throw .leftOver }
    }

    /// Where the next line has its value, if it is the line of `key`.
    private func value(of key: String) -> Range<Int>? {
        let prefix = Array(key.utf8) + [Record.space]
        return record.withOctets { octets in
            let rest = octets[position..<end]
            guard rest.starts(with: prefix), let lineEnd = rest.firstIndex(of: Record.lineEnd) else {
                return nil
            }
            return position + prefix.count..<lineEnd
        }
    }
}

private enum Record {
    static let lineEnd = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")

    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Lower-case digits only: there is one way to write a record.
    static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
