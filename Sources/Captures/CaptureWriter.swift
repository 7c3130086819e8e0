import Wire

/// Makes the octets of a pcapng file, to be appended to it as they are made: nothing is kept back.
///
/// Each packet carries a radiotap header, so that Wireshark shows channel and signal.
///
/// - Spec: draft-ietf-opsawg-pcapng, Section Header, Interface Description and Enhanced Packet Blocks.
public struct CaptureWriter: Sendable {
    /// Which way a frame went, as the capturing station sees it.
    public enum Direction: UInt32, Sendable {
        case received = 1
        case sent = 2
    }

    /// The longest frame that a packet holds; what is longer is cut, and the packet says so.
    public static let frameLimit = 8192

    private static let snapLength: UInt32 = 262_144

    public init() {}

    /// The beginning of a file. Appended to an existing file, it begins a new section.
    ///
    /// - Parameters:
    ///   - application: Who writes, at most 255 octets of it.
    ///   - interface: What is being captured, at most 255 octets of it.
    public func beginning(application: String, interface: String) -> [UInt8] {
        block(PcapngBlock.sectionHeader) { octets in
            octets.append32(PcapngBlock.byteOrder)
            octets.append16(1)
            octets.append16(0)
            // Of unknown length, because it grows.
            octets.append32(.max)
            octets.append32(.max)
            octets.option(PcapngBlock.Option.application, Array(application.utf8.prefix(255)))
            octets.append32(0)
        }
            + block(PcapngBlock.interfaceDescription) { octets in
                octets.append16(UInt16(LinkType.radiotap.rawValue))
                octets.append16(0)
                octets.append32(Self.snapLength)
                octets.option(PcapngBlock.Option.interfaceName, Array(interface.utf8.prefix(255)))
                octets.option(PcapngBlock.Option.timeResolution, [6])
                octets.append32(0)
            }
    }

    /// One frame.
    ///
    /// - Parameters:
    ///   - frame: From the 802.11 header on, without a checksum.
    ///   - microseconds: Since 1970 began, or since whatever the simulation calls its beginning.
    ///   - frequency: In MHz.
    ///   - signal: In dBm.
    public func packet(
        _ frame: [UInt8], at microseconds: UInt64, frequency: UInt16?, signal: Int8?,
        direction: Direction? = nil
    ) -> [UInt8] {
        let header = Radiotap(frequency: frequency, signal: signal).octets
        let kept = frame.prefix(Self.frameLimit)
        return block(PcapngBlock.enhancedPacket) { octets in
            octets.append32(0)
            octets.append32(UInt32(truncatingIfNeeded: microseconds >> 32))
            octets.append32(UInt32(truncatingIfNeeded: microseconds))
            octets.append32(UInt32(truncatingIfNeeded: header.count + kept.count))
            octets.append32(UInt32(truncatingIfNeeded: header.count + frame.count))
            octets += header
            octets += kept
            octets.pad()
            if let direction {
                var flags: [UInt8] = []
                flags.append32(direction.rawValue)
                octets.option(PcapngBlock.Option.packetFlags, flags)
                octets.append32(0)
            }
        }
    }

    private func block(_ type: UInt32, _ body: (inout [UInt8]) -> Void) -> [UInt8] {
        var inside: [UInt8] = []
        body(&inside)
        let length = UInt32(truncatingIfNeeded: inside.count + 12)
        var octets: [UInt8] = []
        octets.append32(type)
        octets.append32(length)
        octets += inside
        octets.append32(length)
        return octets
    }
}

/// Numbers of pcapng.
enum PcapngBlock {
    static let sectionHeader: UInt32 = 0x0a0d_0d0a
    static let interfaceDescription: UInt32 = 1
    /// Obsolete, still written by old programs.
    static let packet: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let enhancedPacket: UInt32 = 6
    static let byteOrder: UInt32 = 0x1a2b_3c4d

    enum Option {
        static let end: UInt16 = 0
        static let interfaceName: UInt16 = 2
        static let packetFlags: UInt16 = 2
        static let application: UInt16 = 4
        static let timeResolution: UInt16 = 9
        static let timeOffset: UInt16 = 14
    }
}

extension Radiotap {
    /// At most 13 octets, which always fit.
    fileprivate var octets: [UInt8] {
        var writer = FrameWriter()
        write(into: &writer)
        return (try? writer.finish()) ?? []
    }
}

extension [UInt8] {
    fileprivate mutating func append16(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append32(_ value: UInt32) {
        append16(UInt16(truncatingIfNeeded: value))
        append16(UInt16(truncatingIfNeeded: value >> 16))
    }

    fileprivate mutating func pad() {
        while count % 4 != 0 { append(0) }
    }

    fileprivate mutating func option(_ code: UInt16, _ value: [UInt8]) {
        append16(code)
        append16(UInt16(truncatingIfNeeded: value.count))
        self += value
        pad()
    }
}
