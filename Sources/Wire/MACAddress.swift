/// The address of an interface, or the name of a cluster: six octets, first on the air in the highest place.
public struct MACAddress: RawRepresentable, Hashable, Sendable {
    /// The six octets as a number below 2⁴⁸; what stands above is dropped.
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue & 0xffff_ffff_ffff
    }

    /// Where discovery frames for everybody go: the NAN network id.
    ///
    /// - Spec: Wi-Fi Aware 4.0, NAN Network ID.
    public static let nanNetwork = MACAddress(rawValue: 0x516f_9a01_0000)
    public static let broadcast = MACAddress(rawValue: 0xffff_ffff_ffff)

    public var octets: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(40 - 8 * $0)) }
    }

    public var isMulticast: Bool { rawValue >> 40 & 1 == 1 }

    /// A locally administered address for one station, made of 46 random bits.
    public init(random: UInt64) {
        self.init(rawValue: random & ~0x0300_0000_0000 | 0x0200_0000_0000)
    }

    /// Reads `02:aa:bb:cc:dd:ee`, the colons being optional.
    public init?(_ text: String) {
        var digits: [UInt8] = []
        for character in text.utf8 where character != UInt8(ascii: ":") { digits.append(character) }
        guard digits.count == 12, let octets = [UInt8](hex: String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        self.init(rawValue: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension MACAddress: Comparable {
    /// In the order of the octets, as SAE and 802.11 key derivations compare addresses.
    public static func < (one: MACAddress, other: MACAddress) -> Bool { one.rawValue < other.rawValue }
}

extension MACAddress: CustomStringConvertible {
    public var description: String {
        var text = ""
        for octet in octets {
            if !text.isEmpty { text += ":" }
            text += String(hex: [octet])
        }
        return text
    }
}
