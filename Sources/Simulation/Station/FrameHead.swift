import Frames
import Wire

/// What a MAC looks at in any frame: its type, its flags, its addresses and its number.
///
/// Management headers are read and written by ``Frames/ManagementHeader``; here are the frames that no host sees.
///
/// - Spec: 802.11-2020 §9.2.4, §9.3.1.4 (acknowledgement), §9.3.2.1 (data).
struct FrameHead {
    enum Kind: Equatable {
        case beacon
        case authentication
        case action
        /// QoS data between two data interfaces.
        case data
        case acknowledgement
        case other
    }

    static let managementCount = ManagementHeader.count
    /// With the QoS control field.
    static let dataCount = 26

    private static let dataControl: UInt8 = 0x88
    private static let acknowledgementControl: UInt8 = 0xd4

    var kind: Kind
    var isRetry = false
    var isProtected = false
    var receiver: MACAddress
    /// Zero in an acknowledgement, which does not say who sends it; so are the fields below.
    var transmitter = MACAddress(rawValue: 0)
    var cluster = MACAddress(rawValue: 0)
    var sequence: UInt16 = 0

    /// Octets of the header, before the body.
    var count: Int { kind == .data ? Self.dataCount : Self.managementCount }

    init(acknowledgementTo receiver: MACAddress) {
        kind = .acknowledgement
        self.receiver = receiver
    }

    init(
        _ kind: Kind, receiver: MACAddress, transmitter: MACAddress, cluster: MACAddress, sequence: UInt16 = 0
    ) {
        self.kind = kind
        self.receiver = receiver
        self.transmitter = transmitter
        self.cluster = cluster
        self.sequence = sequence
    }
}

// MARK: Octets
//
//   acknowledgement: d4 | flags (1) | duration (2) | receiver (6)
//   QoS data: 88 | flags (1) | duration (2) | receiver (6) | transmitter (6) | cluster (6) | sequence (12 bits),
//   fragment (4) | QoS control (2)

extension FrameHead {
    init(parsing octets: [UInt8]) throws(WireError) {
        var reader = FrameReader(octets.span.bytes)
        switch octets.first {
        case Self.dataControl: try self.init(data: &reader)
        case Self.acknowledgementControl: try self.init(acknowledgement: reader)
        case .none, .some: try self.init(management: &reader)
        }
    }

    private init(management reader: inout FrameReader) throws(WireError) {
        let header = try ManagementHeader(parsing: &reader)
        let kind: Kind =
            switch header.subtype {
            case .beacon: .beacon
            case .authentication: .authentication
            case .action: .action
            default: .other
            }
        self.init(
            kind, receiver: header.receiver, transmitter: header.transmitter, cluster: header.cluster,
            sequence: header.sequence)
        isRetry = header.isRetry
        isProtected = header.isProtected
    }

    private init(data reader: inout FrameReader) throws(WireError) {
        kind = .data
        _ = try reader.octet("frame control")
        let flags = try reader.octet("frame flags")
        // Frames to or through access points, and those with an HT control field, have longer headers.
        guard flags & ~(FrameFlags.retry | FrameFlags.protected) == 0 else {
            throw .unexpected("frame flags", value: UInt64(flags))
        }
        isRetry = flags & FrameFlags.retry != 0
        isProtected = flags & FrameFlags.protected != 0
        _ = try reader.number16("frame duration")
        receiver = try reader.address("frame receiver")
        transmitter = try reader.address("frame transmitter")
        cluster = try reader.address("frame's third address")
        sequence = try reader.number16("frame sequence") >> 4
        _ = try reader.number16("QoS control")
    }

    private init(acknowledgement frame: consuming FrameReader) throws(WireError) {
        var reader = frame
        kind = .acknowledgement
        _ = try reader.number32("frame control and duration")
        receiver = try reader.address("frame receiver")
        try reader.end("acknowledgement")
    }

    func octets() throws(WireError) -> [UInt8] {
        var writer = FrameWriter()
        switch kind {
        case .beacon: header(.beacon).write(into: &writer)
        case .authentication: header(.authentication).write(into: &writer)
        case .action: header(.action).write(into: &writer)
        case .acknowledgement:
            writer.number32(UInt32(Self.acknowledgementControl))
            writer.address(receiver)
        case .data:
            writer.number32(UInt32(Self.dataControl))
            writer.address(receiver)
            writer.address(transmitter)
            writer.address(cluster)
            writer.number16(sequence << 4)
            writer.number16(0)
        case .other: die("a frame of no known kind is written")
        }
        return try writer.finish()
    }

    private func header(_ subtype: ManagementHeader.Subtype) -> ManagementHeader {
        ManagementHeader(
            subtype: subtype, receiver: receiver, transmitter: transmitter, cluster: cluster,
            sequence: sequence)
    }
}

/// Bits of the second octet of a frame.
enum FrameFlags {
    static let retry: UInt8 = 0x08
    static let protected: UInt8 = 0x40
}
