import Frames
import Ports
import Simulation
import Testing
import Wire

/// Thousands of addresses ask for something at once.
struct FloodScenarios {
    /// Adds a flood that goes on as long as the world runs.
    final class Flood: Turnable {
        private let board: Board
        private let frame: (Stranger) throws -> [UInt8]
        private var stranger: Stranger
        private var next: Instant
        private(set) var count = 0
        private(set) var mostPeers = 0

        /// `frame` is sent by a new address every 10 ms.
        init(_ board: Board, _ frame: @escaping (Stranger) throws -> [UInt8]) throws {
            self.board = board
            self.frame = frame
            stranger = try Stranger(to: board)
            next = board.world.now
            board.world.add(self)
        }

        var deadline: Instant? { next }
        func addDescriptors(to set: inout DescriptorSet) {}
        func turn(at now: Instant) {
            next = now + .milliseconds(10)
            guard let octets = try? frame(stranger) else { return }
            board.ether.inject(octets)
            stranger.moveOn()
            count += 1
            mostPeers = max(mostPeers, board.accessory.status(at: now).peers)
        }
    }

    @Test func `a flood of requests to pair neither grows memory nor locks out the paired phone`() throws {
        let world = World(seed: 70)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        _ = board.ask("pairing open")
        let flood = try Flood(board) { try $0.request() }
        world.run(for: .seconds(10))
        let person = try first.again()
        #expect(
            person.isConnected(within: .seconds(40)), "\(person.story) \(board.accessory.refusals.entries)")
        world.run(for: .seconds(10))
        #expect(person.isConnected, "\(person.story)")
        #expect(flood.count > 2000)
        #expect(flood.mostPeers <= 16)
        #expect(board.accessory.refusals.entries.count < 20)
        #expect(board.journal.entries.count < 400, "the journal is not flooded")
        #expect(board.watch.showings.count <= 3)
    }

    @Test func `a flood of subscribes neither grows memory nor locks out the paired phone`() throws {
        let world = World(seed: 71)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        let flood = try Flood(board) { try $0.subscribe() }
        world.run(for: .seconds(10))
        let person = try first.again()
        #expect(
            person.isConnected(within: .seconds(40)), "\(person.story) \(board.accessory.refusals.entries)")
        world.run(for: .seconds(10))
        #expect(person.isConnected)
        #expect(flood.mostPeers <= 2)
    }

    @Test func `a flood of guesses that nobody asked for is turned away, and the paired phone is not`() throws
    {
        let world = World(seed: 72)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        world.run(for: .seconds(2))
        let sample = try Stranger(to: board).guess("123456")
        let flood = try Flood(board) { stranger in
            var frame = try ManagementFrame(sample)
            frame.header.transmitter = stranger.address
            return try frame.octets()
        }
        world.run(for: .seconds(5))
        let person = try first.again()
        #expect(
            person.isConnected(within: .seconds(40)), "\(person.story) \(board.accessory.refusals.entries)")
        #expect(flood.mostPeers <= 2)
        #expect(board.devices.count == 1)
    }
}
