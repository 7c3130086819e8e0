import Wire

// What several codecs share and 802.11 knows, but octets as such do not.

extension FrameReader {
    /// Three octets that name an organisation, first on the air in the highest place.
    mutating func organisation(_ purpose: StaticString) throws(WireError) -> UInt32 {
        guard remaining >= 3 else { throw .tooShort(for: purpose, missing: 3 - remaining) }
        let high = try octet(purpose)
        return UInt32(high) << 16 | UInt32(try bigEndian16(purpose))
    }
}

extension FrameWriter {
    mutating func organisation(_ value: UInt32) {
        octet(UInt8(truncatingIfNeeded: value >> 16))
        bigEndian16(UInt16(truncatingIfNeeded: value))
    }

    /// A field whose size the format fixes.
    mutating func octets(_ values: [UInt8], exactly count: Int, _ purpose: StaticString) {
        guard values.count == count else {
            return fail(.unexpected(purpose, value: UInt64(values.count)))
        }
        octets(values)
    }
}
