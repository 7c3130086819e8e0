import Frames
import Testing
import Wire

@testable import Aware

/// What the air does to a negotiation, and what time does.
struct DataPathLossTests {
    @Test(arguments: UInt8(5)...8, 1...2)
    func `a message that is lost comes again`(message: UInt8, times: Int) throws {
        var world = try DataPathWorld()
        var left = times
        world.disturb = { _, body in
            guard body.message == message, left > 0 else { return [body] }
            left -= 1
            return []
        }
        world.start()
        world.run()
        #expect(left == 0)
        try DataPathTests.expectOpen(world)
    }

    @Test(arguments: UInt8(5)...8)
    func `a message that comes twice does its work once`(message: UInt8) throws {
        var world = try DataPathWorld()
        world.disturb = { _, body in body.message == message ? [body, body] : [body] }
        world.start()
        world.run()
        try DataPathTests.expectOpen(world)
    }

    @Test func `any old frame that comes late opens nothing again`() throws {
        var world = try DataPathWorld()
        world.start()
        world.run()
        let (toAccessory, toPhone) = (world.done.phone.sent, world.done.accessory.sent)
        for body in toAccessory + toAccessory.reversed() { world.deliver(body, from: .phone) }
        for body in toPhone + toPhone.reversed() { world.deliver(body, from: .accessory) }
        world.run()
        try DataPathTests.expectOpen(world)
        #expect(world.done.phone.closed.isEmpty)
        #expect(world.done.accessory.closed.isEmpty)
        // M3 was answered with the same M4, and nothing else.
        #expect(Set(world.done.accessory.sent.filter { $0.message == 8 }).count == 1)
    }

    @Test func `opens in the end over an air that loses every third frame and repeats every fifth`() throws {
        var opened = 0
        for seed in UInt64(1)...40 {
            var settings = DataPathWorld.Settings()
            settings.seed = seed
            var world = try DataPathWorld(settings)
            let chance = DataPathEntropy(seed: seed * 77)
            world.disturb = { _, body in
                let dice = chance.number64()
                return dice % 3 == 0 ? [] : dice % 5 == 0 ? [body, body] : [body]
            }
            world.start()
            world.run()
            #expect(world.done.phone.opened.count <= 1)
            #expect(world.done.accessory.opened.count <= 1)
            if world.phone.facts != nil, world.accessory.facts != nil {
                try DataPathTests.expectOpen(world)
                opened += 1
            }
        }
        #expect(opened >= 36)
    }

    @Test func `nobody there: the phone asks for thirty seconds`() throws {
        var world = try DataPathWorld()
        world.disturb = { _, _ in [] }
        let start = world.now
        world.start()
        world.run()
        #expect(world.done.phone.endings == [.silence(missing: .dataPathResponse)])
        #expect(world.now >= start + .seconds(30))
        #expect(world.now < start + .seconds(31))
        let requests = world.done.phone.sent.filter { $0.message == 5 }
        #expect((28...30).contains(requests.count))
        #expect(Set(requests).count == 1)
        #expect(world.done.phone.sent.last?.message == 9)
        #expect(world.phone.isOver)
        #expect(world.phone.deadline == nil)
    }

    @Test func `a phone that walks away after M1 is given up after two seconds`() throws {
        var world = try DataPathWorld()
        world.start()
        let request = world.air.removeFirst().body
        world.disturb = { _, _ in [] }
        let start = world.now
        world.deliver(request, from: .phone)
        while let deadline = world.accessory.deadline {
            world.now = deadline
            world.perform(world.accessory.advance(to: deadline), of: .accessory)
        }
        #expect(world.done.accessory.endings == [.silence(missing: .dataPathConfirm)])
        #expect(world.now == start + .seconds(2))
        #expect(world.done.accessory.sent.map(\.message) == [6, 6, 6, 6, 9])
        #expect(world.accessory.isOver)
    }

    @Test func `an accessory that falls silent after M2 is given up after two seconds`() throws {
        var world = try DataPathWorld()
        world.disturb = { _, body in body.message == 8 ? [] : [body] }
        world.start()
        world.run()
        #expect(world.done.phone.endings == [.silence(missing: .dataPathKeyInstall)])
        // The phone says so, and the accessory closes what it had opened.
        #expect(world.done.accessory.endings == [.terminatedByPeer(.unspecified)])
        #expect(world.done.accessory.closed == [DataPathWorld.phoneInterface])
    }

    @Test func `each side may end it in each state`() throws {
        for messages in 0...4 {
            for side in [DataPathWorld.Side.phone, .accessory] {
                var world = try DataPathWorld()
                world.start()
                for _ in 0..<messages { world.deliver() }
                world.air = []
                let isOpen = (phone: world.phone.facts != nil, accessory: world.accessory.facts != nil)
                switch side {
                case .phone: world.perform(world.phone.stop(), of: .phone)
                case .accessory: world.perform(world.accessory.stop(.idle), of: .accessory)
                }
                while !world.air.isEmpty { world.deliver() }
                // An accessory that was never asked has nobody to tell.
                let knows = side == .phone || messages > 0
                let hears = side == .accessory || messages > 0
                #expect(world.phone.isOver == knows)
                #expect(world.accessory.isOver == (hears || side == .accessory))
                #expect(world.done.phone.closed.count == (isOpen.phone ? 1 : 0))
                #expect(world.done.accessory.closed.count == (isOpen.accessory ? 1 : 0))
                #expect(world.phone.stop().isEmpty == knows)
            }
        }
    }

    @Test func `a late call repeats once and makes up for nothing`() throws {
        var world = try DataPathWorld()
        world.start()
        let late = world.now + .seconds(10)
        #expect(world.phone.advance(to: late).sent.count == 1)
        #expect(world.phone.advance(to: late).isEmpty)
    }
}
