import Crypto
public import Frames

/// The name of a service as it goes on the air, `_name._tcp` or `_name._udp`.
///
/// The name proper has 1 to 15 letters, digits and hyphens, at least one letter, and no hyphen at its ends. Phones
/// never find, or crash on, anything else.
///
/// - Spec: RFC 6335 §5.1, RFC 6763 §7; Wi-Fi Aware 4.0 for the identifier.
public struct ServiceName: Hashable, Sendable {
    public enum Mistake: Error, Equatable {
        case notInTwoParts
        case unknownTransport
        case badLength
        case badCharacter
        case noLetter
        case hyphenAtAnEnd
    }

    public let text: String
    public let transport: GenericService.Transport

    public init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .notInTwoParts }
        switch Self.lowerCased(parts[1].utf8) {
        case Array("_tcp".utf8): transport = .tcp
        case Array("_udp".utf8): transport = .udp
        default: throw .unknownTransport
        }
        let name = Array(parts[0].utf8)
        guard name.first == UInt8(ascii: "_") else { throw .notInTwoParts }
        try Self.check(name.dropFirst())
        self.text = text
    }

    /// The first six octets of the SHA-256 of the name in lower case.
    public var identifier: ServiceIdentifier {
        let digest = HashFunction.sha256.digest(Self.lowerCased(text.utf8))
        return ServiceIdentifier(rawValue: digest.prefix(6).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func check(_ name: ArraySlice<UInt8>) throws(Mistake) {
        guard (1...15).contains(name.count) else { throw .badLength }
        var hasLetter = false
        for character in lowerCased(name) {
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLetter = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            default: throw .badCharacter
            }
        }
        guard hasLetter else { throw .noLetter }
        guard name.first != UInt8(ascii: "-"), name.last != UInt8(ascii: "-") else { throw .hyphenAtAnEnd }
    }

    /// ASCII alone: a name has nothing else.
    private static func lowerCased(_ characters: some Sequence<UInt8>) -> [UInt8] {
        characters.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension ServiceName.Mistake: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInTwoParts: "a service is called _name._tcp or _name._udp"
        case .unknownTransport: "a service's name ends in ._tcp or ._udp"
        case .badLength: "a service's name has 1 to 15 characters"
        case .badCharacter: "a service's name has letters, digits and hyphens only"
        case .noLetter: "a service's name has at least one letter"
        case .hyphenAtAnEnd: "a service's name neither begins nor ends with a hyphen"
        }
    }
}
