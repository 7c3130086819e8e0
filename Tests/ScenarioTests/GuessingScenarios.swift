import Ports
import Simulation
import Testing
import Wire

struct GuessingScenarios {
    @Test func `a thousand wrong guesses end locked, after ten of them and no sooner than their waits`()
        throws
    {
        let world = World(seed: 30)
        let board = try Board(in: world, settings: [("pairing", "first-start-window", "86400")])
        var guesser = try Stranger(to: board)
        let start = world.now
        var taken = 0
        var closedAt: Instant?
        for _ in 0..<1000 {
            if board.accessory.status(at: world.now).pairingSeconds == nil {
                closedAt = closedAt ?? world.now
                board.ether.inject(try guesser.request())
                board.ether.inject(try guesser.guess("123456"))
                world.run(for: .milliseconds(600))
            } else {
                board.ether.inject(try guesser.request())
                world.run(for: .milliseconds(600))
                if board.pin != nil {
                    let before = board.ether.said(.auth2).count
                    board.ether.inject(try guesser.guess("123456"))
                    #expect(world.run(within: .seconds(10)) { board.pin == nil })
                    if board.ether.said(.auth2).count > before { taken += 1 }
                }
            }
            guesser.moveOn()
            if closedAt == nil { world.run(for: .seconds(20)) }
        }
        #expect(board.devices.isEmpty)
        #expect(taken == 10)
        #expect(board.watch.showings.count == 10)
        #expect(Set(board.watch.showings.map(\.pin)).count == 10, "a fresh PIN each")
        let closed = try #require(closedAt)
        #expect(closed.microseconds(since: start) >= 511 * 1_000_000, "1 + 2 + … + 256 s")
        #expect(board.panel.states.last == .idle)
        #expect(board.refusals("bootstrapping: pairing is closed") > 0)

        _ = board.ask("pairing open")
        let owner = try Person(in: world)
        #expect(owner.pair(with: board), "\(owner.story)")
    }

    @Test func `one who asks while everybody is locked out is told to come back, however long that takes`()
        throws
    {
        let world = World(seed: 31)
        let board = try Board(in: world, settings: [("pairing", "first-start-window", "86400")])
        var guesser = try Stranger(to: board)
        for failure in 1...9 {
            board.ether.inject(try guesser.request())
            #expect(world.run(within: .seconds(5)) { board.pin != nil })
            board.ether.inject(try guesser.guess("123456"))
            #expect(world.run(within: .seconds(5)) { board.pin == nil })
            if case .refused = board.panel.states.last {
            } else {
                Issue.record("the panel tells nobody: \(board.panel.states)")
            }
            guesser.moveOn()
            let before = board.ether.said(.comeBack).count
            board.ether.inject(try guesser.request())
            world.run(for: .milliseconds(600))
            #expect(board.ether.said(.comeBack).count > before, "after \(failure) failures")
            if failure < 9 { world.run(for: .seconds(1 << UInt32(failure - 1))) }
        }
        let person = try Person(in: world)
        person.startPairing()
        #expect(world.run(within: .seconds(300)) { person.isAskedForPIN }, "\(person.story)")
    }

    @Test func `a second guess at the same PIN is not answered`() throws {
        let world = World(seed: 32)
        let board = try Board(in: world)
        let guesser = try Stranger(to: board)
        board.ether.inject(try guesser.request())
        world.run(for: .milliseconds(100))
        #expect(board.pin != nil)
        board.ether.inject(try guesser.guess("111111"))
        world.run(for: .milliseconds(100))
        let answers = board.ether.said(.auth2).count
        board.ether.inject(try guesser.guess("222222"))
        world.run(for: .milliseconds(100))
        #expect(
            board.ether.said(.auth2).count == answers,
            "a refusal would end the attempt of the one in whose name it may have come")
        #expect(board.refusals("authentication: another attempt is under way") == 1)
    }

    @Test func `a cookie that was never given gets no PIN, however long it is`() throws {
        let world = World(seed: 33)
        let board = try Board(in: world)
        let guesser = try Stranger(to: board)
        for count in [1, 4, 255] {
            board.ether.inject(try guesser.request(cookie: [UInt8](repeating: 7, count: count)))
            world.run(for: .milliseconds(600))
            board.ether.inject(try guesser.guess("123456"))
            world.run(for: .milliseconds(600))
            #expect(board.pin == nil)
        }
        #expect(board.refusals("bootstrapping: a cookie that was never given") == 3)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
    }
}
