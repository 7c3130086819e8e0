import CShim
public import Ports

/// UDP sockets of Linux.
public final class HostNetwork: Network {
    public init() {}

    public func datagramSocket(boundTo address: SocketAddress) throws(NetworkError) -> any DatagramSocket {
        try HostDatagramSocket(boundTo: address)
    }
}

/// A non-blocking UDP socket, IPv4 or IPv6 link-local.
public final class HostDatagramSocket: DatagramSocket {
    /// More errors than this in a row, and the socket rests until the next turn.
    private static let mostErrors = 8

    public let localAddress: SocketAddress
    public var descriptor: Int32 { socket.number }

    private let socket: Descriptor
    /// Room for the largest datagram. Pages that are never written take no memory.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(boundTo address: SocketAddress) throws(NetworkError) {
        var wanted = shim_address(address)
        let opened = shim_open_datagrams(&wanted)
        guard opened >= 0 else { throw NetworkError("\(address): cannot be bound: \(reason(opened))") }
        socket = Descriptor(opened)
        var bound = shim_address()
        let named = shim_local_address(opened, &bound)
        guard named >= 0, let own = SocketAddress(bound) else {
            throw NetworkError("\(address): has no address of its own: \(reason(named))")
        }
        localAddress = own
    }

    deinit { room.deallocate() }

    public func receive(into datagram: inout [UInt8]) -> SocketAddress? {
        var errors = 0
        while errors < Self.mostErrors {
            var from = shim_address()
            let count = shim_receive(descriptor, room.baseAddress, room.count, &from)
            if count == Int(shim_error_again) { return nil }
            // An error tells of an earlier datagram of ours that nobody took; the next call has the next datagram.
            guard count >= 0, let sender = SocketAddress(from) else {
                errors += 1
                continue
            }
            datagram.removeAll(keepingCapacity: true)
            datagram.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<count]))
            return sender
        }
        return nil
    }

    public func send(_ datagram: [UInt8], to address: SocketAddress) -> SendOutcome {
        var receiver = shim_address(address)
        let sent = datagram.withUnsafeBytes { shim_send(descriptor, $0.baseAddress, $0.count, &receiver) }
        if sent >= 0 { return .handedOver }
        if sent == Int(shim_error_again) || sent == Int(shim_error_no_buffers) { return .noRoom }
        return .failed(Int32(clamping: -sent))
    }
}

extension shim_address {
    init(_ address: SocketAddress) {
        self.init()
        port = address.port
        switch address.address {
        case .v4(let number):
            v4 = number
        case .linkLocal(let identifier, let scope):
            is_v6 = 1
            v6_prefix = linkLocalPrefix
            v6_identifier = identifier
            self.scope = scope
        }
    }
}

extension SocketAddress {
    /// Nil for an IPv6 address that is not fe80::/64.
    init?(_ system: shim_address) {
        if system.is_v6 == 0 {
            self.init(address: .v4(system.v4), port: system.port)
        } else {
            guard system.v6_prefix == linkLocalPrefix else { return nil }
            self.init(
                address: .linkLocal(identifier: system.v6_identifier, scope: system.scope), port: system.port)
        }
    }
}

/// The upper half of fe80::.
private let linkLocalPrefix: UInt64 = 0xfe80 << 48
