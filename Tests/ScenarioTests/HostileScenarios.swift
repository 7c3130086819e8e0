import Frames
import Ports
import Simulation
import Testing
import Wire

/// Somebody on the air replays, changes and makes up frames.
struct HostileScenarios {
    /// A board, and a phone that is connected to it.
    struct Scene {
        let world: World
        let board: Board
        let person: Person

        init(seed: UInt64, settings: [(String, String, String)] = []) throws {
            world = World(seed: seed)
            board = try Board(in: world, settings: settings)
            let first = try Person(in: world)
            try #require(first.pair(with: board), "\(first.story)")
            world.run(for: .seconds(2))
            person = try first.again()
            try #require(person.isConnected(), "\(person.story)")
            world.run(for: .seconds(2))
        }

        /// Whether data still flow both ways, and nothing was closed in between.
        func expectUndisturbed(_ comment: Comment? = nil) throws {
            world.run(for: .seconds(5))
            #expect(person.isConnected && person.disconnections.isEmpty, comment)
            #expect(board.channel.paths.count == 1, comment)
            #expect(board.channel.closings == 0, comment)
            let own = try #require(board.radio.dataInterface)
            let peer = try #require(person.radio.dataInterface)
            _ = board.radio.takeArrived()
            _ = person.radio.takeArrived()
            person.radio.send(
                PathDatagram(peer: own, sourcePort: 5000, destinationPort: 14550, payload: [1]), at: world.now
            )
            board.radio.send(
                PathDatagram(peer: peer, sourcePort: 14550, destinationPort: 5000, payload: [2]),
                at: world.now)
            world.run(for: .seconds(1))
            #expect(board.radio.takeArrived().map(\.payload) == [[1]], comment)
            #expect(person.radio.takeArrived().map(\.payload) == [[2]], comment)
        }
    }

    @Test func `a confirmation that was changed on the way pairs nobody, and is counted`() throws {
        for octet in [4, 30, 60] {
            let world = World(seed: 50)
            let board = try Board(in: world)
            let person = try Person(in: world)
            board.ether.whenHearing = { frame in
                guard FrameKind(of: frame) == .auth3, frame.count > octet else { return [frame] }
                var changed = frame
                changed[changed.count - octet] ^= 1
                return [changed]
            }
            #expect(!person.pair(with: board))
            #expect(board.devices.isEmpty && board.pin == nil)
            #expect(board.accessory.refusals.total > 0)
            #expect(board.store.records.count == 1)
        }
    }

    @Test func `a confirmation that is replayed is refused and counted`() throws {
        let scene = try Scene(seed: 51)
        let frame = try #require(scene.board.ether.heard(.auth3).last)
        scene.board.ether.inject(frame)
        scene.world.run(for: .milliseconds(10))
        #expect(scene.board.refusals("authentication: not expected now") == 1)
        try scene.expectUndisturbed()
    }

    @Test func `recorded frames of a pairing pair nobody when they are played again`() throws {
        let scene = try Scene(seed: 52)
        let board = scene.board
        let recorded = board.ether.heard
        let devices = board.devices.map(\.id)
        _ = board.ask("pairing open")
        for frame in recorded where FrameKind(of: frame) != .discovery {
            guard let parsed = try? ManagementFrame(frame), !parsed.header.isProtected else { continue }
            board.ether.inject(frame)
            scene.world.run(for: .milliseconds(100))
        }
        scene.world.run(for: .seconds(90))
        #expect(board.devices.map(\.id) == devices)
        #expect(board.pin == nil)
        #expect(scene.person.isConnected)
    }

    @Test func `a changed identity key is refused and counted, and the right one still pairs`() throws {
        let world = World(seed: 53)
        let board = try Board(in: world)
        let person = try Person(in: world)
        var isFirst = true
        board.ether.whenHearing = { octets in
            guard FrameKind(of: octets) == .identityKey, isFirst, var frame = try? ManagementFrame(octets)
            else {
                return [octets]
            }
            isFirst = false
            frame.body[frame.body.count - 3] ^= 1
            return (try? frame.octets()).map { [$0] } ?? []
        }
        #expect(person.pair(with: board), "\(person.story) \(board.accessory.refusals.entries)")
        #expect(
            board.refusals("identity key: key data do not unwrap") == 1, "\(board.accessory.refusals.entries)"
        )
    }

    @Test func `an identity key that comes again changes nothing, and one in clear is refused`() throws {
        let world = World(seed: 54)
        let board = try Board(in: world)
        let person = try Person(in: world)
        #expect(person.pair(with: board))
        let frame = try #require(board.ether.heard(.identityKey).first)
        board.ether.inject(frame)
        world.run(for: .seconds(1))
        #expect(board.devices.count == 1)

        var clear = try ManagementFrame(frame)
        clear.header.isProtected = false
        clear.body[0] = 4
        board.ether.inject(try clear.octets())
        world.run(for: .milliseconds(10))
        #expect(board.refusals("identity key: not protected") == 1)
    }

    @Test func `a replayed or changed M3 opens nothing and is counted`() throws {
        let scene = try Scene(seed: 55)
        let frame = try #require(scene.board.ether.heard(.m3).last)
        let before = scene.board.accessory.refusals.total
        var changed = try ManagementFrame(frame)
        changed.body[changed.body.count - 1] ^= 1
        scene.board.ether.inject(try changed.octets())
        scene.world.run(for: .milliseconds(10))
        #expect(
            scene.board.accessory.refusals.total == before + 1, "\(scene.board.accessory.refusals.entries)")
        scene.board.ether.inject(frame)
        try scene.expectUndisturbed("the same M3 again is a repetition")
        #expect(scene.board.control.lines.filter { $0.contains(#""event":"connected""#) }.count == 1)
    }

    @Test func `an M3 that was changed on the way opens no data path`() throws {
        let world = World(seed: 56)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let person = try first.again()
        board.ether.whenHearing = { octets in
            guard FrameKind(of: octets) == .m3, var frame = try? ManagementFrame(octets) else {
                return [octets]
            }
            frame.body[frame.body.count - 1] ^= 1
            return (try? frame.octets()).map { [$0] } ?? []
        }
        person.connect()
        world.run(for: .seconds(10))
        #expect(board.channel.openings == 0 && !person.isConnected)
        #expect(board.accessory.refusals.total > 0)
        board.ether.whenHearing = { [$0] }
        #expect(world.run(within: .seconds(90)) { person.isConnected }, "\(person.story)")
    }

    @Test func `a phone passes over a come-back whose cookie it could not say back`() throws {
        let world = World(seed: 58)
        let board = try Board(in: world)
        let person = try Person(in: world)
        person.ether.whenHearing = { octets in
            guard FrameKind(of: octets) == .accepted, var frame = try? ManagementFrame(octets),
                let action = frame.action, var answer = action.pairingBootstrapping
            else { return [octets] }
            answer.step = .comeBack(after: TimeUnits(1), cookie: [UInt8](repeating: 7, count: 255))
            answer.methods = []
            let comeBack = ActionFrame(
                kind: .serviceDiscovery, isProtectedDual: false,
                attributes: action.attributes.filter { $0.id != .pairingBootstrapping }
                    + [.pairingBootstrapping(answer)])
            guard let body = try? comeBack.octets() else { return [] }
            frame.body = body
            return (try? frame.octets()).map { [$0, octets] } ?? []
        }
        #expect(person.pair(with: board), "\(person.story)")
        #expect(person.agent.phone.refusals.count(of: "bootstrapping: a cookie that is too long") > 0)
    }

    @Test(arguments: [true, false])
    func `an unpaired phone never gets a data path`(_ isSecure: Bool) throws {
        let world = World(seed: 57)
        let board = try Board(in: world)
        #expect(try Person(in: world).pair(with: board))
        let stranger = try Stranger(to: board)
        board.ether.forget()
        board.ether.inject(try stranger.dataPath(isSecure: isSecure))
        world.run(for: .seconds(2))
        #expect(board.refusals("data path: not paired") == 1)
        let answer = try #require(board.ether.said(.m2).first)
        #expect(try ManagementFrame(answer).action?.dataPathExtension?.head.status == .rejected)
        board.ether.inject(try stranger.dataPath(isSecure: isSecure, isProtected: true))
        world.run(for: .seconds(2))
        #expect(board.refusals("action frame: protected by nobody we know") == 1)
        #expect(board.channel.openings == 0)
        #expect(board.accessory.status(at: world.now).connected == 0)
    }

    @Test func `frames under a paired phone's address do not disturb it`() throws {
        let scene = try Scene(seed: 58)
        let (board, world) = (scene.board, scene.world)
        let last = try #require(board.ether.heard(.m1).last)
        let request = try ManagementFrame(last)
        let liar = try Stranger(to: board, as: request.header.transmitter)
        let path = try #require(request.action?.dataPathExtension?.head)

        board.ether.inject(try #require(board.ether.heard(.auth1).last))
        world.run(for: .seconds(5))
        try scene.expectUndisturbed("a replayed request for verification")

        board.ether.inject(try liar.identityKey())
        try scene.expectUndisturbed("an identity key in clear")
        #expect(board.refusals("identity key: not protected") == 1)

        board.ether.inject(try liar.termination(of: path.initiator, identifier: path.identifier))
        try scene.expectUndisturbed("a termination in clear")
        #expect(board.refusals("data path: not protected as it has to be") == 1)

        for identifier in 1...UInt8(20) {
            board.ether.inject(try liar.dataPath(identifier: identifier, isSecure: true))
            board.ether.inject(try liar.dataPath(identifier: identifier, isSecure: false))
            world.run(for: .milliseconds(20))
        }
        try scene.expectUndisturbed("requests for data paths in clear")

        var clear = request
        clear.header.isProtected = false
        clear.body[0] = 4
        board.ether.inject(try clear.octets())
        try scene.expectUndisturbed("the phone's own request in clear")

        _ = board.ask("pairing open")
        board.ether.inject(try liar.request())
        world.run(for: .seconds(1))
        #expect(board.pin != nil)
        board.ether.inject(try liar.guess("123456"))
        world.run(for: .seconds(5))
        #expect(board.pin == nil)
        try scene.expectUndisturbed("a guess at a PIN")
        #expect(board.devices.count == 1)
    }

    @Test func `requests in clear under a paired phone's address leave room for its own`() throws {
        let world = World(seed: 59)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let person = try first.again()
        // The phone is recognised, and before it can ask somebody else asks in its name.
        var isFirst = true
        board.ether.whenHearing = { octets in
            guard isFirst, FrameKind(of: octets) == .m1, let frame = try? ManagementFrame(octets) else {
                return [octets]
            }
            isFirst = false
            var frames: [[UInt8]] = []
            for identifier in 100...UInt8(120) {
                guard
                    let liar = try? Stranger(
                        to: board, as: frame.header.transmitter, seed: UInt64(identifier)),
                    let lie = try? liar.dataPath(identifier: identifier, isSecure: true)
                else { continue }
                frames.append(lie)
            }
            return frames + [octets]
        }
        #expect(person.isConnected(), "\(person.story) \(board.accessory.refusals.entries)")
    }

    @Test func `frames of another cluster, of nobody and of no kind are counted and change nothing`() throws {
        let scene = try Scene(seed: 60)
        let board = scene.board
        let stranger = try Stranger(to: board)
        var frame = try ManagementFrame(stranger.request())
        frame.header.cluster = MACAddress(rawValue: 0x506f_9a01_ffff)
        board.ether.inject(try frame.octets())
        frame.header.transmitter = .broadcast
        board.ether.inject(try frame.octets())
        board.ether.inject([])
        board.ether.inject([0xd0, 0, 0])
        scene.world.run(for: .milliseconds(10))
        #expect(board.refusals("frame: another cluster's") == 1)
        #expect(board.refusals("frame: impossible transmitter") == 1)
        #expect(board.refusals("frame: malformed header") == 2)
        try scene.expectUndisturbed()
    }
}
