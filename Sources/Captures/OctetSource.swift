internal import CShim

/// Where a capture's octets come from, read once from front to back.
struct OctetSource {
    private enum Origin {
        case octets([UInt8])
        case descriptor(Int32)
    }

    /// What the descriptor is asked for at once.
    private static let chunk = 65536

    private let origin: Origin
    private var buffer: [UInt8]
    private var position = 0
    private var isAtEnd: Bool

    init(octets: [UInt8]) {
        origin = .octets([])
        buffer = octets
        isAtEnd = true
    }

    init(descriptor: Int32) {
        origin = .descriptor(descriptor)
        buffer = []
        isAtEnd = false
    }

    /// The next `count` octets, or as many as there are before the end.
    mutating func read(_ count: Int) throws(CaptureError.Reason) -> [UInt8] {
        try fill(count)
        let end = min(buffer.count, position + count)
        defer { position = end }
        return Array(buffer[position..<end])
    }

    /// Passes over `count` octets; false where the end comes first. Nothing is kept, whatever the count.
    mutating func skip(_ count: Int) throws(CaptureError.Reason) -> Bool {
        var left = count
        while left > 0 {
            let step = min(left, Self.chunk)
            guard try read(step).count == step else { return false }
            left -= step
        }
        return true
    }

    private mutating func fill(_ count: Int) throws(CaptureError.Reason) {
        guard case .descriptor(let descriptor) = origin, !isAtEnd, buffer.count - position < count else {
            return
        }
        buffer.removeFirst(position)
        position = 0
        while buffer.count < count, !isAtEnd {
            let more = try Self.chunk(from: descriptor)
            isAtEnd = more.isEmpty
            buffer += more
        }
    }

    private static func chunk(from descriptor: Int32) throws(CaptureError.Reason) -> [UInt8] {
        var result = 0
        let octets = [UInt8](unsafeUninitializedCapacity: chunk) { space, filled in
            result = shim_read(descriptor, space.baseAddress, space.count)
            filled = max(0, result)
        }
        guard result >= 0 else { throw .unreadable(errno: Int32(truncatingIfNeeded: -result)) }
        return octets
    }
}
