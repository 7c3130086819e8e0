import Wire

/// The older format: one header, then packets.
///
///     magic (4) | major, minor (2 each) | zone, accuracy (4 each) | snap length (4) | link type (4)
///     seconds (4) | µs or ns (4) | kept octets (4) | octets on the air (4) | packet
struct PcapReader {
    private static let microsecondMagic: UInt32 = 0xa1b2_c3d4
    private static let nanosecondMagic: UInt32 = 0xa1b2_3c4d

    private let order: ByteOrder
    private let isNanoseconds: Bool
    private let link: LinkType

    init(magic: [UInt8], headerFrom source: inout OctetSource) throws(CaptureError.Reason) {
        (order, isNanoseconds) = try Self.format(magic)
        let header = try source.read(20)
        guard header.count == 20 else { throw .endsInside("file header") }
        do throws(WireError) {
            var reader = FrameReader(header.span.bytes)
            _ = try reader.octets(16, "file header")
            // The upper half says whether and how long checksums are; radiotap says so too.
            let number = try order.number32(&reader, "link type") & 0xffff
            guard let link = LinkType(rawValue: number) else {
                throw .unexpected("link type", value: UInt64(number))
            }
            self.link = link
        } catch {
            if case .unexpected(_, let number) = error {
                throw .foreignLink(UInt32(truncatingIfNeeded: number))
            }
            throw .malformed(error)
        }
    }

    private static func format(_ magic: [UInt8]) throws(CaptureError.Reason) -> (
        ByteOrder, isNanoseconds: Bool
    ) {
        guard magic.count == 4 else { throw .unknownFormat }
        let number = magic.reduce(0) { $0 << 8 | UInt32($1) }
        switch number {
        case microsecondMagic: return (ByteOrder(isBigEndian: true), false)
        case nanosecondMagic: return (ByteOrder(isBigEndian: true), true)
        case microsecondMagic.byteSwapped: return (ByteOrder(isBigEndian: false), false)
        case nanosecondMagic.byteSwapped: return (ByteOrder(isBigEndian: false), true)
        default: throw .unknownFormat
        }
    }

    func next(from source: inout OctetSource) throws(CaptureError.Reason) -> CaptureRecord? {
        let header = try source.read(16)
        guard !header.isEmpty else { return nil }
        guard header.count == 16 else { throw .endsInside("packet header") }
        let fields: Header
        do throws(WireError) {
            fields = try Header(parsing: header, order)
        } catch {
            throw .malformed(error)
        }
        guard fields.kept <= CaptureReader.packetLimit else { throw .badLength("packet", fields.kept) }
        let octets = try source.read(Int(fields.kept))
        guard octets.count == Int(fields.kept) else { throw .endsInside("packet") }
        let fraction = isNanoseconds ? UInt64(fields.fraction) / 1000 : UInt64(fields.fraction)
        return CaptureRecord(
            link: link, microseconds: UInt64(fields.seconds) * 1_000_000 + fraction, octets: octets,
            isCut: fields.kept < fields.original)
    }

    private struct Header {
        var seconds: UInt32
        var fraction: UInt32
        var kept: UInt32
        var original: UInt32

        init(parsing octets: [UInt8], _ order: ByteOrder) throws(WireError) {
            var reader = FrameReader(octets.span.bytes)
            seconds = try order.number32(&reader, "packet time")
            fraction = try order.number32(&reader, "packet time")
            kept = try order.number32(&reader, "packet length")
            original = try order.number32(&reader, "packet length")
        }
    }
}
