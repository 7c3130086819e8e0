import Channels
import Ports
import Testing
import Wire

struct UDPForwarderTests {
    let network = FakeNetwork()
    let start = Instant(microseconds: 1_000_000)
    let loopback = InternetAddress.v4(0x7f00_0001)
    let service = SocketAddress(address: .station(1), port: 14550)

    private func forwarder() throws -> UDPForwarder {
        try UDPForwarder(listeningOn: SocketAddress(address: loopback, port: 14555), network: network)
    }

    private func program(_ port: UInt16) throws -> FakeSocket {
        try network.socket(SocketAddress(address: loopback, port: port))
    }

    @Test func `carries datagrams both ways, from the service to everyone who has spoken`() throws {
        let forwarder = try forwarder()
        let vehicle = try network.socket(service)
        let one = try program(1001)
        let two = try program(1002)
        forwarder.retarget(own: .station(2), peer: service, at: start)
        #expect(forwarder.state == .open)
        _ = one.send([1], to: forwarder.localAddress)
        _ = two.send([2], to: forwarder.localAddress)
        forwarder.turn(at: start)
        var octets: [UInt8] = []
        let sender = try #require(vehicle.receive(into: &octets))
        #expect(octets == [1] && sender.address == .station(2))
        #expect(vehicle.drain() == [[2]])
        _ = vehicle.send([3], to: sender)
        forwarder.turn(at: start)
        #expect(one.drain() == [[3]] && two.drain() == [[3]])
        #expect(forwarder.counters.toService == 2 && forwarder.counters.fromService == 1)
    }

    @Test func `drops what comes while there is no data path, and goes on with the next`() throws {
        let forwarder = try forwarder()
        let one = try program(1001)
        _ = one.send([1], to: forwarder.localAddress)
        forwarder.turn(at: start)
        #expect(forwarder.state == .suspended && forwarder.counters.dropped == 1)
        forwarder.retarget(own: .station(2), peer: service, at: start)
        forwarder.suspend()
        let moved = SocketAddress(address: .station(5), port: 9)
        let vehicle = try network.socket(moved)
        forwarder.retarget(own: .station(3), peer: moved, at: start)
        _ = one.send([2], to: forwarder.localAddress)
        forwarder.turn(at: start)
        #expect(vehicle.drain() == [[2]])
    }

    @Test func `hears nobody but the service, and sends to nobody who has not spoken`() throws {
        let forwarder = try forwarder()
        let vehicle = try network.socket(service)
        let stranger = try network.socket(SocketAddress(address: .station(9), port: 14550))
        let one = try program(1001)
        forwarder.retarget(own: .station(2), peer: service, at: start)
        let data = SocketAddress(address: .station(2), port: 40_000)
        _ = vehicle.send([1], to: data)
        forwarder.turn(at: start)
        #expect(forwarder.counters.dropped == 1)
        _ = one.send([2], to: forwarder.localAddress)
        _ = stranger.send([3], to: data)
        forwarder.turn(at: start)
        #expect(one.drain().isEmpty)
        #expect(forwarder.counters.strangers == 1)
        _ = vehicle.send([4], to: data)
        forwarder.turn(at: start + .seconds(61))
        #expect(one.drain().isEmpty)
    }

    @Test func `remembers four programs`() throws {
        let forwarder = try forwarder()
        let vehicle = try network.socket(service)
        forwarder.retarget(own: .station(2), peer: service, at: start)
        var programs: [FakeSocket] = []
        for number in 0..<5 {
            let one = try program(1001 + UInt16(number))
            _ = one.send([0], to: forwarder.localAddress)
            forwarder.turn(at: start + .milliseconds(UInt32(number)))
            programs.append(one)
        }
        _ = vehicle.send([7], to: SocketAddress(address: .station(2), port: 40_000))
        forwarder.turn(at: start + .seconds(1))
        #expect(programs.map { $0.drain().count } == [0, 1, 1, 1, 1])
    }

    @Test func `binds an address later that is not ready yet`() throws {
        let forwarder = try forwarder()
        network.unready = [.station(2)]
        forwarder.retarget(own: .station(2), peer: service, at: start)
        let deadline = try #require(forwarder.deadline)
        guard case .waiting = forwarder.state else { return #expect(Bool(false), "not waiting") }
        network.unready = []
        forwarder.turn(at: deadline)
        #expect(forwarder.state == .open && forwarder.deadline == nil)
    }
}
