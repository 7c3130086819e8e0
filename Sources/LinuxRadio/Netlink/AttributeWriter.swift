import Crypto
import Wire

/// Writes the attributes of a netlink message, up to a limit.
///
/// A mistake sticks: everything may be written without checking, and ``finish()`` says at the end whether it fitted.
/// The room is reserved at once, so that secrets which are written leave no copies where an array grew. Numbers are
/// in the machine's order, which on all machines that Awared runs on is the least significant octet first.
///
/// - Spec: RFC 3549, section 2.2; attributes as in linux/netlink.h, struct nlattr.
struct AttributeWriter {
    /// No request of ours is longer: a frame of 2304 octets with its header, and little else.
    static let limit = 4096
    /// Length and number.
    static let headCount = 4
    private static let nested: UInt16 = 0x8000

    private var written: [UInt8] = []
    private var failure: WireError?

    init() {
        written.reserveCapacity(Self.limit)
    }

    mutating func flag(_ number: UInt16) { value(number, count: 0) { _ in } }
    mutating func octet(_ number: UInt16, _ value: UInt8) { octets(number, [value]) }
    mutating func number16(_ number: UInt16, _ value: UInt16) { integer(number, value) }
    mutating func number32(_ number: UInt16, _ value: UInt32) { integer(number, value) }
    mutating func number64(_ number: UInt16, _ value: UInt64) { integer(number, value) }
    mutating func address(_ number: UInt16, _ value: MACAddress) { octets(number, value.octets) }

    mutating func octets(_ number: UInt16, _ octets: [UInt8]) {
        value(number, count: octets.count) { $0 += octets }
    }

    /// A text with the zero octet that ends it.
    mutating func text(_ number: UInt16, _ text: String) { octets(number, Array(text.utf8) + [0]) }

    mutating func secret(_ number: UInt16, _ key: Key) {
        key.secret.withOctets { octets in
            value(number, count: octets.count) { $0.append(contentsOf: octets) }
        }
    }

    /// An attribute made of the attributes that `body` writes.
    mutating func nest(_ number: UInt16, _ body: (inout AttributeWriter) -> Void) {
        let start = written.count
        head(number | Self.nested, count: 0)
        body(&self)
        guard failure == nil else { return }
        setLength(at: start, from: start)
    }

    /// The message's header, whose length ``finish()`` fills in, and what its family has before attributes.
    mutating func head(kind: UInt16, flags: UInt16, _ head: [UInt8]) {
        guard room(for: NetlinkMessage.headCount + head.count) else { return }
        for field in [0, 0, kind, flags, 0, 0, 0, 0] as [UInt16] { append(field) }
        written += head
    }

    /// The octets, or the first thing that did not fit.
    consuming func finish() throws(WireError) -> [UInt8] {
        if let failure { throw failure }
        setLength(at: 0, from: 0)
        return written
    }

    private mutating func integer<Number: FixedWidthInteger>(_ number: UInt16, _ value: Number) {
        self.value(number, count: MemoryLayout<Number>.size) { written in
            var rest = value
            for _ in 0..<MemoryLayout<Number>.size {
                written.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            }
        }
    }

    private mutating func value(_ number: UInt16, count: Int, _ append: (inout [UInt8]) -> Void) {
        guard room(for: Self.headCount + count + 3) else { return }
        head(number, count: count)
        append(&written)
        while written.count % 4 != 0 { written.append(0) }
    }

    private mutating func head(_ number: UInt16, count: Int) {
        guard room(for: Self.headCount) else { return }
        append(UInt16(Self.headCount + count))
        append(number)
    }

    private mutating func append(_ field: UInt16) {
        written.append(UInt8(truncatingIfNeeded: field))
        written.append(UInt8(truncatingIfNeeded: field >> 8))
    }

    /// The limit is far below what two octets hold.
    private mutating func setLength(at place: Int, from start: Int) {
        let length = written.count - start
        written[place] = UInt8(truncatingIfNeeded: length)
        written[place + 1] = UInt8(truncatingIfNeeded: length >> 8)
    }

    private mutating func room(for count: Int) -> Bool {
        let excess = written.count + count - Self.limit
        if excess > 0, failure == nil { failure = .tooLong("netlink message", by: excess) }
        return failure == nil
    }
}
