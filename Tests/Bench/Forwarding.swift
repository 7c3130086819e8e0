import Channels
import Foundation
import LinuxHost
import MAVLink
import Ports
import Wire

/// MAVLink between a local program and the vehicle: two loopback sockets, the forwarder and the drone channel.
func measureForwarding() throws -> ResultTable {
    let path = try ForwardingPath()
    let times = try path.roundTrips(5_000).sorted()
    let rate = try path.flood(200_000)
    var table = ResultTable("MAVLink through forwarder and channel")
    table.row("question and answer, median", figure(times[times.count / 2] * 1e6, "µs"))
    table.row("question and answer, p99", figure(times[times.count * 99 / 100] * 1e6, "µs"))
    table.row("messages in a second of CPU time", figure(rate))
    return table
}

private final class ForwardingPath {
    private static let ground = MAVLinkAddress(system: 255, component: 190)

    private let clock = SystemClock()
    private let poller: Poller
    private let channel: DroneChannel
    private let forwarder: UDPForwarder
    private let program: any DatagramSocket
    private var datagram: [UInt8] = []

    init() throws {
        let network = HostNetwork()
        poller = Poller(clock: clock)
        channel = DroneChannel(
            service: Stage.service, vehicle: SimulatedVehicle(at: clock.now), network: network,
            journal: SilentJournal())
        forwarder = try UDPForwarder(
            listeningOn: SocketAddress(address: .v4(0x7f00_0001), port: 0), network: network)
        program = try network.datagramSocket(boundTo: SocketAddress(address: .v4(0x7f00_0001), port: 0))
        let vehicle = SocketAddress(address: .v4(0x7f00_0002), port: 14_551)
        let laptop = InternetAddress.v4(0x7f00_0003)
        channel.opened(
            ServicePath(device: "laptop", name: "Laptop", own: vehicle, peer: laptop), at: clock.now)
        forwarder.retarget(own: laptop, peer: vehicle, at: clock.now)
    }

    /// Seconds that each of so many pings takes to the vehicle and back.
    func roundTrips(_ count: Int) throws -> [Double] {
        var times: [Double] = []
        var stream = FrameStream()
        for number in 0..<UInt32(count) {
            let ping = Ping(time: 1, sequence: number, targetSystem: 0, targetComponent: 0)
            let start = ContinuousClock.now
            send(ping)
            var isAnswered = false
            while !isAnswered {
                guard start.duration(to: .now) < .seconds(5) else {
                    throw BenchError("no answer to ping \(number)")
                }
                turn()
                while program.receive(into: &datagram) != nil {
                    for frame in stream.receive(datagram: datagram)
                    where frame.read(Ping.self)?.sequence == number {
                        isAnswered = true
                    }
                }
            }
            times.append(start.duration(to: .now) / .seconds(1))
        }
        return times
    }

    /// Heartbeats in a second of CPU time, the program's sending included, with as many under way as sockets hold.
    func flood(_ count: UInt64) throws -> Double {
        let heartbeat = Heartbeat(
            type: .groundStation, autopilot: .none, customMode: 0, baseMode: [], systemState: .active)
        let before = received
        let seconds = try CPUTime.of {
            while received - before < count { try push(heartbeat, times: 64) }
        }
        return Double(received - before) / seconds
    }

    private func push(_ message: some MAVLinkMessage, times: UInt64) throws {
        let goal = received + times
        let start = ContinuousClock.now
        for _ in 0..<times { send(message) }
        while received < goal {
            guard start.duration(to: .now) < .seconds(5) else { throw BenchError("messages were lost") }
            turn()
        }
        while program.receive(into: &datagram) != nil {}
    }

    private var received: UInt64 { channel.devices.first?.received ?? 0 }

    private func send(_ message: some MAVLinkMessage) {
        let frame = MAVLinkFrame(message, from: Self.ground, sequence: 0)
        _ = program.send(frame.octets, to: forwarder.localAddress)
    }

    /// What the two programs' loops do when something has come.
    private func turn() {
        var set = DescriptorSet()
        channel.addDescriptors(to: &set)
        forwarder.addDescriptors(to: &set)
        let now = poller.wait(for: set, until: Instant.earliest(channel.deadline, forwarder.deadline))
        forwarder.turn(at: now)
        channel.turn(at: now)
    }
}

private final class SilentJournal: Journal {
    func write(_ importance: Importance, _ line: String) {}
}
