/// What a peer calls itself, made fit for a list, a journal and a terminal.
///
/// At most 64 octets of UTF-8, cut between characters; without control characters, line separators and the marks
/// that turn the direction of writing round.
public struct ShortText: Hashable, Sendable {
    /// The most octets of UTF-8.
    public static let limit = 64

    public let text: String

    public init(_ text: String) {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars where Self.isHarmless(scalar) {
            count += UTF8.width(scalar)
            guard count <= Self.limit else { break }
            kept.append(scalar)
        }
        self.text = String(kept)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f: false
        case 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: false
        default: true
        }
    }
}

extension ShortText: CustomStringConvertible {
    public var description: String { text }
}

extension ShortText: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
