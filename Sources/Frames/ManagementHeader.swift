public import Wire

/// The header of an 802.11 management frame: 24 octets, to which the radio adds the sequence number.
///
/// - Spec: 802.11-2020 §9.3.3.1.
public struct ManagementHeader: Equatable, Sendable {
    public struct Subtype: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let beacon = Subtype(rawValue: 8)
        public static let authentication = Subtype(rawValue: 11)
        public static let action = Subtype(rawValue: 13)
    }

    public var subtype: Subtype
    public var isProtected: Bool
    public var isRetry: Bool
    public var receiver: MACAddress
    public var transmitter: MACAddress
    /// Address 3: the cluster.
    public var cluster: MACAddress
    /// 0 … 4095; zero in what we hand to a radio.
    public var sequence: UInt16
    /// 0 … 15.
    public var fragment: UInt8
    /// The second octet of the frame control without the bits of `isRetry` and `isProtected`.
    public var otherFlags: UInt8
    /// How long the medium is taken, in microseconds; the radio's business.
    public var duration: UInt16

    public init(
        subtype: Subtype, receiver: MACAddress, transmitter: MACAddress, cluster: MACAddress,
        isProtected: Bool = false, isRetry: Bool = false, sequence: UInt16 = 0, fragment: UInt8 = 0,
        otherFlags: UInt8 = 0, duration: UInt16 = 0
    ) {
        self.subtype = subtype
        self.isProtected = isProtected
        self.isRetry = isRetry
        self.receiver = receiver
        self.transmitter = transmitter
        self.cluster = cluster
        self.sequence = sequence
        self.fragment = fragment
        self.otherFlags = otherFlags
        self.duration = duration
    }
}

// MARK: Octets
//
//   subtype (4 bits), type 0 (2), version 0 (2) | flags (1) | duration (2) | receiver (6) | transmitter (6) |
//   cluster (6) | sequence (12 bits), fragment (4)

extension ManagementHeader {
    public static let count = 24

    private enum Flag {
        static let retry: UInt8 = 1 << 3
        static let protected: UInt8 = 1 << 6
        /// An HT control field follows the header.
        static let order: UInt8 = 1 << 7
    }

    /// Reads the header and leaves the reader at the body; frames other than management frames are refused.
    public init(parsing frame: inout FrameReader) throws(WireError) {
        let control = try frame.octet("frame control")
        guard control & 0x0f == 0 else { throw .unexpected("frame type", value: UInt64(control & 0x0f)) }
        subtype = Subtype(rawValue: control >> 4)
        let flags = try frame.octet("frame flags")
        // The body would start later. No station of a cluster sends it.
        guard flags & Flag.order == 0 else { throw .unexpected("frame flags", value: UInt64(flags)) }
        isRetry = flags & Flag.retry != 0
        isProtected = flags & Flag.protected != 0
        otherFlags = flags & ~(Flag.retry | Flag.protected)
        duration = try frame.number16("frame duration")
        receiver = try frame.address("frame receiver")
        transmitter = try frame.address("frame transmitter")
        cluster = try frame.address("frame's third address")
        let order = try frame.number16("frame sequence")
        sequence = order >> 4
        fragment = UInt8(order & 0x0f)
    }

    public func write(into frame: inout FrameWriter) {
        guard subtype.rawValue < 16, sequence < 4096, fragment < 16 else {
            return frame.fail(.unexpected("frame subtype, sequence or fragment", value: UInt64(sequence)))
        }
        frame.octet(subtype.rawValue << 4)
        var flags = otherFlags & ~(Flag.retry | Flag.protected)
        if isRetry { flags |= Flag.retry }
        if isProtected { flags |= Flag.protected }
        frame.octet(flags)
        frame.number16(duration)
        frame.address(receiver)
        frame.address(transmitter)
        frame.address(cluster)
        frame.number16(sequence << 4 | UInt16(fragment))
    }
}
