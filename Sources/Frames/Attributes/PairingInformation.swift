import Wire

/// What a user sees of an accessory before pairing.
///
/// - Spec: Wi-Fi Aware 4.0, Generic Service Protocol, text; keys as phones read them (facts: TXT strings).
public struct PairingInformation: Equatable, Sendable {
    /// The longest value, in octets of UTF-8.
    public static let mostOctets = 63

    /// Empty where a peer does not say. So are the others.
    public var pairingName: String
    public var vendorName: String
    public var modelName: String

    public init(pairingName: String, vendorName: String, modelName: String) {
        self.pairingName = pairingName
        self.vendorName = vendorName
        self.modelName = modelName
    }

    private enum Key {
        static let pairingName = Array("pairingName".utf8)
        static let vendorName = Array("vendorName".utf8)
        static let modelName = Array("modelName".utf8)
    }
}

// MARK: TXT strings (RFC 6763 §6): `key=value`, the first of equal keys counts, case of keys does not

extension PairingInformation {
    /// Reads what it finds, in any order, between what it does not know. A stranger chose the octets: values are
    /// repaired UTF-8, without control characters, of at most ``mostOctets``.
    public init(text strings: [[UInt8]]) {
        pairingName = Self.value(of: Key.pairingName, in: strings)
        vendorName = Self.value(of: Key.vendorName, in: strings)
        modelName = Self.value(of: Key.modelName, in: strings)
    }

    /// One string for each value that is not empty; what is too long ends at a character's end.
    public var text: [[UInt8]] {
        var strings: [[UInt8]] = []
        for (key, value) in [
            (Key.pairingName, pairingName), (Key.vendorName, vendorName), (Key.modelName, modelName),
        ] where !value.isEmpty {
            strings.append(key + [UInt8(ascii: "=")] + Array(Self.cut(value).utf8))
        }
        return strings
    }

    private static func value(of key: [UInt8], in strings: [[UInt8]]) -> String {
        for string in strings {
            guard let equals = string.firstIndex(of: UInt8(ascii: "=")),
                isSame(key, string[..<equals])
            else { continue }
            return cut(String(decoding: string[(equals + 1)...], as: UTF8.self).withoutControls)
        }
        return ""
    }

    private static func isSame(_ key: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
        guard key.count == other.count else { return false }
        for (one, two) in zip(key, other) where lowered(one) != lowered(two) { return false }
        return true
    }

    private static func lowered(_ letter: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
    }

    private static func cut(_ text: String) -> String {
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= mostOctets else { break }
            kept.append(character)
        }
        return kept
    }
}
