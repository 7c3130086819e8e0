public import Wire

/// A frame on the simulated air, with what a receiver's hardware would know of it.
///
/// Stations exchange datagrams: `"AIR"`, version 1, time (8 octets), frequency (2), signal, zero, length (2), and
/// the 802.11 frame. Numbers have their least significant octet first.
public struct AirDatagram: Equatable, Sendable {
    /// The magic, the version and the fields before the frame.
    public static let headCount = 18
    /// The longest management frame: its header, its body, and what CCMP adds.
    public static let frameLimit = 24 + FrameWriter.managementLimit + 16

    private static let magic: UInt32 = 0x0152_4941

    /// When the frame was sent, in microseconds of the air's time, which all stations share.
    public var time: UInt64
    /// In MHz.
    public var frequency: UInt16
    /// How strong it arrives, in dBm.
    public var signal: Int8
    /// The whole frame without its check sequence.
    public var frame: [UInt8]

    public init(time: UInt64, frequency: UInt16, signal: Int8, frame: [UInt8]) {
        self.time = time
        self.frequency = frequency
        self.signal = signal
        self.frame = frame
    }

    public init(parsing octets: [UInt8]) throws(WireError) {
        var reader = FrameReader(octets.span.bytes)
        let magic = try reader.number32("air magic")
        guard magic == Self.magic else { throw .unexpected("air magic", value: UInt64(magic)) }
        time = try reader.number64("air time")
        frequency = try reader.number16("frequency")
        signal = Int8(bitPattern: try reader.octet("signal"))
        let reserved = try reader.octet("reserved octet")
        guard reserved == 0 else { throw .unexpected("reserved octet", value: UInt64(reserved)) }
        let count = try reader.number16("frame length")
        guard Int(count) <= Self.frameLimit else { throw .tooLong("frame", by: Int(count) - Self.frameLimit) }
        guard Int(count) <= reader.remaining else {
            throw .tooShort(for: "frame", missing: Int(count) - reader.remaining)
        }
        frame = reader.rest()
        guard frame.count == Int(count) else { throw .leftOver(frame.count - Int(count), in: "air datagram") }
    }

    public func octets() throws(WireError) -> [UInt8] {
        guard frame.count <= Self.frameLimit else {
            throw .tooLong("frame", by: frame.count - Self.frameLimit)
        }
        var writer = FrameWriter(limit: Self.headCount + Self.frameLimit)
        writer.number32(Self.magic)
        writer.number64(time)
        writer.number16(frequency)
        writer.octet(UInt8(bitPattern: signal))
        writer.octet(0)
        writer.number16(UInt16(frame.count))
        writer.octets(frame)
        return try writer.finish()
    }
}
