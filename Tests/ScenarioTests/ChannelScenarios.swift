import Accessory
import Ports
import Simulation
import Testing
import Wire

/// The radio needs its channel for something else, as where the board's access point moves.
struct ChannelScenarios {
    @Test func `a lost channel ends data paths with a word, and they come back with it`() throws {
        let scene = try HostileScenarios.Scene(seed: 120)
        let board = scene.board
        let before = try #require(board.ether.schedules.last)
        board.ether.loseChannel()
        #expect(scene.world.run(within: .seconds(4)) { !scene.person.disconnections.isEmpty })
        #expect(scene.person.disconnections.first?.hasPrefix("terminated by the peer") == true)
        #expect(board.channel.closings == 1)
        #expect(board.ether.schedules.last?.slots == 0)
        #expect(board.ether.schedules.last?.availability != before.availability)
        #expect(board.control.lines.contains { $0.contains("channel_lost") })
        #expect(
            scene.world.run(within: .seconds(60)) {
                scene.person.isConnected && board.channel.paths.count == 1
            }, "\(scene.person.story)")
        #expect(board.ether.schedules.last?.slots == before.slots)
        #expect(
            scene.world.run(within: .seconds(2)) {
                board.control.lines.contains { $0.contains("channel_regained") }
            })
        #expect(board.devices.count == 1)
    }

    @Test func `a channel that stays away is asked for every few seconds, and pairing goes on without it`()
        throws
    {
        let world = World(seed: 121)
        let board = try Board(in: world)
        world.run(for: .seconds(5))
        board.ether.refusesChannel = true
        board.ether.loseChannel()
        world.run(for: .seconds(60))
        let asked = board.refusals("radio: system error 16")
        #expect(8...12 ~= asked, "\(asked)")
        #expect(board.control.lines.filter { $0.contains("channel_") }.count == 1, "told once")
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        board.ether.refusesChannel = false
        let again = try person.again()
        #expect(again.isConnected(within: .seconds(60)), "\(again.story)")
    }

    @Test func `a channel that is refused from the beginning is asked for again`() throws {
        let world = World(seed: 122)
        let board = try Board(in: world)
        board.ether.refusesChannel = true
        world.run(for: .seconds(12))
        #expect(board.refusals("radio: system error 16") >= 1)
        board.ether.refusesChannel = false
        #expect(world.run(within: .seconds(10)) { board.ether.schedules.last.map { $0.slots != 0 } == true })
    }
}
