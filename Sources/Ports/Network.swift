/// Sockets of this machine.
public protocol Network: AnyObject {
    /// A socket bound to the address. Port 0 lets the system choose: ``DatagramSocket/localAddress`` says which.
    func datagramSocket(boundTo address: SocketAddress) throws(NetworkError) -> any DatagramSocket
}

/// A UDP socket that never blocks. It is closed with its last reference.
public protocol DatagramSocket: AnyObject {
    /// For the loop's ``DescriptorSet``.
    var descriptor: Int32 { get }
    var localAddress: SocketAddress { get }

    /// Replaces `datagram` by the next one received, keeping its memory, and returns its sender; nil when there is
    /// none for now. Datagrams from addresses that ``InternetAddress`` cannot hold are passed over.
    func receive(into datagram: inout [UInt8]) -> SocketAddress?

    /// Hands a datagram to the system, whole or not at all.
    func send(_ datagram: [UInt8], to address: SocketAddress) -> SendOutcome
}

/// What became of a datagram that was to be sent.
public enum SendOutcome: Equatable, Sendable {
    case handedOver
    /// The system's buffers are full; the datagram is dropped.
    case noRoom
    /// The system's error number: no route, interface gone, too long.
    case failed(Int32)
}

/// Why there is no socket.
public struct NetworkError: Error, Equatable, Sendable {
    /// What failed, with the address and the system's reason.
    public var explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}
