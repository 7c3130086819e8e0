import Accessory
import Ports
import Simulation
import Testing
import Wire

/// The accessory takes another address now and then, so that strangers cannot follow it.
struct AddressScenarios {
    private func interval(_ seconds: Int) -> [(String, String, String)] {
        [("radio", "address-interval", "\(seconds)"), ("pairing", "first-start-window", "0")]
    }

    @Test func `the address changes, and a paired device still recognises the accessory`() throws {
        let world = World(seed: 110)
        let board = try Board(in: world, settings: interval(60))
        world.run(for: .seconds(5))
        _ = board.ask("pairing open")
        let first = try Person(in: world)
        #expect(first.pair(with: board), "\(first.story)")
        first.switchOff()
        let before = try #require(board.address)
        #expect(world.run(within: .seconds(400)) { board.address != nil && board.address != before })
        let person = try first.again()
        #expect(person.isConnected(), "\(person.story)")
        #expect(board.devices.count == 1)
        #expect(board.watch.showings.count == 1)
        #expect(board.refusals("radio: not running") == 0)
    }

    @Test func `it changes as often as is configured, and never where that is zero`() throws {
        for (seconds, count) in [(60, 10), (300, 2), (0, 0)] {
            let world = World(seed: 111)
            let board = try Board(in: world, settings: interval(seconds))
            var addresses: [MACAddress] = []
            for _ in 0..<612 {
                world.run(for: .seconds(1))
                if let address = board.address, addresses.last != address { addresses.append(address) }
            }
            #expect(abs(addresses.count - 1 - count) <= 1, "\(seconds) s: \(addresses)")
            #expect(Set(addresses).count == addresses.count)
            #expect(addresses.allSatisfy { !$0.isMulticast && $0.rawValue >> 41 & 1 == 1 })
        }
    }

    @Test func `it stays while a device is connected, and goes when that is over`() throws {
        let scene = try HostileScenarios.Scene(seed: 112, settings: [("radio", "address-interval", "60")])
        _ = scene.board.ask("pairing close")
        let before = try #require(scene.board.address)
        for _ in 0..<20 {
            scene.world.run(for: .seconds(10))
            let own = try #require(scene.board.radio.dataInterface)
            scene.person.radio.send(
                PathDatagram(peer: own, sourcePort: 5000, destinationPort: 14550, payload: [1]),
                at: scene.world.now)
        }
        #expect(scene.person.isConnected && scene.person.disconnections.isEmpty, "\(scene.person.story)")
        #expect(scene.board.address == before)
        scene.person.agent.stop(at: scene.world.now)
        scene.world.run(for: .seconds(50))
        #expect(scene.board.address == before, "a phone that was here a moment ago may come back")
        #expect(
            scene.world.run(within: .seconds(30)) {
                scene.board.address != nil && scene.board.address != before
            })
    }

    @Test func `it stays while the owner lets devices pair, and while a PIN is shown`() throws {
        let world = World(seed: 113)
        let board = try Board(in: world, settings: interval(60))
        world.run(for: .seconds(5))
        _ = board.ask("pairing open 300")
        let before = try #require(board.address)
        world.run(for: .seconds(200))
        #expect(board.address == before)
        let person = try Person(in: world)
        #expect(person.ask())
        let pin = try #require(board.pin)
        world.run(for: .seconds(20))
        #expect(board.address == before)
        #expect(person.finish(with: pin), "\(person.story)")
        #expect(world.run(within: .seconds(400)) { board.address != nil && board.address != before })
    }

    @Test func `a radio that cannot start again with another address is tried again`() throws {
        let world = World(seed: 114)
        let board = try Board(in: world, settings: interval(60))
        world.run(for: .seconds(5))
        let before = try #require(board.address)
        board.ether.refusesStart = true
        world.run(for: .seconds(90))
        #expect(board.address == nil)
        board.ether.refusesStart = false
        #expect(world.run(within: .seconds(10)) { board.address != nil && board.address != before })
    }
}
