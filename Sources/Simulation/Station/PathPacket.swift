import Wire

/// The body of a data frame: a UDP datagram between two link-local addresses.
///
/// - Spec: 802.11-2020 §5.1.4 (LLC/SNAP), RFC 8200 §3, RFC 768.
struct PathPacket: Equatable {
    /// So that IPv6 packets have at most 1500 octets.
    static let payloadLimit = 1452
    private static let snap: [UInt8] = [0xaa, 0xaa, 3, 0, 0, 0, 0x86, 0xdd]
    private static let linkLocal: UInt64 = 0xfe80_0000_0000_0000
    private static let userDatagram: UInt8 = 17
    private static let userDatagramHead = 8

    /// Interface identifiers: the lower halves of the addresses.
    var source: UInt64
    var destination: UInt64
    var sourcePort: UInt16
    var destinationPort: UInt16
    var payload: [UInt8]

    init(source: UInt64, destination: UInt64, sourcePort: UInt16, destinationPort: UInt16, payload: [UInt8]) {
        self.source = source
        self.destination = destination
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.payload = payload
    }

    init(parsing body: [UInt8]) throws(WireError) {
        var reader = FrameReader(body.span.bytes)
        let snap = try reader.octets(Self.snap.count, "LLC and SNAP")
        guard snap == Self.snap else {
            throw .unexpected("protocol", value: UInt64(snap[6]) << 8 | UInt64(snap[7]))
        }
        let version = try reader.bigEndian32("version") >> 28
        guard version == 6 else { throw .unexpected("IP version", value: UInt64(version)) }
        let length = try reader.bigEndian16("payload length")
        let next = try reader.octet("next header")
        guard next == Self.userDatagram else { throw .unexpected("next header", value: UInt64(next)) }
        _ = try reader.octet("hop limit")
        source = try Self.address(from: &reader)
        destination = try Self.address(from: &reader)
        sourcePort = try reader.bigEndian16("source port")
        destinationPort = try reader.bigEndian16("destination port")
        let count = try reader.bigEndian16("UDP length")
        guard count == length else { throw .unexpected("UDP length", value: UInt64(count)) }
        let checksum = try reader.bigEndian16("UDP checksum")
        guard Int(count) == reader.remaining + Self.userDatagramHead else {
            throw .unexpected("UDP length", value: UInt64(count))
        }
        payload = reader.rest()
        // Zero is not allowed over IPv6, and no datagram has it.
        guard checksum == self.checksum else { throw .unexpected("UDP checksum", value: UInt64(checksum)) }
    }

    private static func address(from reader: inout FrameReader) throws(WireError) -> UInt64 {
        let prefix = try reader.bigEndian64("address")
        guard prefix == linkLocal else { throw .unexpected("address prefix", value: prefix) }
        return try reader.bigEndian64("address")
    }

    func octets() throws(WireError) -> [UInt8] {
        guard payload.count <= Self.payloadLimit else {
            throw .tooLong("datagram", by: payload.count - Self.payloadLimit)
        }
        let length = UInt16(payload.count + Self.userDatagramHead)
        var writer = FrameWriter()
        writer.octets(Self.snap)
        writer.bigEndian32(6 << 28)
        writer.bigEndian16(length)
        writer.octet(Self.userDatagram)
        writer.octet(64)
        writer.bigEndian64(Self.linkLocal)
        writer.bigEndian64(source)
        writer.bigEndian64(Self.linkLocal)
        writer.bigEndian64(destination)
        writer.bigEndian16(sourcePort)
        writer.bigEndian16(destinationPort)
        writer.bigEndian16(length)
        writer.bigEndian16(checksum)
        writer.octets(payload)
        return try writer.finish()
    }

    /// Over the pseudo-header, the ports, the length and the payload (RFC 8200 §8.1). Never zero.
    private var checksum: UInt16 {
        let length = UInt64(truncatingIfNeeded: payload.count + Self.userDatagramHead)
        var sum = 2 * length + UInt64(Self.userDatagram) + UInt64(sourcePort) + UInt64(destinationPort)
        for address in [Self.linkLocal, source, Self.linkLocal, destination] {
            sum += (address >> 48) + (address >> 32 & 0xffff) + (address >> 16 & 0xffff) + (address & 0xffff)
        }
        var isHigh = true
        for octet in payload {
            sum += isHigh ? UInt64(octet) << 8 : UInt64(octet)
            isHigh.toggle()
        }
        while sum > 0xffff { sum = (sum >> 16) + (sum & 0xffff) }
        return sum == 0xffff ? 0xffff : ~UInt16(sum)
    }
}
