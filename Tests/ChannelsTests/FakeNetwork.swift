import Ports
import Wire

/// Sockets in memory: a datagram is there as soon as it is sent.
final class FakeNetwork: Network {
    fileprivate var sockets: [SocketAddress: Weak] = [:]
    private var nextPort: UInt16 = 40_000
    /// Addresses that cannot be bound, as those of an interface that is not ready.
    var unready: Set<InternetAddress> = []
    var isFull = false

    fileprivate struct Weak { weak var socket: FakeSocket? }

    func datagramSocket(boundTo address: SocketAddress) throws(NetworkError) -> any DatagramSocket {
        guard !unready.contains(address.address) else { throw NetworkError("\(address): not ready") }
        return try socket(address)
    }

    func socket(_ address: SocketAddress) throws(NetworkError) -> FakeSocket {
        var address = address
        if address.port == 0 {
            address.port = nextPort
            nextPort += 1
        }
        guard sockets[address]?.socket == nil else { throw NetworkError("\(address): in use") }
        let socket = FakeSocket(localAddress: address, network: self)
        sockets[address] = Weak(socket: socket)
        return socket
    }

    func isBound(_ address: SocketAddress) -> Bool { sockets[address]?.socket != nil }
}

final class FakeSocket: DatagramSocket {
    let descriptor: Int32 = 99
    let localAddress: SocketAddress
    private var arrived: [(octets: [UInt8], sender: SocketAddress)] = []
    private let network: FakeNetwork

    fileprivate init(localAddress: SocketAddress, network: FakeNetwork) {
        self.localAddress = localAddress
        self.network = network
    }

    func receive(into datagram: inout [UInt8]) -> SocketAddress? {
        guard !arrived.isEmpty else { return nil }
        let next = arrived.removeFirst()
        datagram = next.octets
        return next.sender
    }

    func send(_ datagram: [UInt8], to address: SocketAddress) -> SendOutcome {
        if network.isFull { return .noRoom }
        network.sockets[address]?.socket?.arrived.append((datagram, localAddress))
        return .handedOver
    }

    /// Everything that has arrived.
    func drain() -> [[UInt8]] {
        defer { arrived = [] }
        return arrived.map(\.octets)
    }
}

final class Notes: Journal {
    var lines: [String] = []
    func write(_ importance: Importance, _ line: String) { lines.append(line) }
}

extension InternetAddress {
    static func station(_ number: UInt64) -> InternetAddress { .linkLocal(identifier: number, scope: 7) }
}
