public import Wire

/// A packet of a capture: a frame as it was on the air, and what is known around it.
public struct CapturedPacket: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        /// From the 802.11 header on, without the checksum.
        case frame([UInt8])
        /// What stands before the frame makes no sense.
        case refused(WireError)
    }

    /// From one, as Wireshark counts.
    public var number: Int
    /// In µs, usually since 1970 began.
    public var microseconds: UInt64
    public var radiotap: Radiotap
    public var content: Content
    /// The capturing program kept only the beginning.
    public var isCut: Bool
}

/// Reads the packets of a pcap or pcapng file, one after the other.
///
/// However the file was made, no more than one packet of at most ``packetLimit`` octets is in memory.
///
/// - Spec: draft-ietf-opsawg-pcap; draft-ietf-opsawg-pcapng.
public struct CaptureReader {
    public static let packetLimit = 262_144 + 64

    private enum Format {
        case pcap(PcapReader)
        case pcapng(PcapngReader)
    }

    private var source: OctetSource
    private var format: Format
    private var count = 0

    public init(octets: [UInt8]) throws(CaptureError) {
        try self.init(source: OctetSource(octets: octets))
    }

    /// Reads from an open file or pipe, which stays the caller's to close.
    public init(descriptor: Int32) throws(CaptureError) {
        try self.init(source: OctetSource(descriptor: descriptor))
    }

    private init(source: OctetSource) throws(CaptureError) {
        self.source = source
        do throws(CaptureError.Reason) {
            format = try Self.format(of: &self.source)
        } catch {
            throw CaptureError(packet: 0, reason: error)
        }
    }

    private static func format(of source: inout OctetSource) throws(CaptureError.Reason) -> Format {
        let magic = try source.read(4)
        if magic == [0x0a, 0x0d, 0x0d, 0x0a] { return .pcapng(try PcapngReader(afterMagicOf: &source)) }
        return .pcap(try PcapReader(magic: magic, headerFrom: &source))
    }

    /// The next packet, or nil at the end of the file. After an error there is no way on.
    public mutating func next() throws(CaptureError) -> CapturedPacket? {
        count += 1
        do throws(CaptureError.Reason) {
            return try record()?.packet(number: count)
        } catch {
            throw CaptureError(packet: count, reason: error)
        }
    }

    private mutating func record() throws(CaptureError.Reason) -> CaptureRecord? {
        switch format {
        case .pcap(let reader):
            return try reader.next(from: &source)
        case .pcapng(var reader):
            defer { format = .pcapng(reader) }
            return try reader.next(from: &source)
        }
    }
}

/// What both formats say of a packet.
struct CaptureRecord {
    var link: LinkType
    var microseconds: UInt64
    var octets: [UInt8]
    var isCut: Bool

    func packet(number: Int) -> CapturedPacket {
        var radiotap = Radiotap()
        let content: CapturedPacket.Content
        do throws(WireError) {
            content = .frame(try frame(behind: &radiotap))
        } catch {
            content = .refused(error)
        }
        return CapturedPacket(
            number: number, microseconds: microseconds, radiotap: radiotap, content: content, isCut: isCut)
    }

    private func frame(behind radiotap: inout Radiotap) throws(WireError) -> [UInt8] {
        switch link {
        case .bare: return octets
        case .netlink: return try NetlinkFrame.frame(in: octets)
        case .radiotap: break
        }
        var reader = FrameReader(octets.span.bytes)
        radiotap = try Radiotap(parsing: &reader)
        let frame = reader.rest()
        // A packet that was cut has lost its checksum first.
        guard radiotap.hasChecksum, !isCut else { return frame }
        guard frame.count >= 4 else { throw .tooShort(for: "checksum", missing: 4 - frame.count) }
        return Array(frame.dropLast(4))
    }
}

/// Numbers in the order of octets that the writer's machine had.
struct ByteOrder: Equatable {
    var isBigEndian: Bool

    func number16(_ reader: inout FrameReader, _ purpose: StaticString) throws(WireError) -> UInt16 {
        isBigEndian ? try reader.bigEndian16(purpose) : try reader.number16(purpose)
    }

    func number32(_ reader: inout FrameReader, _ purpose: StaticString) throws(WireError) -> UInt32 {
        isBigEndian ? try reader.bigEndian32(purpose) : try reader.number32(purpose)
    }

    func number64(_ reader: inout FrameReader, _ purpose: StaticString) throws(WireError) -> UInt64 {
        isBigEndian ? try reader.bigEndian64(purpose) : try reader.number64(purpose)
    }
}
