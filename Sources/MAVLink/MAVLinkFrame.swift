/// One MAVLink frame that stood the checks: its octets as they came, which is also how they are passed on.
///
/// - Spec: MAVLink guide, "Packet Serialization".
public struct MAVLinkFrame: Equatable, Sendable {
    public enum Version: Sendable {
        case one
        case two
    }

    /// The whole frame: start marker, header, payload, check value, and the signature if it has one.
    public let octets: [UInt8]

    /// Longest frame there is: of version two, with 255 octets of payload and a signature.
    public static let limit = 10 + 255 + 2 + 13

    /// The caller has measured and verified the octets.
    init(verified octets: [UInt8]) {
        self.octets = octets
    }

    public var version: Version { octets[0] == Layout.two.marker ? .two : .one }
    public var sequence: UInt8 { octets[layout.sequence] }
    public var sender: MAVLinkAddress {
        MAVLinkAddress(system: octets[layout.sequence + 1], component: octets[layout.sequence + 2])
    }
    public var message: MessageID { layout.message(of: octets, at: 0) }
    public var isSigned: Bool { version == .two && octets[2] & Layout.signed != 0 }
    public var payload: ArraySlice<UInt8> { octets[layout.header..<layout.header + Int(octets[1])] }

    private var layout: Layout { version == .two ? .two : .one }
}

/// Who sends or receives a message: a system (a vehicle, a ground station) and a part of it. Zero means all.
public struct MAVLinkAddress: Hashable, Sendable {
    public var system: UInt8
    public var component: UInt8

    public init(system: UInt8, component: UInt8) {
        self.system = system
        self.component = component
    }
}

/// The number of a kind of message. Peers send kinds that we do not know.
public struct MessageID: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

// MARK: Octets
//
//   version one   0xfe | length (1)                                        | sequence | system | component | message (1)
//   version two   0xfd | length (1) | incompatible (1) | compatible (1)    | sequence | system | component | message (3)
//   both          … payload | check value (2) over all but the marker, and the seed of the message
//                 … signature (13), in version two, if so flagged

/// Where the fields of a version's header are.
struct Layout {
    var marker: UInt8
    var sequence: Int
    var messageOctets: Int

    static let one = Layout(marker: 0xfe, sequence: 2, messageOctets: 1)
    static let two = Layout(marker: 0xfd, sequence: 4, messageOctets: 3)

    /// The only flag of those that a receiver has to understand.
    static let signed: UInt8 = 0x01
    static let signatureLength = 13
    static let checksumLength = 2

    init(marker: UInt8, sequence: Int, messageOctets: Int) {
        self.marker = marker
        self.sequence = sequence
        self.messageOctets = messageOctets
    }

    /// Nil where no frame starts with this octet.
    init?(marker: UInt8) {
        switch marker {
        case Layout.one.marker: self = .one
        case Layout.two.marker: self = .two
        default: return nil
        }
    }

    var header: Int { sequence + 3 + messageOctets }

    /// The caller has seen to it that a header is there.
    func message(of octets: [UInt8], at start: Int) -> MessageID {
        var number: UInt32 = 0
        for offset in 0..<messageOctets {
            number |= UInt32(octets[start + sequence + 3 + offset]) << UInt32(8 * offset)
        }
        return MessageID(rawValue: number)
    }
}
