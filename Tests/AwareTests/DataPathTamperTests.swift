import Crypto
import Frames
import Testing
import Wire

@testable import Aware

/// Frames that somebody else made, changed or kept.
struct DataPathTamperTests {
    /// A world in which `count` messages have been delivered and the next is on the air.
    private func world(after count: Int, _ settings: DataPathWorld.Settings = .init()) throws -> DataPathWorld
    {
        var world = try DataPathWorld(settings)
        world.start()
        for _ in 0..<count { world.deliver() }
        return world
    }

    @Test(arguments: 1...3)
    func `M2, M3 or M4 with any bit flipped opens nothing`(delivered: Int) throws {
        let before = try world(after: delivered)
        let (from, body) = before.air[0]
        let alreadyOpen = before.done.accessory.opened.count
        for bit in 0..<body.count * 8 {
            var world = before
            world.air = []
            world.deliver(body.flipping(bit: bit), from: from)
            #expect(world.done.phone.opened.isEmpty, "bit \(bit)")
            #expect(world.done.accessory.opened.count == alreadyOpen, "bit \(bit)")
            #expect(world.done.phone.sent.count == before.done.phone.sent.count, "bit \(bit)")
        }
    }

    @Test func `M1 with any bit flipped opens nothing on the side of the accessory`() throws {
        let before = try world(after: 0)
        let body = before.air[0].body
        for bit in 0..<body.count * 8 {
            var world = before
            world.air = []
            world.deliver(body.flipping(bit: bit), from: .phone)
            while !world.air.isEmpty { world.deliver() }
            #expect(world.done.accessory.opened.isEmpty, "bit \(bit)")
            #expect(world.done.phone.opened.isEmpty, "bit \(bit)")
        }
    }

    @Test(arguments: 0...3)
    func `every beginning of every message is refused`(delivered: Int) throws {
        let before = try world(after: delivered)
        let (from, body) = before.air[0]
        for count in 0..<body.count {
            var world = before
            world.air = []
            world.deliver([UInt8](body.prefix(count)), from: from)
            #expect(world.done.phone.opened.isEmpty)
            #expect(world.done.accessory.opened.count == before.done.accessory.opened.count)
        }
    }

    @Test func `a tampered M3 is refused, and the genuine one still opens`() throws {
        var world = try world(after: 2)
        let genuine = world.air.removeFirst().body
        let place = try #require(SharedKeyDescriptor.micRange(inBodyOf: genuine))
        world.deliver(genuine.flipping(bit: place.lowerBound * 8), from: .phone)
        #expect(world.refusals == [.wrongCode])
        world.deliver(genuine, from: .phone)
        world.run()
        try DataPathTests.expectOpen(world)
    }

    @Test func `an M3 of another run is refused`() throws {
        let old = try world(after: 2).air[0].body
        var settings = DataPathWorld.Settings()
        settings.seed = 99
        var world = try world(after: 2, settings)
        world.deliver(old, from: .phone)
        #expect(world.refusals == [.wrongNonce])
        #expect(world.done.accessory.opened.isEmpty)
        world.run()
        try DataPathTests.expectOpen(world)
    }

    @Test func `an M3 that repeats the counter of M1 is replayed`() throws {
        var world = try world(after: 2)
        var body = world.air.removeFirst().body
        // publish, descriptor, info and key length come before the counter, which lies 64 before the MIC … 72.
        let place = try #require(SharedKeyDescriptor.micRange(inBodyOf: body))
        body[place.lowerBound - 72 + 7] = 1
        try sign(&body, in: world)
        world.deliver(body, from: .phone)
        #expect(world.refusals == [.replayed(1)])
    }

    @Test func `an M3 with a higher counter is answered anew, and installs nothing again`() throws {
        var world = try world(after: 2)
        var renewed = world.air[0].body
        world.run()
        let place = try #require(SharedKeyDescriptor.micRange(inBodyOf: renewed))
        renewed[place.lowerBound - 72 + 7] = 3
        try sign(&renewed, in: world)
        world.deliver(renewed, from: .phone)
        #expect(world.refusals == [])
        #expect(world.done.accessory.opened.count == 1)
        #expect(world.done.accessory.sent.filter { $0.message == 8 }.count == 2)
        // And the one before has become old.
        world.deliver(world.done.phone.sent[1], from: .phone)
        #expect(world.refusals == [.replayed(2)])
    }

    @Test func `group keys in M3 are read and passed over, those that nobody can read are refused`() throws {
        for readable in [true, false] {
            var world = try world(after: 2)
            let plain = try ActionFrame(parsingBody: world.air.removeFirst().body)
            let keys = try keys(of: world)
            var attributes = plain.attributes
            for index in attributes.indices {
                guard case .sharedKeyDescriptor(var descriptor) = attributes[index] else { continue }
                // IGTK, key id 4, as recorded; padded.
                let data = try #require(
                    [UInt8](hex: "dd1c000fac0904000000000000004133b824c43f69afcf180c76f13c1125dd00"))
                descriptor.info.insert(.encrypted)
                descriptor.data = AESKeyWrap.wrap(Secret(data), with: keys.encryption.secret)
                if !readable { descriptor.data[3] ^= 1 }
                attributes[index] = .sharedKeyDescriptor(descriptor)
            }
            var body = ActionFrame(kind: plain.kind, isProtectedDual: true, attributes: attributes).body
            try sign(&body, in: world)
            world.deliver(body, from: .phone)
            #expect(world.refusals == (readable ? [] : [.unreadableKeyData]))
            #expect(world.done.accessory.opened.count == (readable ? 1 : 0))
        }
    }

    @Test func `what began encrypted does not go on in the clear`() throws {
        for delivered in 1...4 {
            var world = try world(after: delivered)
            var termination = ActionFrame(
                kind: .action(.dataPathTermination), isProtectedDual: false,
                attributes: [
                    .dataPathExtension(
                        DataPathExtension(
                            head: DataPathHead(
                                dialogToken: 0, kind: .terminate, status: .rejected,
                                initiator: world.phone.name.initiator,
                                identifier: 1, control: [])))
                ]
            ).body
            world.deliver(termination, from: .phone)
            world.deliver(termination, from: .accessory)
            #expect(world.refusals == [.unprotected, .unprotected])
            #expect(!world.phone.isOver)
            #expect(!world.accessory.isOver)
            termination[0] = 9
            world.deliver(termination, from: .accessory)
            #expect(world.phone.isOver)
        }
    }

    @Test func `the category and the header have to agree`() throws {
        let body = try world(after: 0).air[0].body
        #expect(throws: DataPathRefusal.unprotected) { try ReceivedAction(parsing: body, isEncrypted: false) }
    }

    @Test func `frames about another data path are passed on`() throws {
        var world = try world(after: 0)
        let body = world.air[0].body
        let other = DataPathResponder(
            name: DataPathName(initiator: DataPathWorld.phoneInterface, identifier: 2),
            peer: DataPathWorld.phoneAddress, own: world.accessory.own, services: [DataPathWorld.service],
            master: DataPathWorld.key(1), entropy: DataPathEntropy(seed: 5))
        world.accessory = other
        world.deliver(body, from: .phone)
        #expect(world.refusals == [.otherDataPath])
        #expect(try DataPathName(of: ActionFrame(parsingBody: body)) == world.phone.name)
    }

    @Test func `a phone that forgot may ask again, and the old data path goes when the new one is proven`()
        throws
    {
        var world = try world(after: 4)
        let oldKey = try #require(world.done.accessory.opened.first?.key)
        var settings = DataPathWorld.Settings()
        settings.seed = 42
        world.phone = try DataPathWorld(settings).phone
        world.done.phone = []
        world.start()
        world.deliver()
        #expect(world.done.accessory.closed.isEmpty)
        #expect(world.accessory.facts != nil)
        // Somebody who only replays an old request gets no further than this.
        var impostor = world
        impostor.air = []
        impostor.now = impostor.now + .seconds(3)
        impostor.perform(impostor.accessory.advance(to: impostor.now), of: .accessory)
        #expect(impostor.accessory.facts != nil)
        #expect(impostor.done.accessory.closed.isEmpty)

        world.run()
        #expect(world.done.accessory.closed == [DataPathWorld.phoneInterface])
        #expect(world.done.accessory.opened.count == 2)
        let new = try #require(world.done.accessory.opened.last?.key)
        #expect(!new.isSame(as: oldKey))
        #expect(try #require(world.done.phone.opened.first).key.isSame(as: new))
    }

    @Test func `a data interface that cannot be a peer's is refused`() throws {
        for address in [
            MACAddress.broadcast, MACAddress(rawValue: 0), DataPathWorld.accessoryInterface,
        ] {
            var world = try world(after: 0)
            let request = try ActionFrame(parsingBody: world.air[0].body)
            let attributes = request.attributes.map { attribute in
                guard case .dataPathExtension(var path) = attribute else { return attribute }
                path.head.initiator = address
                return .dataPathExtension(path)
            }
            world.accessory = DataPathResponder(
                name: DataPathName(initiator: address, identifier: 1), peer: DataPathWorld.phoneAddress,
                own: world.accessory.own, services: [DataPathWorld.service], master: DataPathWorld.key(1),
                entropy: DataPathEntropy(seed: 5))
            world.deliver(
                ActionFrame(kind: request.kind, isProtectedDual: true, attributes: attributes).body,
                from: .phone)
            #expect(world.refusals == [.invalidAddress])
        }
    }

    // MARK: What a holder of the key could do

    private func keys(of world: DataPathWorld) throws -> DataPathKeys {
        let (request, response) = (world.done.phone.sent[0], world.done.accessory.sent[0])
        let nonces = try [request, response].map {
            try #require(ReceivedAction(parsing: $0, isEncrypted: true).sharedKeyDescriptor).nonce
        }
        return DataPathKeys(
            try #require(DataPathAlgorithms(.pasn128)), master: DataPathWorld.key(1),
            initiator: DataPathWorld.phoneInterface, responder: DataPathWorld.accessoryInterface,
            initiatorNonce: nonces[0], responderNonce: nonces[1])
    }

    private func sign(_ body: inout [UInt8], in world: DataPathWorld) throws {
        let token = try #require(DataPathAlgorithms(.pasn128)).token(ofRequest: world.done.phone.sent[0])
        try keys(of: world).sign(&body, prefix: token)
    }
}
