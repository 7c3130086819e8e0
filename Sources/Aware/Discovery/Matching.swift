public import Frames
public import Wire

/// Decides whether a subscriber and a publisher of the same service mean each other.
///
/// - Spec: Wi-Fi Aware 4.0, matching filter and Service Response Filter.
public enum Matching {
    /// A subscriber's filter element matches the publisher's in the same place if they are equal or one is empty.
    /// A subscriber may ask for fewer elements than the publisher has, not for more.
    public static func accepts(subscriber: [[UInt8]]?, publisher: [[UInt8]]?) -> Bool {
        guard let subscriber else { return true }
        let publisher = publisher ?? []
        guard subscriber.count <= publisher.count else { return false }
        for (wanted, offered) in zip(subscriber, publisher) {
            guard wanted.isEmpty || offered.isEmpty || wanted == offered else { return false }
        }
        return true
    }

    /// Whether the station with `address` is among those that may answer.
    public static func mayAnswer(_ filter: ServiceResponseFilter?, address: MACAddress) -> Bool {
        guard let filter else { return true }
        let isMember =
            switch filter.members {
            case .addresses(let addresses): addresses.contains(address)
            case .bloom(let index, let bits): isMember(address, ofBloom: bits, index: index)
            }
        return isMember == filter.includes
    }

    /// Four hash functions, each CRC-32 over its number and the address, choose a bit that must be set.
    private static func isMember(_ address: MACAddress, ofBloom bits: [UInt8], index: UInt8) -> Bool {
        guard !bits.isEmpty else { return false }
        for function in 4 * (index & 3)...4 * (index & 3) + 3 {
            let hash = UInt16(truncatingIfNeeded: crc32([function] + address.octets))
            let bit = Int(hash) % (8 * bits.count)
            guard bits[bit / 8] >> UInt8(bit % 8) & 1 == 1 else { return false }
        }
        return true
    }

    /// The CRC of IEEE 802.3 without its final inversion: what the Bloom filter is defined on.
    private static func crc32(_ octets: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for octet in octets {
            remainder ^= UInt32(octet)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xedb8_8320 : 0) }
        }
        return remainder
    }
}
