public import Wire

/// Why a capture can be read no further, and where.
public struct CaptureError: Error, Equatable {
    public enum Reason: Error, Equatable, Sendable {
        /// Neither pcap nor pcapng.
        case unknownFormat
        /// The system refused to read the file; its error number.
        case unreadable(errno: Int32)
        /// The file ends inside of what it announced.
        case endsInside(StaticString)
        /// A length that cannot be.
        case badLength(StaticString, UInt32)
        case unknownInterface(UInt32)
        /// Packets that are not 802.11 frames.
        case foreignLink(UInt32)
        case malformed(WireError)
    }

    /// The packet being read, counted from one as Wireshark does; zero for the file's beginning.
    public var packet: Int
    public var reason: Reason

    public init(packet: Int, reason: Reason) {
        self.packet = packet
        self.reason = reason
    }
}

extension CaptureError.Reason {
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.unknownFormat, .unknownFormat), (.endsInside, .endsInside): true
        case (.unreadable(let a), .unreadable(let b)): a == b
        case (.badLength(_, let a), .badLength(_, let b)): a == b
        case (.unknownInterface(let a), .unknownInterface(let b)): a == b
        case (.foreignLink(let a), .foreignLink(let b)): a == b
        case (.malformed(let a), .malformed(let b)): a == b
        case (.unknownFormat, _), (.unreadable, _), (.endsInside, _), (.badLength, _), (.unknownInterface, _),
            (.foreignLink, _), (.malformed, _):
            false
        }
    }
}

extension CaptureError: CustomStringConvertible {
    public var description: String {
        packet == 0 ? reason.description : "packet \(packet): \(reason.description)"
    }
}

extension CaptureError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownFormat: "this is neither a pcap nor a pcapng file"
        case .unreadable(let errno): "the file cannot be read (error \(errno))"
        case .endsInside(let part): "the file ends inside the \(part)"
        case .badLength(let part, let length): "the \(part) cannot have a length of \(length)"
        case .unknownInterface(let number): "it names interface \(number), which was not described"
        case .foreignLink(let number):
            "link type \(number)\(LinkType.name(of: number)) is not 802.11: capture with 105 (802.11), 127 (radiotap) or 253 (netlink)"
        case .malformed(let error): error.description
        }
    }
}

/// What stands before a frame in a capture.
///
/// - Spec: the link-layer header types of tcpdump.org.
enum LinkType: UInt32, Sendable {
    case bare = 105
    case radiotap = 127
    case netlink = 253

    /// The best known of those that we refuse.
    static func name(of number: UInt32) -> String {
        switch number {
        case 0: " (BSD loopback)"
        case 1: " (Ethernet)"
        case 101: " (raw IP)"
        case 113: " (Linux cooked)"
        case 119: " (802.11 with a Prism header)"
        case 163: " (802.11 with an AVS header)"
        case 192: " (per-packet information)"
        case 276: " (Linux cooked, second version)"
        default: ""
        }
    }
}
