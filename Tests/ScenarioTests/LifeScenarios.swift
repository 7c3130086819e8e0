import Accessory
import Foundation
import Frames
import Ports
import Simulation
import Testing
import Wire

/// What happens to an accessory that has its phones.
struct LifeScenarios {
    typealias Scene = HostileScenarios.Scene

    @Test func `datagrams arrive on both sides, and are encrypted on the air`() throws {
        let scene = try Scene(seed: 80)
        let air = RecordedAir()
        scene.world.capture = air
        let own = try #require(scene.board.radio.dataInterface)
        let peer = try #require(scene.person.radio.dataInterface)
        let secret = Array("arm and take off".utf8)
        scene.person.radio.send(
            PathDatagram(peer: own, sourcePort: 5000, destinationPort: 14550, payload: secret),
            at: scene.world.now)
        scene.board.radio.send(
            PathDatagram(peer: peer, sourcePort: 14550, destinationPort: 5000, payload: secret),
            at: scene.world.now)
        scene.world.run(for: .seconds(1))
        #expect(scene.board.radio.arrived.map(\.payload) == [secret])
        #expect(scene.person.radio.arrived.map(\.payload) == [secret])
        let data = air.frames.filter { $0.first.map { $0 & 0x0c == 0x08 } == true }
        #expect(data.count >= 2)
        #expect(data.allSatisfy { $0[1] & 0x40 != 0 })
        #expect(!data.contains { Data($0).range(of: Data(secret)) != nil })
    }

    @Test func `nothing of a pairing or of a connection shows a key or a PIN on the air`() throws {
        let world = World(seed: 81)
        let air = RecordedAir()
        world.capture = air
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let pin = try #require(board.watch.showings.first).pin.map { $0 + 48 }
        let person = try first.again()
        #expect(person.isConnected())
        let keys = board.devices.flatMap { device in
            [device.npk, device.identity.nik].map { key in key.secret.withOctets { Data($0) } }
        }
        for secret in keys + [Data(pin)] {
            #expect(!air.frames.contains { Data($0).range(of: secret) != nil })
        }
        for line in board.journal.entries.map(\.line) + board.control.lines {
            #expect(!line.contains(String(decoding: pin, as: UTF8.self)))
        }
    }

    @Test func `a forgotten phone loses its data path, is told why, and is not recognised again`() throws {
        let scene = try Scene(seed: 82)
        let device = try #require(scene.board.devices.first)
        #expect(scene.board.ask("forget \(device.id)").status == 0)
        #expect(scene.board.channel.paths.isEmpty)
        #expect(
            scene.world.run(within: .seconds(5)) { !scene.person.disconnections.isEmpty },
            "\(scene.person.story)")
        #expect(scene.world.run(within: .seconds(30)) { scene.person.failure != nil })
        #expect(scene.person.failure == "the accessory does not know us any more: pair again")
        #expect(scene.board.devices.isEmpty)
        #expect(scene.board.store.records.keys.sorted() == ["identity"])
        #expect(scene.board.refusals("authentication: identity not known") > 0)
        let again = try scene.person.again()
        #expect(!again.isConnected())
    }

    /// The good-bye has to wait for a slot in which both listen, with the key that the peer has.
    @Test(arguments: 0..<16)
    func `a good-bye arrives, whenever it is said`(_ phase: UInt32) throws {
        for isOwner in [true, false] {
            let scene = try Scene(seed: 92)
            scene.world.run(for: TimeUnits(32 * phase + 5))
            if isOwner {
                _ = scene.board.ask("forget --all")
                #expect(
                    scene.world.run(within: .seconds(3)) { !scene.person.isConnected },
                    "\(scene.person.story)")
            } else {
                scene.person.agent.stop(at: scene.world.now)
                #expect(scene.world.run(within: .seconds(3)) { scene.board.channel.paths.isEmpty })
            }
            #expect(scene.board.accessory.refusals.entries.allSatisfy { !$0.reason.hasPrefix("radio") })
        }
    }

    @Test func `a data path that the radio cannot open is ended, and tried again`() throws {
        let world = World(seed: 93)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let person = try first.again()
        board.ether.refusals = 1
        #expect(person.isConnected(within: .seconds(20)), "\(person.story)")
        #expect(world.run(within: .seconds(20)) { board.channel.paths.count == 1 && person.isConnected })
        #expect(board.refusals("radio: no room") == 1)
        let last = try person.again()
        last.ether.refusals = 1
        #expect(last.isConnected(within: .seconds(20)), "\(last.story)")
        world.run(for: .seconds(3))
        #expect(board.channel.paths.count == 1)
    }

    @Test func `the agent that stops says good-bye, and withdraws everything`() throws {
        let scene = try Scene(seed: 83)
        scene.board.agent.stop(at: scene.world.now)
        #expect(scene.world.run(within: .seconds(3)) { scene.board.agent.isGone })
        #expect(scene.board.channel.paths.isEmpty)
        #expect(scene.board.panel.states.last == .idle)
        #expect(
            scene.world.run(within: .seconds(2)) { scene.person.disconnections.count == 1 },
            "\(scene.person.story)")
        #expect(scene.person.disconnections.first?.hasPrefix("terminated by the peer") == true)
        scene.world.run(for: .seconds(3))
        scene.board.ether.forget()
        scene.world.run(for: .seconds(30))
        #expect(scene.board.ether.said.isEmpty, "it is gone for good")
        #expect(scene.board.accessory.status(at: scene.world.now).services.isEmpty)
    }

    @Test func `the phone that stops says good-bye`() throws {
        let scene = try Scene(seed: 84)
        scene.person.agent.stop(at: scene.world.now)
        #expect(scene.world.run(within: .seconds(3)) { scene.board.channel.paths.isEmpty })
        #expect(scene.board.control.lines.contains { $0.contains("terminated by the peer") })
    }

    @Test func `a data path without traffic ends after the configured time`() throws {
        let scene = try Scene(seed: 85, settings: [("radio", "idle", "10")])
        let start = scene.world.now
        #expect(scene.world.run(within: .seconds(30)) { scene.board.channel.closings == 1 })
        let seconds = Double(scene.world.now.microseconds(since: start)) / 1e6
        #expect((6...12).contains(seconds), "2 s had passed: \(seconds)")
    }

    @Test func `traffic keeps a data path open`() throws {
        let scene = try Scene(seed: 86, settings: [("radio", "idle", "5")])
        let own = try #require(scene.board.radio.dataInterface)
        for _ in 0..<20 {
            scene.person.radio.send(
                PathDatagram(peer: own, sourcePort: 5000, destinationPort: 14550, payload: [1]),
                at: scene.world.now)
            scene.world.run(for: .seconds(2))
        }
        #expect(scene.board.channel.closings == 0)
    }

    @Test func `a new configuration keeps devices and data paths, and withdraws a service that is gone`()
        throws
    {
        let scene = try Scene(seed: 87)
        let board = scene.board
        let more = try Board.configuration([
            ("service _second._udp", "vehicle", "simulated"), ("service _second._udp", "port", "15000"),
        ])
        board.agent.reconfigure(more, at: scene.world.now)
        try scene.expectUndisturbed("a service more")
        #expect(
            board.accessory.status(at: scene.world.now).services == ["_drone-service._udp", "_second._udp"])
        #expect(board.devices.count == 1)

        let other = try Configuration(
            [
                ConfigurationEntry(
                    section: "service _second._udp", key: "vehicle", value: "simulated", line: 1)
            ],
            file: "test.conf")
        board.agent.reconfigure(other, at: scene.world.now)
        #expect(board.accessory.status(at: scene.world.now).services == ["_second._udp"])
        #expect(board.channel.paths.isEmpty)
        #expect(scene.world.run(within: .seconds(5)) { !scene.person.isConnected }, "\(scene.person.story)")
        #expect(board.devices.count == 1)
    }

    @Test(arguments: [FrameKind.discovery, .request, .accepted, .auth1, .auth2, .auth3, .identityKey])
    func `the cluster may merge into another at any step of a pairing`(_ step: FrameKind) throws {
        let world = World(seed: 88)
        let board = try Board(in: world)
        let person = try Person(in: world)
        let merger = try Merger(world)
        var isFirst = true
        let look: ([UInt8]) -> [UInt8]? = { frame in
            if isFirst, FrameKind(of: frame) == step {
                isFirst = false
                merger.merge()
            }
            return frame
        }
        board.ether.whenSaying = look
        person.ether.whenSaying = look
        #expect(person.pair(with: board), "\(step): \(person.story) \(board.accessory.refusals.entries)")
        world.run(for: .seconds(5))
        #expect(Set(board.control.lines.filter { $0.contains("cluster_joined") }).count == 2)
        #expect(board.devices.count == 1)
        let again = try person.again()
        #expect(again.isConnected(within: .seconds(60)), "\(step): \(again.story)")
    }

    @Test(arguments: [FrameKind.auth1, .auth3, .m1, .m2, .m3, .m4])
    func `the cluster may merge into another at any step of a connection`(_ step: FrameKind) throws {
        let world = World(seed: 89)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        let person = try first.again()
        let merger = try Merger(world)
        var isFirst = true
        let look: ([UInt8]) -> [UInt8]? = { frame in
            if isFirst, FrameKind(of: frame) == step {
                isFirst = false
                merger.merge()
            }
            return frame
        }
        board.ether.whenSaying = look
        person.ether.whenSaying = look
        #expect(person.isConnected(within: .seconds(60)), "\(step): \(person.story)")
        world.run(for: .seconds(5))
        #expect(person.isConnected)
    }

    @Test func `a connection lives through a merge of clusters`() throws {
        let scene = try Scene(seed: 90)
        let merger = try Merger(scene.world)
        scene.world.run(for: .seconds(3))
        let before = scene.board.cluster
        merger.merge()
        scene.world.run(for: .seconds(5))
        #expect(scene.board.cluster != before)
        try scene.expectUndisturbed()
    }

    @Test func `an accessory that idles for a day wakes up twice a second`() throws {
        let world = World(seed: 91)
        let board = try Board(in: world, settings: [("pairing", "first-start-window", "0")])
        world.run(for: .seconds(5))
        world.remove(board.agent)
        let counter = TurnCounter(board.agent)
        world.add(counter)
        let windows = 24 * 3600 * 1_000_000 / 1024 / 512
        world.run(for: .seconds(24 * 3600))
        // A window takes one turn to be told of it, and one to be told that its frame was sent.
        #expect(counter.turns <= 3 * windows + 100, "\(counter.turns) turns in \(windows) windows")
        #expect(board.accessory.status(at: world.now).framesLost == 0)
    }
}

/// Another cluster that comes into reach.
final class Merger {
    private let radio: WorldRadio

    init(_ world: World) throws {
        radio = world.makeRadio()
        radio.group = 1
        try radio.perform(
            .start(
                RadioConfiguration(
                    managementAddress: MACAddress(rawValue: 0x0200_0000_0abc), masterPreference: 200)),
            at: world.now)
    }

    func merge() { radio.group = 0 }
}

extension LocalAnswer {
    /// What the client ends with; nil where it goes on.
    /// What is answered at once; empty for a stream.
    var text: String {
        guard case .reply(let octets, _) = self else { return "" }
        return String(decoding: octets, as: UTF8.self)
    }

    var status: UInt8? {
        if case .reply(_, let status) = self { status } else { nil }
    }
}
