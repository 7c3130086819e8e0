// What strangers write is shown to people: by lists, logs, panels. It must be read there and not obeyed.

extension Unicode.Scalar {
    /// C0 and C1 controls, line and paragraph ends, the marks that turn the direction of writing, and the one that cannot
    /// be seen.
    public var steersTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}

extension String {
    /// The text with a mark in place of everything that could move a terminal's cursor or break a line of a log.
    public var printable: String { printable(limit: .max) }

    /// The same, cut where it has more than `limit` octets, which dots then say.
    public func printable(limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            let shown = scalar.steersTerminals ? "\u{fffd}" : scalar
            count += UTF8.width(shown)
            guard count <= limit else { return String(scalars) + "..." }
            scalars.append(shown)
        }
        return String(scalars)
    }

    /// The text without what could do that.
    public var withoutControls: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.steersTerminals { scalars.append(scalar) }
        return String(scalars)
    }
}
