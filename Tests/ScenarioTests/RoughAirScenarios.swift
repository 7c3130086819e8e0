import Ports
import Simulation
import Testing
import Wire

/// Frames are lost, come twice, or come late.
struct RoughAirScenarios {
    @Test(arguments: 1...20)
    func `pairs and connects where every fifth frame is lost on the air`(_ seed: UInt64) throws {
        let world = World(seed: seed)
        world.loss = 0.2
        let board = try Board(in: world)
        try expectPairing(board, try Person(in: world))
    }

    /// The hardest kind: the radio has acknowledged what its owner never sees.
    @Test(arguments: 1...30)
    func `pairs and connects where every fifth frame never reaches the program, and others twice or late`(
        _ seed: UInt64
    ) throws {
        let world = World(seed: seed)
        var faults = Faults()
        faults.loss = 0.2
        faults.repetition = 0.2
        faults.reordering = 0.1
        let board = try Board(in: world, wrap: { FaultyRadio($0, faults: faults, seed: seed) })
        let person = try Person(in: world, wrap: { FaultyRadio($0, faults: faults, seed: ~seed) })
        try expectPairing(board, person)
    }

    private func expectPairing(_ board: Board, _ person: Person) throws {
        #expect(person.pair(with: board), "\(person.story) \(board.journal.entries)")
        #expect(board.devices.count == 1)
        let again = try person.again()
        #expect(again.isConnected(within: .seconds(20)), "\(again.story) \(board.journal.entries)")
        #expect(again.failure == nil)
    }
}
