import Crypto
import Foundation
import LinuxHost
import Ports
import Testing
import Wire

@testable import Simulation

@Suite(.serialized) struct AirRadioTests {
    @Test func `radios in one directory find each other and talk`() throws {
        let air = try Air(2)
        try air.gather()
        #expect(air.cluster(0) == air.cluster(1))
        let frame = try air.frame(0, to: air.addresses[1])
        try air.radios[0].perform(.send(frame, cookie: 4), at: air.now)
        #expect(air.run(seconds: 30) { !air.received(1).isEmpty && !air.sent(0).isEmpty })
        #expect(air.sent(0).first == true)
        #expect(air.received(1).first?.dropFirst(24) == frame.dropFirst(24))
    }

    @Test func `ordinary UDP sockets talk over a secured data path, both ways`() throws {
        let air = try Air(2)
        try air.gather()
        let recording = Octets()
        air.radios[0].capture = AirRecording(application: "test", calendarOffset: 0) {
            recording.octets += $0
        }
        try air.connect(key: key(7), servicePort: 14_550)
        #expect(air.run(seconds: 30) { air.paths.allSatisfy { $0 != nil } })
        let phone = try #require(air.paths[0])
        let accessory = try #require(air.paths[1])
        let service = try air.network.datagramSocket(
            boundTo: SocketAddress(address: accessory.own, port: 14_550))
        let client = try air.network.datagramSocket(boundTo: SocketAddress(address: phone.own, port: 0))
        #expect(
            client.send(Array("ping secret".utf8), to: SocketAddress(address: phone.peer, port: 14_550))
                == .handedOver)
        var datagram: [UInt8] = []
        var sender: SocketAddress?
        #expect(
            air.run(seconds: 30) {
                sender = service.receive(into: &datagram) ?? sender
                return sender != nil
            })
        #expect(datagram == Array("ping secret".utf8))
        #expect(sender == SocketAddress(address: accessory.peer, port: client.localAddress.port))
        _ = service.send(Array("pong".utf8), to: try #require(sender))
        sender = nil
        #expect(
            air.run(seconds: 30) {
                sender = client.receive(into: &datagram) ?? sender
                return sender != nil
            })
        #expect(datagram == Array("pong".utf8))
        #expect(sender == SocketAddress(address: phone.peer, port: 14_550))
        #expect(recording.octets.starts(with: [0x0a, 0x0d, 0x0d, 0x0a]))
        #expect(!recording.octets.contains(Array("secret".utf8)), "the capture shows the air")

        // Another program of this machine is not the station.
        let stranger = try air.network.datagramSocket(
            boundTo: SocketAddress(address: .v4(0x7f00_0001), port: 0))
        _ = stranger.send(Array("me too".utf8), to: SocketAddress(address: phone.peer, port: 14_550))
        #expect(!air.run(seconds: 1) { service.receive(into: &datagram) != nil })
    }

    @Test func `many clients of a peer share the interface, the least recently used going`() throws {
        let air = try Air(2)
        try air.gather()
        try air.connect(key: key(7), servicePort: 14_551)
        #expect(air.run(seconds: 30) { air.paths.allSatisfy { $0 != nil } })
        let phone = try #require(air.paths[0])
        let accessory = try #require(air.paths[1])
        let service = try air.network.datagramSocket(
            boundTo: SocketAddress(address: accessory.own, port: 14_551))
        var clients: [any DatagramSocket] = []
        for _ in 0..<20 {
            clients.append(
                try air.network.datagramSocket(boundTo: SocketAddress(address: phone.own, port: 0)))
        }
        var senders: [SocketAddress] = []
        var datagram: [UInt8] = []
        for client in clients {
            _ = client.send([1], to: SocketAddress(address: phone.peer, port: 14_551))
            #expect(
                air.run(seconds: 30) {
                    guard let sender = service.receive(into: &datagram) else { return false }
                    senders.append(sender)
                    return true
                })
        }
        #expect(Set(senders).count == 20)
        var set = DescriptorSet()
        air.radios[1].addDescriptors(to: &set)
        #expect(set.interests.count == 1 + 16)
        // The latest is still there.
        _ = service.send([2], to: try #require(senders.last))
        #expect(air.run(seconds: 30) { clients[19].receive(into: &datagram) != nil })
    }

    @Test func `an idle station wakes once a window`() throws {
        let air = try Air(2)
        try air.gather()
        _ = air.run(seconds: 1) { false }
        air.turns = [0, 0]
        let windows = air.windows
        let start = air.now
        #expect(air.run(seconds: 60) { (0...1).allSatisfy { air.windows[$0] - windows[$0] >= 6 } })
        // By the clock: for a window for which a loaded machine came too late it has woken all the same.
        let passed = Int(air.now.microseconds(since: start) / WindowTime.period) + 1
        for index in 0...1 { #expect(air.turns[index] <= passed + 1, "station \(index)") }
    }

    @Test func `the directory is for its owner alone`() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        func cause() -> RadioError.Cause? {
            do throws(RadioError) {
                _ = try AirRadio(directory: path, network: HostNetwork(), entropy: SeededEntropy(seed: 1))
                return nil
            } catch { return error.cause }
        }
        #expect(cause() == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        for looser in [0o701, 0o750, 0o777, 0o1777] {
            try FileManager.default.setAttributes([.posixPermissions: looser], ofItemAtPath: path)
            #expect(cause() == .system(EACCES))
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/tmp")
        #expect(cause() == .system(ENOTDIR))
        let long = path + String(repeating: "x", count: 100)
        #expect(throws: RadioError.self) {
            try AirRadio(directory: long, network: HostNetwork(), entropy: SeededEntropy(seed: 1))
        }
    }

    @Test func `a stopped radio leaves no socket, and a dead process's socket is cleared away`() throws {
        let air = try Air(2)
        try air.gather()
        #expect(try air.files().count == 2)
        try air.radios[1].perform(.stop, at: air.now)
        #expect(try air.files() == [String(hex: air.addresses[0].octets)])
        // A socket whose process died without a word.
        let dead = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = air.path + "/02deaddeadde"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(dead)
        #expect(try air.files().count == 2)
        #expect(air.run(seconds: 30) { (try? air.files().count) == 1 })
        // The same address can be used again, also where its socket was left behind.
        #expect(FileManager.default.createFile(atPath: air.path + "/note", contents: nil))
        try air.start(1)
        #expect(try air.files().count == 3)
        #expect(throws: RadioError.self, "two living stations with one address") {
            let twin = try AirRadio(
                directory: air.path, network: air.network, entropy: SeededEntropy(seed: 9))
            try twin.perform(
                .start(RadioConfiguration(managementAddress: air.addresses[1], masterPreference: 1)),
                at: air.now)
        }
        #expect(try air.files().count == 3)
    }

    @Test func `hostile datagrams are counted and harm nobody`() throws {
        let air = try Air(2)
        try air.gather()
        let attacker = try AirDirectory(air.path).socket(named: "0200000000ff")
        let target = String(hex: air.addresses[0].octets)
        var generator = SeededGenerator(seed: 11)
        let template = try AirDatagram(
            time: air.now.microseconds, frequency: 2437, signal: -30,
            frame: air.frame(1, to: air.addresses[0])
        ).octets()
        var sent = 0
        for round in 0..<400 {
            var octets = template
            switch round % 4 {
            case 0:
                octets = (0..<generator.number(below: 3000)).map { _ in
                    UInt8(truncatingIfNeeded: generator.next())
                }
            case 1: octets = [UInt8](template[..<Int(generator.number(below: UInt64(template.count)))])
            case 2:
                octets[Int(generator.number(below: UInt64(octets.count)))] ^= UInt8(
                    1 + generator.number(below: 255))
            default: octets += [UInt8](repeating: 0, count: Int(1 + generator.number(below: 5000)))
            }
            if attacker.send(octets, to: target) == .done { sent += 1 }
            if round % 4 == 3 { _ = air.run(seconds: 0.002) { false } }
        }
        #expect(sent >= 300)
        #expect(air.run(seconds: 30) { air.radios[0].counters.malformed >= 200 })
        // And life goes on.
        try air.radios[1].perform(
            .send(try air.frame(1, to: air.addresses[0], tag: 0xee), cookie: 1), at: air.now)
        #expect(air.run(seconds: 30) { air.received(0).contains { $0.last == 0xee } })
    }
}

/// Radios on real sockets, with real time, in one loop.
final class Air {
    let path = scratch()
    let network = HostNetwork()
    let clock = SystemClock()
    let addresses: [MACAddress]
    let radios: [AirRadio]
    var turns: [Int]
    private(set) var windows: [Int]
    private(set) var paths: [(own: InternetAddress, peer: InternetAddress)?]
    private var events: [[RadioEvent]]
    private let waiter = Poller(clock: SystemClock())

    init(_ count: Int) throws {
        let network = network
        let path = path
        addresses = (0..<count).map { MACAddress(rawValue: 0x0211_2233_4400 + UInt64($0)) }
        let seed = UInt64.random(in: .min ... .max)
        radios = try (0..<count).map {
            try AirRadio(directory: path, network: network, entropy: SeededEntropy(seed: seed &+ UInt64($0)))
        }
        turns = Array(repeating: 0, count: count)
        windows = turns
        events = Array(repeating: [], count: count)
        paths = Array(repeating: nil, count: count)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var now: Instant { clock.now }

    func start(_ index: Int) throws {
        let configuration = RadioConfiguration(
            managementAddress: addresses[index], masterPreference: index == 0 ? 200 : 2)
        try radios[index].perform(.start(configuration), at: now)
    }

    func gather() throws {
        for index in radios.indices { try start(index) }
        let ready = run(seconds: 30) {
            Set(radios.indices.map { self.cluster($0) }).count == 1 && cluster(0).rawValue != 0
        }
        #expect(ready)
    }

    func connect(key: Key, servicePort: UInt16) throws {
        var interfaces: [MACAddress] = []
        for index in 0...1 {
            for case .started(let interface, _, _) in events[index] { interfaces.append(interface) }
        }
        for (own, peer) in [(0, 1), (1, 0)] {
            let schedule = PeerSchedule(
                committedWindows: 1, channelSwitchTime: 0, sequence: 1, slots: 0xffff_fffe)
            let local = LocalSchedule(slots: 0xffff_fffe, frequency: 2437, availability: [0x12])
            let far = DataPeer(
                address: interfaces[peer], management: addresses[peer],
                interfaceIdentifier: interfaces[peer].interfaceIdentifier,
                ports: own == 0 ? [servicePort] : [],
                htCapabilities: [], vhtCapabilities: [], idlePeriod: 0)
            for request in [
                .addPeer(addresses[peer]), .setLocalSchedule(local),
                .setPeerSchedule(addresses[peer], schedule),
                .openDataPath(far, key: key),
            ] as [RadioRequest] {
                try radios[own].perform(request, at: now)
            }
        }
    }

    /// Lets real time pass until something is so.
    func run(seconds: Double, until isSo: () -> Bool) -> Bool {
        let end = Instant(microseconds: now.microseconds + UInt64(seconds * 1_000_000))
        while !isSo() {
            var deadline = min(end, now + TimeUnits(10))
            var set = DescriptorSet()
            for radio in radios {
                radio.addDescriptors(to: &set)
                deadline = Instant.earliest(deadline, radio.deadline) ?? deadline
            }
            let now = waiter.wait(for: set, until: deadline)
            for index in radios.indices { turn(index, at: now) }
            if now >= end { return isSo() }
        }
        return true
    }

    /// Counts the turns that the station asked for, as a process of its own would take them.
    private func turn(_ index: Int, at now: Instant) {
        var own = DescriptorSet()
        radios[index].addDescriptors(to: &own)
        var interests = own.interests.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let isReadable = poll(&interests, nfds_t(interests.count), 0) > 0
        let isDue = radios[index].deadline.map { $0 <= now } ?? false
        guard isReadable || isDue else { return }
        turns[index] += 1
        while let event = radios[index].nextEvent(at: now) {
            switch event {
            case .windowDue: windows[index] += 1
            case .dataPathOpened(_, let own, let peer): paths[index] = (own, peer)
            default: events[index].append(event)
            }
        }
    }

    func cluster(_ index: Int) -> MACAddress {
        var last = MACAddress(rawValue: 0)
        for case .clusterJoined(let cluster, _) in events[index] { last = cluster }
        return last
    }

    func received(_ index: Int) -> [[UInt8]] {
        events[index].compactMap { if case .received(let frame) = $0 { frame.octets } else { nil } }
    }

    func sent(_ index: Int) -> [Bool] {
        events[index].compactMap { if case .sent(_, let acknowledged) = $0 { acknowledged } else { nil } }
    }

    func frame(_ from: Int, to receiver: MACAddress, tag: UInt8 = 0) throws -> [UInt8] {
        let head = FrameHead(
            .action, receiver: receiver, transmitter: addresses[from], cluster: cluster(from))
        return try head.octets() + [4, 0x09, 0x50, 0x6f, 0x9a, 0x13, tag]
    }

    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }
}

final class Octets {
    var octets: [UInt8] = []
}

private func scratch() -> String { "/tmp/air-\(UInt32.random(in: .min ... .max))" }
