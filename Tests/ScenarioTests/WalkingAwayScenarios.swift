import Ports
import Simulation
import Testing
import Wire

/// The phone goes out of reach at the worst moments of a pairing.
struct WalkingAwayScenarios {
    enum Step: CaseIterable {
        case discovery, request, shown, auth1, auth2, auth3, identityKey

        /// How long the PIN may be shown after it: the time for a person to type, or for the next frame to come.
        var patience: TimeUnits {
            switch self {
            case .discovery: .seconds(1)
            case .request, .shown: .seconds(61)
            case .auth1, .auth2: .seconds(5)
            case .auth3: .seconds(10)
            case .identityKey: .seconds(1)
            }
        }
    }

    @Test(arguments: Step.allCases)
    func `a phone that walks away pairs in the end when it comes back`(_ step: Step) throws {
        let world = World(seed: 20)
        let board = try Board(in: world)
        let first = try Person(in: world)
        leave(at: step, first, board)
        first.startPairing()
        _ = world.run(within: .seconds(10)) { first.isAskedForPIN || first.radio.isAway }
        if step == .shown { first.walkAway() }
        if first.isAskedForPIN, step != .shown, let pin = board.pin { first.type(pin) }
        #expect(world.run(within: .seconds(10)) { first.radio.isAway })

        world.run(for: step.patience)
        #expect(board.pin == nil, "\(step): \(board.panel.states)")
        #expect(first.paired.isEmpty)
        #expect(board.devices.count == (step == .identityKey ? 1 : 0))
        first.switchOff()

        if step == .identityKey { _ = board.ask("pairing open") }
        let second = try first.again()
        #expect(second.pair(with: board), "\(step): \(second.story) \(board.journal.entries)")
        #expect(board.devices.count == 1)
        #expect(board.store.records.count == 2)
        let third = try second.again()
        #expect(third.isConnected(), "\(third.story)")
    }

    @Test(arguments: [Step.auth2, .auth3, .identityKey])
    func `a phone that is away for a moment goes on where it was`(_ step: Step) throws {
        let world = World(seed: 21)
        let board = try Board(in: world)
        let person = try Person(in: world)
        leave(at: step, person, board)
        #expect(person.ask())
        person.type(try #require(board.pin))
        #expect(world.run(within: .seconds(10)) { person.radio.isAway })
        world.run(for: .milliseconds(1_200))
        person.comeBack()
        #expect(world.run(within: .seconds(20)) { !person.paired.isEmpty }, "\(person.story)")
        #expect(board.devices.count == 1)
    }

    @Test func `a connected phone that walks away is connected again when it comes back`() throws {
        let world = World(seed: 22)
        let board = try Board(in: world)
        let first = try Person(in: world)
        #expect(first.pair(with: board))
        let person = try first.again()
        #expect(person.isConnected())
        person.walkAway()
        #expect(world.run(within: .seconds(60)) { board.channel.paths.isEmpty }, "idle on the board's side")
        #expect(world.run(within: .seconds(60)) { !person.isConnected }, "idle on the phone's side")
        world.run(for: .seconds(30))
        person.comeBack()
        #expect(world.run(within: .seconds(30)) { person.isConnected }, "\(person.story)")
        #expect(board.channel.paths.count == 1)
        #expect(board.watch.showings.count == 1)
    }

    /// Takes the phone off the air once the frame that ends the step has arrived.
    private func leave(at step: Step, _ person: Person, _ board: Board) {
        switch step {
        case .discovery: leave(person, hearing: .discovery)
        case .request: leave(person, board, hearing: .request)
        case .shown: break
        case .auth1: leave(person, board, hearing: .auth1)
        case .auth2: leave(person, hearing: .auth2)
        case .auth3: leave(person, board, hearing: .auth3)
        case .identityKey: leave(person, board, hearing: .identityKey)
        }
    }

    private func leave(_ person: Person, _ board: Board, hearing kind: FrameKind) {
        var isFirst = true
        board.ether.whenHearing = { [unowned person] frame in
            if isFirst, FrameKind(of: frame) == kind {
                isFirst = false
                person.walkAway()
            }
            return [frame]
        }
    }

    private func leave(_ person: Person, hearing kind: FrameKind) {
        var isFirst = true
        person.ether.whenHearing = { [unowned person] frame in
            if isFirst, FrameKind(of: frame) == kind {
                isFirst = false
                person.walkAway()
            }
            return [frame]
        }
    }
}
