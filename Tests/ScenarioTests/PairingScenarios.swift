import Simulation
import Testing
import Wire

struct PairingScenarios {
    @Test func `a phone finds the accessory, pairs at first try, and both know each other`() throws {
        let world = World(seed: 1)
        let board = try Board(in: world)
        let person = try Person(in: world)
        #expect(
            person.pair(with: board),
            "\(person.failure ?? "no failure") \(person.notes) \(board.journal.entries)")
        #expect(world.run(within: .seconds(5)) { board.devices.count == 1 })
        #expect(board.devices.first?.name.text == "Ada's phone")
        #expect(person.paired.first?.vendor.text == "Example Inc")
        #expect(board.pin == nil)
    }

    @Test func `it connects after pairing, in a new run with another address, without a PIN`() throws {
        let world = World(seed: 2)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        first.switchOff()
        let second = try Person(in: world, store: first.store)
        second.connect()
        #expect(
            world.run(within: .seconds(20)) { second.peer != nil },
            "\(second.failure ?? "") \(second.notes) \(board.journal.entries)")
        #expect(board.channel.paths.count == 1)
        #expect(second.radio.dataInterface != nil)
    }
}
