/// Reads a received frame from front to back without copying it.
///
/// A reader cannot outlive the octets that it reads. Each read names what it is for; the name is what an
/// operator sees when a peer sends too little. A failed read leaves the reader where it was.
public struct FrameReader: ~Copyable, ~Escapable {
    private let octets: RawSpan
    private var position = 0

    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
    }

    public var remaining: Int { octets.byteCount - position }

    public mutating func octet(_ purpose: StaticString) throws(WireError) -> UInt8 {
        try need(1, purpose)
        defer { position += 1 }
        return octets.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
    }

    /// A 16-bit number, least significant octet first, as 802.11 sends them.
    public mutating func number16(_ purpose: StaticString) throws(WireError) -> UInt16 {
        UInt16(littleEndian: try load(purpose))
    }

    /// A 16-bit number, most significant octet first, as EAPOL-Key descriptors send them.
    public mutating func bigEndian16(_ purpose: StaticString) throws(WireError) -> UInt16 {
        UInt16(bigEndian: try load(purpose))
    }

    public mutating func number32(_ purpose: StaticString) throws(WireError) -> UInt32 {
        UInt32(littleEndian: try load(purpose))
    }

    public mutating func bigEndian32(_ purpose: StaticString) throws(WireError) -> UInt32 {
        UInt32(bigEndian: try load(purpose))
    }

    public mutating func number64(_ purpose: StaticString) throws(WireError) -> UInt64 {
        UInt64(littleEndian: try load(purpose))
    }

    public mutating func bigEndian64(_ purpose: StaticString) throws(WireError) -> UInt64 {
        UInt64(bigEndian: try load(purpose))
    }

    public mutating func address(_ purpose: StaticString) throws(WireError) -> MACAddress {
        try need(6, purpose)
        var value: UInt64 = 0
        for _ in 0..<6 {
            value = value << 8 | UInt64(octets.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self))
            position += 1
        }
        return MACAddress(rawValue: value)
    }

    /// The next `count` octets, copied: for what is kept after the frame is gone.
    public mutating func octets(_ count: Int, _ purpose: StaticString) throws(WireError) -> [UInt8] {
        try need(count, purpose)
        defer { position += count }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for offset in 0..<count {
                buffer[offset] = octets.unsafeLoad(fromUncheckedByteOffset: position + offset, as: UInt8.self)
            }
            filled = count
        }
    }

    /// Everything that is left, copied. The reader is at its end afterwards.
    public mutating func rest() -> [UInt8] {
        let count = remaining
        defer { position += count }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for offset in 0..<count {
                buffer[offset] = octets.unsafeLoad(fromUncheckedByteOffset: position + offset, as: UInt8.self)
            }
            filled = count
        }
    }

    /// A reader of the next `count` octets only, which this one passes over.
    @_lifetime(copy self)
    public mutating func slice(_ count: Int, _ purpose: StaticString) throws(WireError) -> FrameReader {
        try need(count, purpose)
        defer { position += count }
        return FrameReader(octets.extracting(position..<position + count))
    }

    /// Ends the reading: octets that nobody asked for are a peer's mistake.
    public consuming func end(_ purpose: StaticString) throws(WireError) {
        guard remaining == 0 else { throw .leftOver(remaining, in: purpose) }
    }

    private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ purpose: StaticString
    ) throws(WireError) -> Number {
        try need(MemoryLayout<Number>.size, purpose)
        defer { position += MemoryLayout<Number>.size }
        return octets.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Number.self)
    }

    private func need(_ count: Int, _ purpose: StaticString) throws(WireError) {
        guard count >= 0, count <= remaining else {
            throw .tooShort(for: purpose, missing: count - remaining)
        }
    }
}
