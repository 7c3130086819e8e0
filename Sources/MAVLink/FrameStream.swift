/// Finds the frames in what a serial line or a datagram brings, and drops what is damaged.
///
/// A frame whose check value is wrong is passed over octet by octet until the next start marker. The check value
/// of a message that we do not know cannot be verified; its frame is passed on, so that vehicles and ground
/// stations newer than this program still understand each other. At most one frame's octets are kept back.
public struct FrameStream: Sendable {
    public struct Counters: Equatable, Sendable {
        public var frames: UInt64 = 0
        /// Of those, the ones whose check value nobody here can verify.
        public var unknown: UInt64 = 0
        public var badChecksums: UInt64 = 0
        /// Octets that belong to no frame, those of damaged frames included.
        public var skippedOctets: UInt64 = 0

        public init() {}
    }

    public private(set) var counters = Counters()
    private var pending: [UInt8] = []

    public init() {}

    /// The frames that are whole now. The start of a further one is kept for the next call.
    public mutating func receive(_ octets: [UInt8]) -> [MAVLinkFrame] {
        if pending.isEmpty { return split(octets, more: true) }
        let joined = pending + octets
        pending.removeAll(keepingCapacity: true)
        return split(joined, more: true)
    }

    /// The frames of a datagram. A frame never goes on in the next one.
    public mutating func receive(datagram: [UInt8]) -> [MAVLinkFrame] {
        split(datagram, more: false)
    }

    private enum Finding {
        /// So many octets make a frame.
        case frame(Int)
        case unknownFrame(Int)
        case damaged
        case noStart
        /// The octets end within it.
        case partial
    }

    private mutating func split(_ octets: [UInt8], more: Bool) -> [MAVLinkFrame] {
        var frames: [MAVLinkFrame] = []
        var position = 0
        while position < octets.count {
            let finding = Self.look(at: octets, from: position)
            switch finding {
            case .frame(let count), .unknownFrame(let count):
                frames.append(MAVLinkFrame(verified: Array(octets[position..<position + count])))
                counters.frames += 1
                if case .unknownFrame = finding { counters.unknown += 1 }
                position += count
                continue
            case .damaged:
                counters.badChecksums += 1
            case .partial where more:
                pending = Array(octets[position...])
                return frames
            case .partial, .noStart:
                break
            }
            counters.skippedOctets += 1
            position += 1
        }
        return frames
    }

    private static func look(at octets: [UInt8], from start: Int) -> Finding {
        guard let layout = Layout(marker: octets[start]) else { return .noStart }
        let available = octets.count - start
        guard available >= 3 else { return .partial }
        var count = layout.header + Int(octets[start + 1]) + Layout.checksumLength
        if layout.marker == Layout.two.marker {
            let flags = octets[start + 2]
            guard flags & ~Layout.signed == 0 else { return .noStart }
            if flags & Layout.signed != 0 { count += Layout.signatureLength }
        }
        guard available >= count else { return .partial }

        let message = layout.message(of: octets, at: start)
        guard let seed = ChecksumSeeds.seed(of: message) else {
            // Noise looks like an unknown message now and then, but is hardly followed by a start marker.
            let next = start + count
            let ends = next == octets.count || Layout(marker: octets[next]) != nil
            return ends ? .unknownFrame(count) : .noStart
        }
        let end = start + layout.header + Int(octets[start + 1])
        var checksum = Checksum()
        checksum.add(octets[(start + 1)..<end])
        checksum.add(seed)
        let sent = UInt16(octets[end]) | UInt16(octets[end + 1]) << 8
        return sent == checksum.value ? .frame(count) : .damaged
    }
}
