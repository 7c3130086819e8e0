/// Why octets from outside were refused, or could not be written.
public enum WireError: Error {
    case tooShort(for: StaticString, missing: Int)
    case leftOver(Int, in: StaticString)
    case unexpected(StaticString, value: UInt64)
    /// What should be written does not fit its length field or the frame's limit.
    case tooLong(StaticString, by: Int)
}

extension WireError: Equatable {
    public static func == (one: WireError, other: WireError) -> Bool {
        switch (one, other) {
        case (.tooShort(_, let a), .tooShort(_, let b)): a == b
        case (.leftOver(let a, _), .leftOver(let b, _)): a == b
        case (.unexpected(_, let a), .unexpected(_, let b)): a == b
        case (.tooLong(_, let a), .tooLong(_, let b)): a == b
        case (.tooShort, _), (.leftOver, _), (.unexpected, _), (.tooLong, _): false
        }
    }
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooShort(let purpose, let missing): "too short for \(purpose): \(missing) octets missing"
        case .leftOver(let count, let purpose): "\(count) octets left over in \(purpose)"
        case .unexpected(let purpose, let value): "unexpected \(purpose) \(value)"
        case .tooLong(let purpose, let excess): "\(purpose) too long by \(excess) octets"
        }
    }
}
