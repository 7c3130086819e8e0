/// Writes a frame from front to back, up to a limit.
///
/// A mistake sticks: everything may be written without checking, and ``finish(_:)`` says at the end whether it
/// fitted. Lengths that come before what they measure are filled in afterwards.
public struct FrameWriter {
    /// The longest 802.11 management frame body that every radio takes.
    public static let managementLimit = 2304

    private var written: [UInt8] = []
    private let limit: Int
    private var failure: WireError?

    public init(limit: Int = FrameWriter.managementLimit) {
        self.limit = limit
    }

    public var count: Int { written.count }

    public mutating func octet(_ value: UInt8) { number(UInt64(value), count: 1) }

    /// Least significant octet first, as 802.11 sends numbers.
    public mutating func number16(_ value: UInt16) { number(UInt64(value), count: 2) }
    public mutating func number32(_ value: UInt32) { number(UInt64(value), count: 4) }
    public mutating func number64(_ value: UInt64) { number(value, count: 8) }

    /// Most significant octet first, as EAPOL-Key descriptors send numbers.
    public mutating func bigEndian16(_ value: UInt16) { number16(value.byteSwapped) }
    public mutating func bigEndian32(_ value: UInt32) { number32(value.byteSwapped) }
    public mutating func bigEndian64(_ value: UInt64) { number64(value.byteSwapped) }

    @inline(never)
    public mutating func octets(_ values: [UInt8]) {
        guard room(for: values.count) else { return }
        written += values
    }

    public mutating func zeros(_ count: Int) {
        guard room(for: count) else { return }
        written += repeatElement(0, count: count)
    }

    public mutating func address(_ address: MACAddress) { octets(address.octets) }

    /// Writes what `body` writes after its length in one octet.
    public mutating func measured8(_ purpose: StaticString, _ body: (inout FrameWriter) -> Void) {
        let start = written.count
        octet(0)
        body(&self)
        let length = written.count - start - 1
        guard failure == nil else { return }
        guard length <= UInt8.max else { return fail(.tooLong(purpose, by: length - Int(UInt8.max))) }
        written[start] = UInt8(length)
    }

    /// Writes what `body` writes after its length in two octets, least significant first.
    public mutating func measured16(_ purpose: StaticString, _ body: (inout FrameWriter) -> Void) {
        let start = written.count
        number16(0)
        body(&self)
        let length = written.count - start - 2
        guard failure == nil else { return }
        guard length <= UInt16.max else { return fail(.tooLong(purpose, by: length - Int(UInt16.max))) }
        written[start] = UInt8(truncatingIfNeeded: length)
        written[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
    }

    /// For a caller that finds its value not to be writable.
    public mutating func fail(_ error: WireError) {
        if failure == nil { failure = error }
    }

    /// The octets, or the first thing that did not fit.
    public consuming func finish() throws(WireError) -> [UInt8] {
        if let failure { throw failure }
        return written
    }

    /// Not inlined: hundreds of fields are written with it.
    @inline(never)
    private mutating func number(_ value: UInt64, count: Int) {
        guard room(for: count) else { return }
        var rest = value
        for _ in 0..<count {
            written.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private mutating func room(for count: Int) -> Bool {
        let excess = written.count + count - limit
        if excess > 0 { fail(.tooLong("frame", by: excess)) }
        return failure == nil
    }
}
