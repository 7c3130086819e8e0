import Channels
import LinuxHost
import MAVLink
import Ports
import Testing
import Wire

/// The real channel and the real forwarder, on real sockets: a program, the forwarder, the channel, the vehicle.
private final class Rig {
    let clock = SystemClock()
    let channel: DroneChannel
    let forwarder: UDPForwarder
    private let poller: Poller

    init(port: UInt16) throws {
        let network = HostNetwork()
        poller = Poller(clock: clock)
        channel = DroneChannel(
            service: "_drone-service._udp", vehicle: SimulatedVehicle(at: clock.now), network: network,
            journal: StandardJournal(verbose: true))
        let accessory = SocketAddress(address: .v4(0x7f00_0002), port: 14550)
        let laptop = InternetAddress.v4(0x7f00_0003)
        let local = SocketAddress(address: .v4(0x7f00_0001), port: port)
        forwarder = try UDPForwarder(listeningOn: local, network: network)
        let now = clock.now
        channel.opened(ServicePath(device: "laptop", name: "Laptop", own: accessory, peer: laptop), at: now)
        forwarder.retarget(own: laptop, peer: accessory, at: now)
    }

    func run(for seconds: UInt32, until isDone: () -> Bool = { false }) {
        let end = clock.now + .seconds(seconds)
        while clock.now < end, !isDone() {
            var set = DescriptorSet()
            channel.addDescriptors(to: &set)
            forwarder.addDescriptors(to: &set)
            var deadline = Instant.earliest(channel.deadline, forwarder.deadline)
            deadline = Instant.earliest(deadline, clock.now + .milliseconds(100))
            let now = poller.wait(for: set, until: deadline)
            forwarder.turn(at: now)
            channel.turn(at: now)
        }
    }
}

struct LoopbackTests {
    @Test func `a program on the laptop hears the vehicle through the forwarder`() throws {
        let rig = try Rig(port: 0)
        let address = SocketAddress(address: .v4(0x7f00_0001), port: 0)
        let program = try HostNetwork().datagramSocket(boundTo: address)
        let heartbeat = Heartbeat(
            type: .groundStation, autopilot: .none, customMode: 0, baseMode: [], systemState: .active)
        let frame = MAVLinkFrame(heartbeat, from: MAVLinkAddress(system: 255, component: 190), sequence: 0)
        #expect(program.send(frame.octets, to: rig.forwarder.localAddress) == .handedOver)
        var heard: [MAVLinkFrame] = []
        var stream = FrameStream()
        var datagram: [UInt8] = []
        rig.run(for: 60) {
            while program.receive(into: &datagram) != nil { heard += stream.receive(datagram: datagram) }
            return heard.contains { $0.message == HomePosition.id }
        }
        #expect(heard.contains { $0.message == Heartbeat.id })
        #expect(heard.contains { $0.message == HomePosition.id })
        #expect(stream.counters.skippedOctets == 0)
    }
}
