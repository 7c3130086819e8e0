internal import CShim
import Wire

/// Octets that must not leak: they exist once, are erased when their owner goes, and have no description.
public struct Secret: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer

    public var count: Int { storage.count }

    /// Secret octets that `fill` writes.
    public init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        storage = .allocate(byteCount: count, alignment: 8)
        fill(storage)
    }

    /// Takes over a copy; the caller's own octets stay the caller's to erase.
    public init(_ octets: [UInt8]) {
        self.init(count: octets.count) { $0.copyBytes(from: octets) }
    }

    public init(random count: Int, from entropy: any Entropy) {
        self.init(count: count) { entropy.fill($0) }
    }

    deinit { Self.end(storage) { $0.deallocate() } }

    /// The end of every secret: its octets are erased, then their memory is given back.
    static func end(
        _ storage: UnsafeMutableRawBufferPointer, _ giveBack: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        if let start = storage.baseAddress { shim_erase(start, storage.count) }
        giveBack(storage)
    }

    /// Lends the octets for the time of a call. What is copied out of there is the caller's to erase.
    public func withOctets<Result: ~Copyable>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
        use(UnsafeRawBufferPointer(storage))
    }

    /// A secret of its own made of some of the octets. Traps on a range outside.
    public func extracting(_ range: Range<Int>) -> Secret {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            die("a secret is cut outside its octets")
        }
        return withOctets { whole in
            Secret(count: range.count) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[range])) }
        }
    }

    /// Compares in a time that depends on the lengths alone.
    public func isEqual(to other: borrowing Secret) -> Bool {
        withOctets { own in other.withOctets { constantTimeEqual(own, $0) } }
    }

    /// 1 where both are the same, else 0, for where a branch would tell.
    func choiceEqual(to other: borrowing Secret) -> Choice {
        guard count == other.count else { die("numbers of one field have one length") }
        return withOctets { own in
            other.withOctets { Choice(shim_equal(own.baseAddress, $0.baseAddress, own.count)) }
        }
    }
}

/// A secret that several owners refer to. Its octets still exist once, and are erased when the last owner goes.
public final class Key: Sendable {
    public let secret: Secret

    public init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension Secret: @unchecked Sendable {}

/// Where random octets come from: the system, or a seeded generator in a simulation.
public protocol Entropy: AnyObject {
    func fill(_ octets: UnsafeMutableRawBufferPointer)
}

// Inlined always: this module, which does not call them, would leave Embedded Swift's trap under their names (see
// board/dead-functions).
extension Entropy {
    @inline(__always)
    public func octets(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }

    @inline(__always)
    public func number64() -> UInt64 { octets(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension [UInt8] {
    /// Overwrites secret octets that had to be in an array for a while. Works where the array is nobody else's too.
    public mutating func erase() {
        withUnsafeMutableBytes { octets in
            if let start = octets.baseAddress { shim_erase(start, octets.count) }
        }
    }
}

/// Compares codes and tags in a time that depends on the lengths alone.
public func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { constantTimeEqual(one, $0) } }
}

private func constantTimeEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    return shim_equal(one.baseAddress, other.baseAddress, one.count) != 0
}
