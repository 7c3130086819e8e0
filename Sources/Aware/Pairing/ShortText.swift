import Wire

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
        for scalar in text.unicodeScalars where !scalar.steersTerminals {
            count += UTF8.width(scalar)
            guard count <= Self.limit else { break }
            kept.append(scalar)
        }
        self.text = String(kept)
    }
}

extension ShortText: CustomStringConvertible {
    public var description: String { text }
}

extension ShortText: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
