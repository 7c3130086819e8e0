public import Wire

/// What a radio says of a frame that it took from the air.
///
/// - Spec: radiotap.org, version 0.
public struct Radiotap: Equatable, Sendable {
    /// The radio's own clock in µs.
    public var clock: UInt64?
    /// Four octets of checksum stand behind the frame.
    public var hasChecksum = false
    /// The checksum was wrong.
    public var isDamaged = false
    /// In MHz.
    public var frequency: UInt16?
    /// In dBm.
    public var signal: Int8?

    public init(frequency: UInt16? = nil, signal: Int8? = nil) {
        self.frequency = frequency
        self.signal = signal
    }
}

// MARK: Octets
//
//   version (1), zero | pad (1) | length of all of this (2) | present (4), more while bit 31 is set | fields
//
// A field begins at a multiple of its own alignment, counted from the version. We need no field behind the
// signal, and none of the further namespaces that more words of presence describe.

extension Radiotap {
    private enum Present {
        static let clock: UInt32 = 1 << 0
        static let flags: UInt32 = 1 << 1
        static let rate: UInt32 = 1 << 2
        static let channel: UInt32 = 1 << 3
        static let hopping: UInt32 = 1 << 4
        static let signal: UInt32 = 1 << 5
        static let extended: UInt32 = 1 << 31
    }

    private enum Flags {
        static let checksum: UInt8 = 0x10
        static let damaged: UInt8 = 0x40
    }

    /// Channel flags: a 2 GHz or 5 GHz channel, with OFDM.
    private enum Channel {
        static let ofdm: UInt16 = 0x0040
        static let twoGigahertz: UInt16 = 0x0080
        static let fiveGigahertz: UInt16 = 0x0100
    }

    /// Takes the header off the front of a packet; what remains in the reader is the frame.
    public init(parsing packet: inout FrameReader) throws(WireError) {
        let version = try packet.octet("radiotap version")
        guard version == 0 else { throw .unexpected("radiotap version", value: UInt64(version)) }
        _ = try packet.octet("radiotap padding")
        let length = try packet.number16("radiotap length")
        guard length >= 8 else { throw .unexpected("radiotap length", value: UInt64(length)) }
        let header = try packet.slice(Int(length) - 4, "radiotap header")
        self.init()
        try parse(fields: header, headerLength: Int(length))
    }

    private mutating func parse(fields: consuming FrameReader, headerLength: Int) throws(WireError) {
        let present = try fields.number32("radiotap presence")
        var word = present
        while word & Present.extended != 0 { word = try fields.number32("radiotap presence") }

        if present & Present.clock != 0 {
            try Self.align(&fields, to: 8, headerLength)
            clock = try fields.number64("radiotap clock")
        }
        if present & Present.flags != 0 {
            let flags = try fields.octet("radiotap flags")
            hasChecksum = flags & Flags.checksum != 0
            isDamaged = flags & Flags.damaged != 0
        }
        if present & Present.rate != 0 { _ = try fields.octet("radiotap rate") }
        if present & Present.channel != 0 {
            try Self.align(&fields, to: 2, headerLength)
            frequency = try fields.number16("radiotap frequency")
            _ = try fields.number16("radiotap channel flags")
        }
        if present & Present.hopping != 0 { _ = try fields.octets(2, "radiotap hopping") }
        if present & Present.signal != 0 { signal = Int8(bitPattern: try fields.octet("radiotap signal")) }
    }

    private static func align(
        _ fields: inout FrameReader, to alignment: Int, _ headerLength: Int
    ) throws(WireError) {
        let position = headerLength - fields.remaining
        _ = try fields.octets((alignment - position % alignment) % alignment, "radiotap alignment")
    }

    /// Writes channel and signal, whichever are known; a frame without checksum follows.
    public func write(into packet: inout FrameWriter) {
        let length: UInt16 = 8 + (frequency == nil ? 0 : 4) + (signal == nil ? 0 : 1)
        packet.octet(0)
        packet.octet(0)
        packet.number16(length)
        packet.number32((frequency == nil ? 0 : Present.channel) | (signal == nil ? 0 : Present.signal))
        if let frequency {
            packet.number16(frequency)
            packet.number16(Channel.ofdm | (frequency < 3000 ? Channel.twoGigahertz : Channel.fiveGigahertz))
        }
        if let signal { packet.octet(UInt8(bitPattern: signal)) }
    }
}
