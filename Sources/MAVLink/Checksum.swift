/// The check value of a frame: CRC-16/MCRF4XX, as X.25 reckons it but without the final inversion.
///
/// - Spec: MAVLink guide, "Packet Serialization", "Checksum".
struct Checksum {
    private(set) var value: UInt16 = 0xffff

    mutating func add(_ octet: UInt8) {
        var mixed = octet ^ UInt8(truncatingIfNeeded: value)
        mixed ^= mixed &<< 4
        let wide = UInt16(mixed)
        value = value >> 8 ^ wide << 8 ^ wide << 3 ^ wide >> 4
    }

    mutating func add(_ octets: ArraySlice<UInt8>) {
        for octet in octets { add(octet) }
    }
}
