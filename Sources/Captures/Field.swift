/// A field of a frame by its name, to be shown to a person or as JSON.
public struct Field: Sendable {
    public indirect enum Value: Sendable {
        case number(UInt64)
        case signed(Int64)
        /// A number whose bits mean something: hexadecimal for a person.
        case bits(UInt64, octets: Int)
        /// A number that somebody gave a name to: `NAME` and `NAME_name` in JSON.
        case named(UInt64, String)
        case text(String)
        case octets([UInt8])
        case flag(Bool)
        /// The names of the bits that are set.
        case flags([String])
        case group([Field])
        /// Things of one sort. Where `kind` is given, JSON has their names under it.
        case list([Field], kind: StaticString?)
    }

    /// In snake case.
    public var name: StaticString
    public var value: Value

    public init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }

    init<Number: FixedWidthInteger>(_ name: StaticString, _ number: Number) {
        self.init(name, .number(UInt64(truncatingIfNeeded: number)))
    }

    init<Number: FixedWidthInteger>(_ name: StaticString, bits number: Number) {
        self.init(name, .bits(UInt64(truncatingIfNeeded: number), octets: MemoryLayout<Number>.size))
    }

    init(_ name: StaticString, _ octets: [UInt8]) {
        self.init(name, .octets(octets))
    }

    init(_ name: StaticString, _ text: String) {
        self.init(name, .text(text))
    }

    init(_ name: StaticString, _ flag: Bool) {
        self.init(name, .flag(flag))
    }

    /// A number, with its name where it has one.
    init<Number: FixedWidthInteger>(_ name: StaticString, _ number: Number, named: String?) {
        let number = UInt64(truncatingIfNeeded: number)
        if let named { self.init(name, .named(number, named)) } else { self.init(name, .number(number)) }
    }

    /// The names of the bits of `number` that are set; those without a name are `bit_N`.
    init<Number: FixedWidthInteger>(
        _ name: StaticString, of number: Number, _ names: [(bit: Int, name: String)]
    ) {
        var set: [String] = []
        for bit in 0..<Number.bitWidth where number >> Number(bit) & 1 == 1 {
            var found = "bit_\(bit)"
            for known in names where known.bit == bit { found = known.name }
            set.append(found)
        }
        self.init(name, .flags(set))
    }
}

extension Field {
    /// The field of this name in a group.
    public subscript(name: StaticString) -> Field? {
        guard case .group(let fields) = value else { return nil }
        return fields.named(name)
    }
}

extension [Field] {
    /// The first field of this name.
    public func named(_ name: StaticString) -> Field? {
        for field in self where field.name.isSame(as: name) { return field }
        return nil
    }
}

extension StaticString {
    fileprivate func isSame(as other: StaticString) -> Bool {
        guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
        for index in 0..<utf8CodeUnitCount where utf8Start[index] != other.utf8Start[index] { return false }
        return true
    }
}
