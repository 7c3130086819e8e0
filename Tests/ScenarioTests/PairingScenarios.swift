import Frames
import Ports
import Simulation
import Testing
import Wire

struct PairingScenarios {
    @Test func `a phone finds the accessory, pairs at first try, and both know each other`() throws {
        let world = World(seed: 1)
        let board = try Board(in: world)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story) \(board.journal.entries)")
        #expect(world.run(within: .seconds(5)) { board.devices.count == 1 })
        #expect(board.devices.first?.name.text == "Ada's phone")
        #expect(person.paired.first?.vendor.text == "Example Inc")
        #expect(board.pin == nil)
        #expect(board.panel.states.last == .paired("Ada's phone"))
        world.run(for: .seconds(6))
        #expect(board.panel.states.last == .idle)
        #expect(board.store.records.count == 2, "the identity, and one device")
        #expect(board.accessory.refusals.total == 0, "\(board.accessory.refusals.entries)")
    }

    @Test func `it connects after pairing, in a new run with another address, without a PIN`() throws {
        let world = World(seed: 2)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        let second = try first.again()
        #expect(second.isConnected(), "\(second.story) \(board.journal.entries)")
        #expect(board.channel.paths.count == 1)
        #expect(second.radio.dataInterface != nil)
        #expect(board.watch.showings.count == 1)
    }

    @Test func `a wrong PIN pairs nothing on either side, costs a second, and the next one is fresh`() throws
    {
        let world = World(seed: 3)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.ask())
        let pin = try #require(board.pin)
        #expect(!first.finish(with: pin == "000000" ? "000001" : "000000"))
        #expect(first.failure == "wrong PIN")
        #expect(first.paired.isEmpty)
        #expect(first.store.records.keys.sorted() == ["identity"])

        let second = try first.again()
        #expect(second.ask(), "\(second.story) \(board.journal.entries)")
        #expect(!second.ether.heard(.comeBack).isEmpty, "it was sent away, and came back")
        #expect(board.panel.states.contains { if case .refused = $0 { true } else { false } })
        #expect(board.devices.isEmpty)
        #expect(board.store.records.keys.sorted() == ["identity"])
        let fresh = try #require(board.pin)
        #expect(fresh != pin)
        #expect(second.finish(with: fresh), "\(second.story)")
        #expect(board.devices.count == 1)
        #expect(board.watch.showings.count == 2)
    }

    @Test func `the PIN of a wrong guess is gone soon after the guesser is`() throws {
        let world = World(seed: 4)
        let board = try Board(in: world)
        let person = try Person(in: world)
        #expect(person.ask())
        #expect(!person.finish(with: "000000"))
        #expect(world.run(within: .seconds(4)) { board.pin == nil })
    }

    @Test func `two phones pair one after the other and stay connected together`() throws {
        let world = World(seed: 5)
        let board = try Board(in: world)
        let ada = try Person(in: world, name: "Ada's phone")
        #expect(ada.pair(with: board))
        let bob = try Person(in: world, name: "Bob's phone")
        bob.startPairing()
        #expect(world.run(within: .seconds(20)) { bob.failure != nil }, "the window closed after Ada's phone")
        #expect(board.ask("pairing open") == .reply(Array("pairing is open for 120 s\n".utf8), status: 0))
        let bobAgain = try bob.again(name: "Bob's phone")
        #expect(bobAgain.pair(with: board), "\(bobAgain.story)")

        let adaAgain = try ada.again()
        let bobOnceMore = try bobAgain.again(name: "Bob's phone")
        #expect(adaAgain.isConnected(), "\(adaAgain.story)")
        #expect(bobOnceMore.isConnected(), "\(bobOnceMore.story)")
        #expect(adaAgain.isConnected)
        #expect(Set(board.channel.paths.map(\.name)) == ["Ada's phone", "Bob's phone"])
        #expect(Set(board.channel.paths.map(\.peer)).count == 2)
        #expect(Set(board.channel.paths.map(\.device)) == Set(board.devices.map(\.id)))
        world.run(for: .seconds(10))
        #expect(adaAgain.isConnected && bobOnceMore.isConnected)
    }

    @Test func `a second phone that asks while the first one types is told to come back, and gets its turn`()
        throws
    {
        let world = World(seed: 6)
        let board = try Board(in: world)
        let ada = try Person(in: world)
        let bob = try Person(in: world, name: "Bob's phone")
        #expect(ada.ask())
        let pin = board.pin
        bob.startPairing()
        world.run(for: .seconds(5))
        #expect(!bob.isAskedForPIN && bob.failure == nil, "\(bob.story)")
        #expect(board.pin == pin, "Ada's PIN stays")
        #expect(!ada.finish(with: "999999"))
        #expect(world.run(within: .seconds(20)) { bob.isAskedForPIN }, "\(bob.story)")
        #expect(bob.finish(with: try #require(board.pin)))
    }

    @Test func `a closed window lets nobody pair, and says so to one who asks all the same`() throws {
        let world = World(seed: 7)
        let board = try Board(in: world, settings: [("pairing", "first-start-window", "0")])
        let person = try Person(in: world)
        #expect(!person.ask())
        #expect(person.failure == "no accessory that can be paired publishes _drone-service._udp")
        let stranger = try Stranger(to: board)
        board.ether.inject(try stranger.request())
        world.run(for: .seconds(2))
        #expect(board.ether.said(.rejected).count == 1)
        #expect(board.refusals("bootstrapping: pairing is closed") == 1)
        #expect(board.watch.showings.isEmpty)
    }

    @Test func `no more devices are paired than the owner allows`() throws {
        let world = World(seed: 8)
        let board = try Board(in: world, settings: [("pairing", "devices", "1")])
        #expect(try Person(in: world).pair(with: board))
        _ = board.ask("pairing open")
        let second = try Person(in: world, name: "Bob's phone")
        #expect(!second.ask())
        #expect(board.refusals("bootstrapping: as many devices are paired as may be") > 0)
        #expect(board.devices.count == 1)
    }

    @Test(arguments: [FrameKind.accepted, .auth2, .auth3])
    func `the owner closes the window in the middle of an attempt, and that is its end`(_ step: FrameKind)
        throws
    {
        let world = World(seed: 9)
        let board = try Board(in: world)
        let person = try Person(in: world)
        #expect(person.ask())
        let pin = try #require(board.pin)
        if step != .accepted {
            person.type(pin)
            let isThere = {
                step == .auth2 ? !board.ether.said(.auth2).isEmpty : !board.ether.heard(.auth3).isEmpty
            }
            #expect(world.run(within: .seconds(10), until: isThere))
        }
        _ = board.ask("pairing close")
        #expect(board.pin == nil)
        if step == .accepted { person.type(pin) }
        #expect(world.run(within: .seconds(30)) { person.failure != nil }, "\(person.story)")
        #expect(person.paired.isEmpty && board.devices.isEmpty)
        #expect(board.accessory.status(at: world.now).pairingSeconds == nil)
    }

    @Test(arguments: [
        BootstrappingMethods.opportunistic, .pinDisplay, BootstrappingMethods(rawValue: 1 << 7), [],
    ])
    func `other ways to pair than our display are refused`(_ methods: BootstrappingMethods) throws {
        let world = World(seed: 10)
        let board = try Board(in: world)
        world.run(for: .seconds(3))
        let stranger = try Stranger(to: board)
        board.ether.inject(try stranger.request(methods))
        world.run(for: .seconds(2))
        #expect(board.ether.said(.rejected).count == 1)
        #expect(board.refusals("bootstrapping: only a PIN on our display will do") == 1)
        #expect(board.watch.showings.isEmpty)
    }

    @Test func `a phone with hostap's layout of identity keys pairs as well, and is answered in it`() throws {
        let world = World(seed: 11)
        let board = try Board(in: world)
        let person = try Person(in: world)
        person.ether.whenSaying = { octets in
            guard FrameKind(of: octets) == .identityKey, var frame = try? ManagementFrame(octets),
                var action = frame.action
            else { return octets }
            action.attributes = action.attributes.map { attribute in
                guard case .sharedKeyDescriptor(var descriptor) = attribute else { return attribute }
                descriptor.mic = []
                descriptor.keyLength = 16
                descriptor.info = [.pairwise, .acknowledge, .encrypted]
                return .sharedKeyDescriptor(descriptor)
            }
            frame.body = (try? action.octets()) ?? []
            return try? frame.octets()
        }
        #expect(person.pair(with: board), "\(person.story) \(board.journal.entries)")
        let answer = try #require(board.ether.said(.identityKey).first)
        #expect(try ManagementFrame(answer).action?.sharedKeyDescriptor?.mic.isEmpty == true)
        let again = try person.again()
        #expect(again.isConnected(), "\(again.story)")
    }

    @Test func `a phone that pairs once more takes its own place`() throws {
        let world = World(seed: 12)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        _ = board.ask("pairing open")
        let second = try first.again(name: "Ada's new name")
        #expect(second.pair(with: board), "\(second.story)")
        #expect(board.devices.map(\.name.text) == ["Ada's new name"])
        #expect(board.store.records.count == 2)
        let third = try second.again()
        #expect(third.isConnected(), "\(third.story)")
    }
}
