public import Wire

/// What stands behind a published service: its sockets, and the vehicle or the sensors behind them.
public protocol ServiceChannel: Turnable {
    /// The full name, as in `_drone-service._udp`.
    var service: String { get }
    /// A paired device can reach the service now. Datagrams from other addresses are nobody's.
    func opened(_ path: ServicePath, at now: Instant)
    /// The device cannot reach the service any more; the path is one that was opened.
    func closed(_ path: ServicePath, at now: Instant)
}

/// A data path as a service sees it.
public struct ServicePath: Hashable, Sendable {
    /// The paired device, and what it calls itself.
    public var device: String
    public var name: String
    /// Where the service listens, and the address from which the device sends.
    public var own: SocketAddress
    public var peer: InternetAddress

    public init(device: String, name: String, own: SocketAddress, peer: InternetAddress) {
        self.device = device
        self.name = name
        self.own = own
        self.peer = peer
    }
}
