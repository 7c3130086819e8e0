import Ports
import Simulation
import Testing
import Wire

/// What a person does with the button of the board.
struct ButtonScenarios {
    typealias Scene = HostileScenarios.Scene

    private func closedBoard(seed: UInt64) throws -> Board {
        try Board(in: World(seed: seed), settings: [("pairing", "first-start-window", "0")])
    }

    @Test func `pressed, pairing opens, and a phone pairs by the PIN that is shown`() throws {
        let board = try closedBoard(seed: 200)
        board.world.run(for: .seconds(2))
        #expect(board.panel.states == [.idle])
        let person = try Person(in: board.world)
        board.buttons.press(.short, at: board.world.now + .seconds(1))
        board.world.run(for: .seconds(2))
        #expect(board.accessory.status(at: board.world.now).pairingSeconds != nil)
        #expect(person.pair(with: board), "\(person.story)")
        #expect(board.journal.entries.contains { $0.line == "the button was pressed" })
        #expect(board.control.lines.contains(#"{"event":"button_pressed"}"#))
    }

    @Test func `pressed again while pairing is open, it is open anew for the whole time`() throws {
        let board = try closedBoard(seed: 201)
        let start = board.world.now
        board.buttons.press(.short, at: start)
        board.buttons.press(.short, at: start + .seconds(100))
        board.world.run(for: .seconds(101))
        let left = try #require(board.accessory.status(at: board.world.now).pairingSeconds)
        #expect((118...119).contains(left))
        board.world.run(for: .seconds(120))
        #expect(board.panel.states.last == .idle)
    }

    @Test func `pressed while a PIN is shown, the PIN stays and is good`() throws {
        let board = try closedBoard(seed: 202)
        board.buttons.press(.short, at: board.world.now)
        let person = try Person(in: board.world)
        #expect(person.ask(), "\(person.story)")
        let pin = try #require(board.pin)
        board.buttons.press(.short, at: board.world.now)
        board.world.run(for: .seconds(1))
        #expect(board.pin == pin)
        #expect(person.finish(with: pin), "\(person.story)")
    }

    @Test func `held to its end, every phone is forgotten, and the panel counted down before`() throws {
        let scene = try Scene(seed: 203)
        let board = scene.board
        let end = scene.world.now + .seconds(8)
        board.buttons.press(.holding(completes: end), at: scene.world.now)
        board.buttons.press(.held, at: end)
        scene.world.run(for: .seconds(4))
        #expect(board.panel.states.last == .forgetting(at: end))
        #expect(!board.devices.isEmpty && !board.channel.paths.isEmpty)
        scene.world.run(for: .seconds(5))
        #expect(board.devices.isEmpty && board.channel.paths.isEmpty)
        #expect(board.store.records.keys.sorted() == ["identity"])
        #expect(board.panel.states.last == .idle)
        #expect(board.journal.entries.contains { $0.line == "the button was held: forgetting 1 devices" })
    }

    @Test func `released in time, nobody is forgotten`() throws {
        let scene = try Scene(seed: 204)
        let board = scene.board
        let end = scene.world.now + .seconds(8)
        board.buttons.press(.holding(completes: end), at: scene.world.now)
        board.buttons.press(.released, at: scene.world.now + .seconds(7))
        scene.world.run(for: .seconds(20))
        #expect(board.devices.count == 1 && board.channel.paths.count == 1)
        #expect(board.panel.states.last == .idle)
    }

    @Test func `a button of whose end nobody hears stops counting, and forgets nobody`() throws {
        let scene = try Scene(seed: 205)
        scene.board.buttons.press(
            .holding(completes: scene.world.now + .seconds(8)), at: scene.world.now)
        scene.world.run(for: .seconds(10))
        #expect(scene.board.devices.count == 1)
        #expect(scene.board.panel.states.last == .idle)
    }

    @Test func `the count-down stands before the PIN, which is back when the button is released`() throws {
        let board = try closedBoard(seed: 206)
        board.buttons.press(.short, at: board.world.now)
        let person = try Person(in: board.world)
        #expect(person.ask(), "\(person.story)")
        let pin = try #require(board.pin)
        let end = board.world.now + .seconds(8)
        board.buttons.press(.holding(completes: end), at: board.world.now)
        board.buttons.press(.released, at: board.world.now + .seconds(2))
        board.world.run(for: .seconds(1))
        #expect(board.panel.states.last == .forgetting(at: end))
        board.world.run(for: .seconds(2))
        #expect(board.pin == pin)
    }

    @Test func `for a minute after a press somebody is at the board`() throws {
        let board = try closedBoard(seed: 207)
        let start = board.world.now
        #expect(!board.accessory.buttonPressedRecently(at: start))
        board.buttons.press(.noted, at: start)
        board.world.run(for: .seconds(1))
        #expect(board.accessory.buttonPressedRecently(at: start + .seconds(59)))
        #expect(!board.accessory.buttonPressedRecently(at: start + .seconds(61)))
        #expect(board.panel.states == [.idle], "it does nothing else")
    }

    @Test func `asked which one it is, the accessory says so for five seconds`() throws {
        var accessory = try closedBoard(seed: 208).accessory
        let now = Instant(microseconds: 1_000_000)
        #expect(try accessory.identify(at: now).count == 1)
        #expect(accessory.panel.state == .identify)
        #expect(try accessory.identify(at: now + .seconds(3)).isEmpty, "it does so already")
        let end = try #require(accessory.deadline)
        #expect(end == now + .seconds(5))
        _ = accessory.advance(to: end)
        #expect(accessory.panel.state == .idle)
    }

    @Test func `whoever asks all the time which one it is has the panel for a quarter of it`() throws {
        var accessory = try closedBoard(seed: 208).accessory
        var now = Instant(microseconds: 1_000_000)
        var shown = 0
        for _ in 0..<600 {
            _ = try? accessory.identify(at: now)
            if accessory.panel.state == .identify { shown += 1 }
            now = now + .seconds(1)
            _ = accessory.advance(to: now)
        }
        #expect((140...170).contains(shown), "\(shown) of 600 s")
        #expect(accessory.refusals.count(of: "identify asked too often") > 400)
    }

    @Test func `a panel and buttons that fail are told of once a change, and the accessory goes on`() throws {
        let board = try closedBoard(seed: 209)
        board.panel.fault = "the bus is silent"
        board.buttons.fault = "GPIO17 is held by gpiomon"
        board.world.run(for: .seconds(10))
        #expect(board.ask("status --json").text.contains(#"{"name":"recorded","fault":"the bus is silent"}"#))
        #expect(board.ask("status").text.contains("buttons: GPIO17 is held by gpiomon\n"))
        board.panel.fault = nil
        board.world.run(for: .seconds(10))
        let lines = board.journal.entries.map(\.line)
        #expect(lines.filter { $0 == "cannot use recorded: the bus is silent" }.count == 1)
        #expect(lines.filter { $0 == "cannot use buttons: GPIO17 is held by gpiomon" }.count == 1)
        #expect(lines.filter { $0 == "recorded can be used again" }.count == 1)
        let person = try Person(in: board.world)
        board.buttons.press(.short, at: board.world.now)
        #expect(person.pair(with: board), "\(person.story)")
    }
}
