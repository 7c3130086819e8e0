public import Crypto
public import Frames
public import Ports
public import Wire

/// What a data path's machine wants done, in this order.
public enum DataPathAction: Sendable {
    /// The body of an action frame, from our management interface to the peer's.
    case send([UInt8])
    case setPeerSchedule(PeerSchedule)
    case open(DataPeer, key: Key)
    case established(DataPathFacts)
    /// Named by the peer's data interface.
    case close(MACAddress)
    /// The machine has come to its end.
    case ended(DataPathEnding)
}

/// What is known of a data path that carries traffic.
public struct DataPathFacts: Equatable, Sendable {
    public var name: DataPathName
    /// The peer's management and data interface, and the lower half of its IPv6 link-local address.
    public var peer: MACAddress
    public var peerDataInterface: MACAddress
    public var peerInterfaceIdentifier: UInt64
    public var publish: UInt8
    public var suite: CipherSuite
    /// Where the peer listens, if it said so.
    public var peerPort: UInt16?
    public var peerTransport: GenericService.Transport?
    /// In seconds; zero for ever.
    public var idlePeriod: UInt16

    public init(
        name: DataPathName, peer: MACAddress, peerDataInterface: MACAddress, peerInterfaceIdentifier: UInt64,
        publish: UInt8, suite: CipherSuite, peerPort: UInt16?, peerTransport: GenericService.Transport?,
        idlePeriod: UInt16
    ) {
        self.name = name
        self.peer = peer
        self.peerDataInterface = peerDataInterface
        self.peerInterfaceIdentifier = peerInterfaceIdentifier
        self.publish = publish
        self.suite = suite
        self.peerPort = peerPort
        self.peerTransport = peerTransport
        self.idlePeriod = idlePeriod
    }
}

/// Why a data path, or the attempt at one, came to its end.
public enum DataPathEnding: Equatable, Sendable {
    case rejected(Reason)
    case terminatedByPeer(Reason)
    /// The peer did not send the message that was due.
    case silence(missing: ActionFrame.Subtype)
    case idle
    /// The peer proved who it is, but what it offers is of no use.
    case unusable(DataPathRefusal)
    /// By us.
    case stopped
}

extension DataPathEnding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .rejected(let reason): "rejected by the peer, reason \(reason.rawValue)"
        case .terminatedByPeer(let reason): "terminated by the peer, reason \(reason.rawValue)"
        case .silence(let missing): "the peer fell silent: action frame \(missing.rawValue) did not come"
        case .idle: "no traffic for too long"
        case .unusable(let refusal): "what the peer offers is of no use: \(refusal)"
        case .stopped: "stopped by us"
        }
    }
}
