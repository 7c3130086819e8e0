import Ports
import Wire

/// What stands for a network interface of data paths: UDP sockets on loopback addresses.
///
/// A station has an address of its own, to which its programs bind, and an address for each peer, to which they
/// send. A socket of ours on a peer's address and port is that port: what programs send to it goes over the air,
/// and what comes over the air from it leaves through it. So both ends are ordinary UDP programs.
final class DataInterface {
    private let network: any Network
    private var paths: [Path] = []

    private struct Path {
        var peer: DataPeer
        var own: UInt32
        var alias: UInt32
        /// Of the ports to which programs may send first.
        var services: [Flow]
        /// Of the ports from which the peer sent, the longest unused first.
        var flows: [Flow] = []
    }

    private struct Flow {
        var port: UInt16
        var socket: any DatagramSocket
    }

    /// Per path.
    private static let flowLimit = 16
    private static let serviceLimit = 16
    /// From one socket in one turn.
    private static let burst = 32

    init(network: any Network) {
        self.network = network
    }

    func addDescriptors(to set: inout DescriptorSet) {
        for path in paths {
            for flow in path.services { set.add(flow.socket.descriptor) }
            for flow in path.flows { set.add(flow.socket.descriptor) }
        }
    }

    /// Takes the place of an earlier path to the same interface.
    func open(_ peer: DataPeer, own: MACAddress) throws(RadioError) -> (own: UInt32, peer: UInt32) {
        guard peer.ports.count <= Self.serviceLimit else {
            throw RadioError(.noRoom, "too many ports of a peer")
        }
        close(peer.address)
        let address = LoopbackAddress.own(own)
        let alias = LoopbackAddress.alias(of: peer.address, at: own)
        var services: [Flow] = []
        for port in peer.ports where !services.contains(where: { $0.port == port }) {
            services.append(Flow(port: port, socket: try socket(alias, port)))
        }
        paths.append(Path(peer: peer, own: address, alias: alias, services: services))
        return (address, alias)
    }

    func close(_ interface: MACAddress) { paths.removeAll { $0.peer.address == interface } }
    func closePaths(to management: MACAddress) { paths.removeAll { $0.peer.management == management } }
    func closeAll() { paths = [] }

    /// Hands a datagram from the air to the program at whose port it is directed.
    func deliver(_ datagram: PathDatagram) {
        guard let index = paths.firstIndex(where: { $0.peer.address == datagram.peer }),
            let socket = socket(from: datagram.sourcePort, on: index)
        else { return }
        let receiver = SocketAddress(address: .v4(paths[index].own), port: datagram.destinationPort)
        _ = socket.send(datagram.payload, to: receiver)
    }

    /// What programs sent, for the air. Nobody but the station's own address may send.
    func receive() -> [PathDatagram] {
        var datagrams: [PathDatagram] = []
        for index in paths.indices {
            for flow in paths[index].services { receive(from: flow, of: paths[index], into: &datagrams) }
            var used: [UInt16] = []
            for flow in paths[index].flows where receive(from: flow, of: paths[index], into: &datagrams) > 0 {
                used.append(flow.port)
            }
            for port in used { touch(port, on: index) }
        }
        return datagrams
    }

    @discardableResult
    private func receive(from flow: Flow, of path: Path, into datagrams: inout [PathDatagram]) -> Int {
        var payload: [UInt8] = []
        var count = 0
        while count < Self.burst, let sender = flow.socket.receive(into: &payload) {
            count += 1
            guard sender.address == .v4(path.own) else { continue }
            datagrams.append(
                PathDatagram(
                    peer: path.peer.address, sourcePort: sender.port, destinationPort: flow.port,
                    payload: payload))
        }
        return count
    }

    private func socket(from port: UInt16, on index: Int) -> (any DatagramSocket)? {
        for flow in paths[index].services where flow.port == port { return flow.socket }
        if touch(port, on: index) { return paths[index].flows.last?.socket }
        guard let socket = try? socket(paths[index].alias, port) else { return nil }
        if paths[index].flows.count == Self.flowLimit { paths[index].flows.removeFirst() }
        paths[index].flows.append(Flow(port: port, socket: socket))
        return socket
    }

    /// Makes a flow the one that was used last. False where there is none.
    @discardableResult
    private func touch(_ port: UInt16, on index: Int) -> Bool {
        guard let position = paths[index].flows.firstIndex(where: { $0.port == port }) else { return false }
        paths[index].flows.append(paths[index].flows.remove(at: position))
        return true
    }

    private func socket(_ address: UInt32, _ port: UInt16) throws(RadioError) -> any DatagramSocket {
        do throws(NetworkError) {
            return try network.datagramSocket(boundTo: SocketAddress(address: .v4(address), port: port))
        } catch {
            throw RadioError(.noRoom, error.explanation)
        }
    }
}

/// Loopback addresses that follow from the addresses of data interfaces, so that no two stations share one.
enum LoopbackAddress {
    /// In 127.64.0.0/10.
    static func own(_ interface: MACAddress) -> UInt32 {
        0x7f40_0000 | UInt32(truncatingIfNeeded: mixed(interface.rawValue)) & 0x003f_ffff
    }

    /// In 127.128.0.0/9 without its last address, the broadcast: what stands for `peer` at one station.
    static func alias(of peer: MACAddress, at interface: MACAddress) -> UInt32 {
        let both = mixed(interface.rawValue) &+ peer.rawValue
        return 0x7f80_0000 | UInt32(truncatingIfNeeded: mixed(both)) & 0x007f_fffe
    }

    /// Spreads a number over all bits (the last steps of SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
