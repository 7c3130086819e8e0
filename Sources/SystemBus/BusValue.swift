public import Crypto

/// A value as D-Bus has it: what its types are is part of it, so that what is written reads back the same.
///
/// - Spec: D-Bus Specification 0.43, "Type System". Doubles and file descriptors are not used here.
public indirect enum BusValue: Equatable, Sendable {
    case octet(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case string(String)
    /// A text that must not leak: it is only ever written.
    case secret(BusSecret)
    case path(String)
    case signature(String)
    /// An array of octets.
    case octets([UInt8])
    /// The signature of every element, and the elements.
    case array(of: String, [BusValue])
    /// An element of a dictionary, which is an array of entries.
    case entry(BusValue, BusValue)
    case structure([BusValue])
    case variant(BusValue)

    public var signature: String {
        switch self {
        case .octet: return "y"
        case .boolean: return "b"
        case .int16: return "n"
        case .uint16: return "q"
        case .int32: return "i"
        case .uint32: return "u"
        case .int64: return "x"
        case .uint64: return "t"
        case .string, .secret: return "s"
        case .path: return "o"
        case .signature: return "g"
        case .octets: return "ay"
        case .array(let element, _): return "a" + element
        case .entry(let key, let value): return "{" + key.signature + value.signature + "}"
        case .structure(let fields): return "(" + Self.signature(of: fields) + ")"
        case .variant: return "v"
        }
    }

    public static func signature(of values: [BusValue]) -> String {
        var text = ""
        for value in values { text += value.signature }
        return text
    }
}

// MARK: What a reader of properties asks for

extension BusValue {
    /// A text, or the text of a path.
    public var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    public var flag: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    /// Any number that is not negative.
    public var number: UInt64? {
        switch self {
        case .octet(let number): UInt64(number)
        case .uint16(let number): UInt64(number)
        case .uint32(let number): UInt64(number)
        case .uint64(let number): number
        case .int16(let number): UInt64(exactly: number)
        case .int32(let number): UInt64(exactly: number)
        case .int64(let number): UInt64(exactly: number)
        default: nil
        }
    }

    public var octetString: [UInt8]? {
        if case .octets(let octets) = self { octets } else { nil }
    }

    public var elements: [BusValue]? {
        if case .array(_, let elements) = self { elements } else { nil }
    }

    /// What a dictionary of texts or paths has under the key, taken out of its variant. The first where there are two.
    public subscript(key: String) -> BusValue? {
        guard case .array(_, let entries) = self else { return nil }
        for case .entry(let name, let value) in entries where name.text == key {
            if case .variant(let inner) = value { return inner }
            return value
        }
        return nil
    }

    /// A dictionary of names and variants, as properties and options are passed.
    public static func dictionary(_ fields: [(name: String, value: BusValue)]) -> BusValue {
        var entries: [BusValue] = []
        for field in fields { entries.append(.entry(.string(field.name), .variant(field.value))) }
        return .array(of: "{sv}", entries)
    }
}

/// Octets of UTF-8. Two are the same where they are one.
public struct BusSecret: Equatable, Sendable {
    let key: Key

    public init(_ key: Key) { self.key = key }

    public static func == (one: Self, other: Self) -> Bool { one.key === other.key }
}
