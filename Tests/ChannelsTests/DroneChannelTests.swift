import MAVLink
import Ports
import Testing
import Wire

@testable import Channels

/// A paired device with a ground station on it.
private struct Phone {
    var path: ServicePath
    var socket: FakeSocket
    var sequence: UInt8 = 0
    var system: UInt8

    mutating func send<Message: MAVLinkMessage>(_ message: Message) {
        let frame = MAVLinkFrame(
            message, from: MAVLinkAddress(system: system, component: 190), sequence: sequence)
        sequence &+= 1
        _ = socket.send(frame.octets, to: path.own)
    }

    mutating func beat() {
        send(
            Heartbeat(
                type: .groundStation, autopilot: .none, customMode: 0, baseMode: [], systemState: .active))
    }

    func frames() -> [MAVLinkFrame] {
        var stream = FrameStream()
        return socket.drain().flatMap { stream.receive(datagram: $0) }
    }
}

private struct Scene {
    let network = FakeNetwork()
    let notes = Notes()
    let channel: DroneChannel
    var now = Instant(microseconds: 1_000_000)
    let own = SocketAddress(address: .station(1), port: 14550)

    init() {
        channel = DroneChannel(
            service: "_drone-service._udp", vehicle: SimulatedVehicle(at: now), network: network,
            journal: notes)
    }

    func phone(_ number: UInt64, port: UInt16 = 50_000) throws -> Phone {
        let path = ServicePath(
            device: "device\(number)", name: "Phone \(number)", own: own, peer: .station(number))
        let socket = try network.socket(SocketAddress(address: .station(number), port: port))
        return Phone(path: path, socket: socket, system: UInt8(number))
    }

    mutating func pass(seconds: UInt32) {
        let end = now + .seconds(seconds)
        channel.turn(at: now)
        while let next = channel.deadline, next < end {
            now = max(now, next)
            channel.turn(at: now)
        }
        now = end
        channel.turn(at: now)
    }
}

struct DroneChannelTests {
    @Test func `two devices hear the vehicle and not each other`() throws {
        var scene = Scene()
        var one = try scene.phone(11)
        var two = try scene.phone(12)
        scene.channel.opened(one.path, at: scene.now)
        scene.channel.opened(two.path, at: scene.now)
        #expect(scene.channel.deadline == nil)
        one.beat()
        scene.channel.turn(at: scene.now)
        #expect(one.frames().contains { $0.message == Heartbeat.id })
        #expect(two.frames().isEmpty)

        two.beat()
        scene.pass(seconds: 2)
        let first = one.frames()
        let second = two.frames()
        for frame in first + second { #expect(frame.sender == MAVLinkAddress(system: 1, component: 1)) }
        #expect(first.contains { $0.message == GlobalPositionInt.id })
        #expect(second.contains { $0.message == GlobalPositionInt.id })

        two.send(ParameterRequestRead(index: 0, targetSystem: 1, targetComponent: 1, name: []))
        scene.channel.turn(at: scene.now)
        #expect(one.frames().contains { $0.message == ParameterValue.id })
        let report = scene.channel.devices
        #expect(report.map(\.received) == [1, 2])
        #expect(report.allSatisfy { $0.sent > 10 && $0.dropped == 0 && $0.isHeard })
    }

    @Test func `a stranger is dropped and counted`() throws {
        var scene = Scene()
        let friend = try scene.phone(11)
        var stranger = try scene.phone(66)
        scene.channel.opened(friend.path, at: scene.now)
        stranger.beat()
        stranger.send(CommandLong(command: .armOrDisarm, parameter1: 1, targetSystem: 1, targetComponent: 1))
        scene.pass(seconds: 3)
        #expect(scene.channel.strangers == 2)
        #expect(stranger.frames().isEmpty && friend.frames().isEmpty)
        #expect(scene.notes.lines.isEmpty)
    }

    @Test func `datagrams hold many frames and no more than fit`() throws {
        let scene = Scene()
        var phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        phone.beat()
        scene.channel.turn(at: scene.now)
        let datagrams = phone.socket.drain()
        #expect(datagrams.count == 1)
        #expect(datagrams.allSatisfy { $0.count <= 1200 })
        let long = (0..<100).map {
            MAVLinkFrame(
                Ping(time: .max, sequence: $0, targetSystem: 255, targetComponent: 1),
                from: MAVLinkAddress(system: 1, component: 1), sequence: 0)
        }
        let packed = Coalescing.datagrams(of: long)
        #expect(packed.allSatisfy { $0.octets.count <= 1200 })
        #expect(packed.flatMap(\.octets) == long.flatMap(\.octets))
    }

    @Test func `damage is dropped and counted, what follows is heard`() throws {
        let scene = Scene()
        let phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        let heartbeat = Heartbeat(
            type: .groundStation, autopilot: .none, customMode: 0, baseMode: [], systemState: .active)
        let frame = MAVLinkFrame(heartbeat, from: MAVLinkAddress(system: 255, component: 190), sequence: 0)
            .octets
        var damaged = frame
        damaged[15] ^= 1
        _ = phone.socket.send(damaged, to: phone.path.own)
        scene.channel.turn(at: scene.now)
        #expect(phone.frames().isEmpty)
        _ = phone.socket.send(damaged + frame, to: phone.path.own)
        scene.channel.turn(at: scene.now)
        #expect(!phone.frames().isEmpty)
        #expect(scene.channel.devices.first?.badChecksums == 2)
        #expect(scene.channel.devices.first?.received == 1)
    }

    @Test func `a datagram longer than any is dropped and counted`() throws {
        let scene = Scene()
        let phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        _ = phone.socket.send([UInt8](repeating: 0xfd, count: 2049), to: phone.path.own)
        scene.channel.turn(at: scene.now)
        #expect(scene.channel.devices.first?.oversized == 1)
        #expect(scene.channel.devices.first?.isHeard == false)
    }

    @Test func `a full link drops telemetry and counts it`() throws {
        var scene = Scene()
        var phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        phone.beat()
        scene.pass(seconds: 1)
        let sent = try #require(scene.channel.devices.first).sent
        scene.network.isFull = true
        scene.pass(seconds: 2)
        let report = try #require(scene.channel.devices.first)
        #expect(report.sent == sent && report.dropped > 5)
    }

    @Test func `flies for one device, and comes down when it walks away`() throws {
        var scene = Scene()
        var phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        phone.beat()
        phone.send(
            CommandLong(command: .setMode, parameter1: 1, parameter2: 4, targetSystem: 1, targetComponent: 1))
        phone.send(CommandLong(command: .armOrDisarm, parameter1: 1, targetSystem: 1, targetComponent: 1))
        phone.send(CommandLong(command: .takeOff, parameter7: 10, targetSystem: 1, targetComponent: 1))
        for _ in 0..<12 {
            phone.beat()
            scene.pass(seconds: 1)
        }
        let heights = phone.frames().compactMap { $0.read(GlobalPositionInt.self) }.map(\.relativeAltitude)
        #expect(abs((heights.last ?? 0) - 10_000) < 300)
        #expect(scene.notes.lines.contains("vehicle: Arming motors"))

        scene.channel.closed(phone.path, at: scene.now)
        #expect(!scene.network.isBound(scene.own))
        scene.pass(seconds: 40)
        #expect(scene.channel.deadline == nil)
        #expect(phone.frames().isEmpty)
    }

    @Test func `a device that falls silent costs nothing`() throws {
        var scene = Scene()
        var phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        phone.beat()
        scene.pass(seconds: 20)
        #expect(scene.channel.deadline == nil)
        #expect(scene.channel.devices.first?.isHeard == false)
        _ = phone.frames()
        phone.beat()
        scene.channel.turn(at: scene.now)
        #expect(!phone.frames().isEmpty)
    }

    @Test func `a device that comes back on another path keeps its counters`() throws {
        var scene = Scene()
        var phone = try scene.phone(11)
        scene.channel.opened(phone.path, at: scene.now)
        phone.beat()
        scene.pass(seconds: 1)
        var moved = try scene.phone(21)
        moved.path.device = "device11"
        scene.channel.opened(moved.path, at: scene.now)
        scene.channel.closed(phone.path, at: scene.now)
        moved.beat()
        scene.pass(seconds: 1)
        #expect(!moved.frames().isEmpty)
        #expect(scene.channel.devices.map(\.received) == [2])
    }

    @Test func `an address that is not ready is bound later, with one line in the journal`() throws {
        var scene = Scene()
        var phone = try scene.phone(11)
        scene.network.unready = [.station(1)]
        scene.channel.opened(phone.path, at: scene.now)
        scene.pass(seconds: 2)
        #expect(scene.notes.lines.count == 1)
        scene.network.unready = []
        scene.pass(seconds: 1)
        phone.beat()
        scene.channel.turn(at: scene.now)
        #expect(!phone.frames().isEmpty)
    }
}
