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
    private var text: String

    init(_ kind: String) {
        text = kind + "\n"
    }

    mutating func line(_ key: String, _ value: String) {
        text += key
        text += " "
        text += value
        text += "\n"
    }

    mutating func line(_ key: String, number: UInt64) { line(key, String(number)) }

    mutating func line(_ key: String, secret: Key) {
        line(key, String(hex: secret.secret.withOctets { [UInt8]($0) }))
    }

    consuming func finish() -> Secret {
        line(Self.checkKey, String(hex: HashFunction.sha256.digest(Array(text.utf8))))
        return Secret(Array(text.utf8))
    }
}

/// Reads a record line by line, after its check.
struct RecordReader {
    private static let lineEnd = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    private var lines: ArraySlice<[UInt8]>

    init(_ record: borrowing Secret, kind: String) throws(RecordRefusal) {
        let octets = record.withOctets { [UInt8]($0) }
        let check = Array(RecordWriter.checkKey.utf8) + [Self.space]
        let checkCount = check.count + 2 * HashFunction.sha256.count + 1
        guard octets.count > checkCount, octets.last == Self.lineEnd else { throw .truncated }
        let content = Array(octets.dropLast(checkCount))
        let digest = String(hex: HashFunction.sha256.digest(content))
        guard content.last == Self.lineEnd, octets.suffix(checkCount).starts(with: check) else {
            throw .truncated
        }
        guard octets.suffix(checkCount).elementsEqual(check + Array(digest.utf8) + [Self.lineEnd]) else {
            throw .damaged
        }

        lines =
            content.dropLast().split(separator: Self.lineEnd, omittingEmptySubsequences: false).map {
                [UInt8]($0)
            }[...]
        guard let first = lines.popFirst(), first.elementsEqual(kind.utf8) else { throw .unsupported }
    }

    /// The value of the next line, which is that of `key`.
    mutating func text(_ key: String) throws(RecordRefusal) -> String {
        guard let value = takeIfNext(key) else { throw .missing(key) }
        let text = String(decoding: value, as: UTF8.self)
        guard value.elementsEqual(text.utf8) else { throw .invalid(key) }
        return text
    }

    mutating func textIfNext(_ key: String) throws(RecordRefusal) -> String? {
        guard let line = lines.first, line.starts(with: Array(key.utf8) + [Self.space]) else { return nil }
        return try text(key)
    }

    mutating func number(_ key: String) throws(RecordRefusal) -> UInt64 {
        guard let number = UInt64(try text(key)) else { throw .invalid(key) }
        return number
    }

    mutating func secret(_ key: String, count: Int) throws(RecordRefusal) -> Key {
        guard let octets = [UInt8](hex: try text(key)), octets.count == count else { throw .invalid(key) }
        return Key(Secret(octets))
    }

    consuming func end() throws(RecordRefusal) {
        guard lines.isEmpty else { throw .leftOver }
    }

    private mutating func takeIfNext(_ key: String) -> ArraySlice<UInt8>? {
        let prefix = Array(key.utf8) + [Self.space]
        guard let line = lines.first, line.starts(with: prefix) else { return nil }
        lines.removeFirst()
        return line.dropFirst(prefix.count)
    }
}
