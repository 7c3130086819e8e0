import Wire

/// The attributes of a received netlink message, or of one that is made of others.
///
/// The first attribute of a number counts. Numbers are in the machine's order, see ``AttributeWriter``.
struct AttributeList {
    struct Attribute {
        var number: UInt16
        var value: ArraySlice<UInt8>
    }

    /// The two upper bits of an attribute's number say how its value is written.
    private static let numberMask: UInt16 = 0x3fff

    private(set) var all: [Attribute] = []

    /// - Throws: where an attribute is longer than what is left, or shorter than its head.
    init(parsing octets: ArraySlice<UInt8>) throws(WireError) {
        var rest = octets
        while rest.count >= AttributeWriter.headCount {
            let length = Int(rest.number16(at: 0))
            guard length >= AttributeWriter.headCount else {
                throw .unexpected("attribute length", value: UInt64(length))
            }
            guard length <= rest.count else {
                throw .tooShort(for: "attribute", missing: length - rest.count)
            }
            let start = rest.startIndex
            all.append(
                Attribute(
                    number: rest.number16(at: 2) & Self.numberMask,
                    value: rest[start + AttributeWriter.headCount..<start + length]))
            rest = rest.dropFirst((length + 3) & ~3)
        }
        guard rest.isEmpty else { throw .leftOver(rest.count, in: "attributes") }
    }

    func has(_ number: UInt16) -> Bool { value(number) != nil }

    func value(_ number: UInt16) -> ArraySlice<UInt8>? {
        for attribute in all where attribute.number == number { return attribute.value }
        return nil
    }

    func octets(_ number: UInt16) -> [UInt8]? {
        guard let value = value(number) else { return nil }
        return [UInt8](value)
    }

    // A number of another length than its own is none.

    func octet(_ number: UInt16) -> UInt8? {
        guard let value = value(number), value.count == 1 else { return nil }
        return value.first
    }

    func number16(_ number: UInt16) -> UInt16? {
        guard let value = value(number), value.count == 2 else { return nil }
        return value.number16(at: 0)
    }

    func number32(_ number: UInt16) -> UInt32? {
        guard let value = value(number), value.count == 4 else { return nil }
        return value.number32(at: 0)
    }

    func number64(_ number: UInt16) -> UInt64? {
        guard let value = value(number), value.count == 8 else { return nil }
        return UInt64(value.number32(at: 0)) | UInt64(value.number32(at: 4)) << 32
    }

    func address(_ number: UInt16) -> MACAddress? {
        guard let value = value(number), value.count == 6 else { return nil }
        return MACAddress(rawValue: value.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Up to its zero octet, in characters that a terminal can show.
    func text(_ number: UInt16) -> String? {
        guard let value = value(number) else { return nil }
        var characters: [UInt8] = []
        for octet in value {
            if octet == 0 { break }
            characters.append(0x20..<0x7f ~= octet ? octet : UInt8(ascii: "?"))
        }
        return String(decoding: characters, as: UTF8.self)
    }

    func nested(_ number: UInt16) throws(WireError) -> AttributeList? {
        guard let value = value(number) else { return nil }
        return try AttributeList(parsing: value)
    }
}

extension ArraySlice<UInt8> {
    /// The caller has made sure that they are there.
    func number16(at offset: Int) -> UInt16 {
        UInt16(self[startIndex + offset]) | UInt16(self[startIndex + offset + 1]) << 8
    }

    func number32(at offset: Int) -> UInt32 {
        UInt32(number16(at: offset)) | UInt32(number16(at: offset + 2)) << 16
    }
}
