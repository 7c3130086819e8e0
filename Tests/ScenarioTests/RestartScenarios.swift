import Ports
import Simulation
import Testing
import Wire

struct RestartScenarios {
    @Test(arguments: [FrameKind.request, .auth1, .auth3])
    func `an accessory that restarts in the middle of a pairing shows no old PIN and has nothing half done`(
        _ step: FrameKind
    ) throws {
        let world = World(seed: 40)
        let board = try Board(in: world)
        let first = try Person(in: world)
        first.startPairing()
        var isDue = false
        board.ether.whenHearing = { frame in
            isDue = isDue || FrameKind(of: frame) == step
            return [frame]
        }
        _ = world.run(within: .seconds(20)) { isDue || first.isAskedForPIN }
        if step != .request {
            #expect(first.isAskedForPIN)
            first.type(try #require(board.pin))
        }
        #expect(world.run(within: .seconds(20)) { isDue })
        world.run(for: TimeUnits(1))
        board.cutPower()

        let restarted = try Board(in: world, store: board.store)
        #expect(restarted.pin == nil && restarted.watch.showings.isEmpty)
        #expect(restarted.devices.isEmpty)
        #expect(restarted.store.records.keys.sorted() == ["identity"])
        #expect(world.run(within: .seconds(200)) { first.failure != nil || first.isAskedForPIN })
        let second = try first.again()
        #expect(second.pair(with: restarted), "\(second.story) \(restarted.journal.entries)")
        #expect(restarted.devices.count == 1)
    }

    @Test func `an accessory that restarts while connected is connected again without a PIN`() throws {
        let world = World(seed: 41)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let person = try first.again()
        #expect(person.isConnected())
        board.cutPower()
        let restarted = try Board(in: world, store: board.store)
        #expect(restarted.devices.count == 1)
        #expect(restarted.accessory.status(at: world.now).pairingSeconds == nil)
        #expect(world.run(within: .seconds(90)) { !restarted.channel.paths.isEmpty }, "\(person.story)")
        #expect(world.run(within: .seconds(5)) { person.isConnected })
        #expect(restarted.watch.showings.isEmpty)
    }

    @Test func `a phone that restarts without a word is known under its new address, and has one path`()
        throws
    {
        let world = World(seed: 42)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        var person = try first.again()
        for _ in 0..<4 {
            #expect(person.isConnected(), "\(person.story)")
            #expect(world.run(within: .seconds(2)) { board.channel.paths.count == 1 })
            person = try person.again()
        }
        #expect(board.accessory.status(at: world.now).peers <= 1)
    }

    /// Counts the writes of a whole story, then tells it again with the power cut at each of them.
    @Test(arguments: [false, true])
    func `the power may be cut at every write, the record being written or not`(_ isWritten: Bool) throws {
        let writes = try story(cutAt: nil, isWritten).writes
        #expect(writes >= 3)
        for number in 1...writes {
            let store = try story(cutAt: number, isWritten)
            store.restorePower()
            let world = World(seed: 44)
            let board = try Board(in: world, store: store)
            #expect(store.setAside.isEmpty)
            #expect(!board.journal.entries.contains { $0.line.contains("damaged") })
            _ = board.ask("pairing open")
            let person = try Person(in: world)
            #expect(person.pair(with: board), "cut at write \(number): \(person.story)")
        }
    }

    /// Starts, pairs, connects and forgets.
    private func story(cutAt number: Int?, _ isWritten: Bool) throws -> MemoryStore {
        let world = World(seed: 43)
        let store = MemoryStore()
        if let number { store.plan(.powerCut(isWritten: isWritten), atWrite: number) }
        let board: Board
        do { board = try Board(in: world, store: store) } catch {
            #expect(store.isWithoutPower)
            return store
        }
        let first = try Person(in: world)
        guard first.pair(with: board), !store.isWithoutPower else { return store }
        let second = try first.again()
        guard second.isConnected(), !store.isWithoutPower else { return store }
        _ = board.ask("forget --all")
        return store
    }

    @Test func `a store that cannot write is told of, and the pairing holds until the restart`() throws {
        let world = World(seed: 45)
        let store = MemoryStore()
        store.plan(.failure, atWrite: 2)
        let board = try Board(in: world, store: store)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        #expect(board.journal.entries.contains { $0.line.hasPrefix("cannot keep Ada's phone") })
        let second = try first.again()
        #expect(second.isConnected())
    }
}
