import Crypto
import Frames
import Ports
import Testing
import Wire

@testable import Aware

/// A phone's initiator against an accessory's responder.
struct DataPathTests {
    static func expectOpen(_ world: DataPathWorld, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let phone = try #require(world.done.phone.opened.first, sourceLocation: sourceLocation)
        let accessory = try #require(world.done.accessory.opened.first, sourceLocation: sourceLocation)
        #expect(world.done.phone.opened.count == 1, sourceLocation: sourceLocation)
        #expect(world.done.accessory.opened.count == 1, sourceLocation: sourceLocation)
        #expect(phone.key.isSame(as: accessory.key), sourceLocation: sourceLocation)
        #expect(world.done.phone.established.count == 1, sourceLocation: sourceLocation)
        #expect(world.done.accessory.established.count == 1, sourceLocation: sourceLocation)
    }

    @Test(arguments: [CipherSuite.pasn128, .sharedKey128], [true, false])
    func `opens, and both sides know the other's end`(suite: CipherSuite, isProtected: Bool) throws {
        var settings = DataPathWorld.Settings()
        settings.suite = suite
        settings.isProtected = isProtected
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        try Self.expectOpen(world)
        #expect(world.refusals == [])

        let phone = try #require(world.phone.facts)
        #expect(phone.peerDataInterface == DataPathWorld.accessoryInterface)
        #expect(phone.peerInterfaceIdentifier == 0x4000_00ff_fe00_0200)
        #expect(phone.peerPort == 14_550)
        #expect(phone.peerTransport == .udp)
        #expect(phone.suite == suite)
        #expect(phone.idlePeriod == 25)
        let accessory = try #require(world.accessory.facts)
        #expect(accessory.peer == DataPathWorld.phoneAddress)
        #expect(accessory.peerDataInterface == DataPathWorld.phoneInterface)
        #expect(accessory.peerInterfaceIdentifier == 0x4000_00ff_fe00_0100)
        #expect(accessory.publish == 1)
        #expect(accessory.suite == suite)

        let peer = try #require(world.done.phone.opened.first?.peer)
        #expect(peer.ports == [14_550])
        #expect(peer.htCapabilities.count == 26)
        #expect(peer.vhtCapabilities.count == 12)
        #expect(world.done.phone.schedules.last?.slots == 0xffff_fffe)
        #expect(world.done.accessory.schedules.last?.slots == 0xffff_fffe)
        #expect(world.done.accessory.schedules.last?.committedWindows == 0x0449)
    }

    @Test
    func `the schedule is set before the first frame, the key before anything is said to be established`()
        throws
    {
        var world = try DataPathWorld()
        world.start()
        world.run()
        let names = world.done.accessory.map {
            switch $0 {
            case .send: "send"
            case .setPeerSchedule: "schedule"
            case .open: "open"
            case .established: "established"
            case .close: "close"
            case .ended: "ended"
            }
        }
        #expect(names == ["schedule", "send", "schedule", "send", "open", "established"])
    }

    @Test func `a phone with another key is rejected, and opens nothing`() throws {
        var settings = DataPathWorld.Settings()
        settings.phoneKey = 2
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        #expect(world.refusals == [.unknownKey])
        #expect(world.done.phone.endings == [.rejected(.invalidParameters)])
        #expect(world.done.phone.opened.isEmpty)
        #expect(world.done.accessory.opened.isEmpty)
    }

    @Test func `an unknown service is rejected`() throws {
        var settings = DataPathWorld.Settings()
        settings.publish = 9
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        #expect(world.refusals == [.unknownService(9)])
        #expect(world.done.phone.endings == [.rejected(.invalidParameters)])
    }

    @Test func `an unpaired phone is rejected by policy`() throws {
        var world = try DataPathWorld()
        world.start()
        let request = try ReceivedAction(parsing: world.air[0].body, isEncrypted: true)
        let reason = try #require(DataPathRefusal.unpaired.reason)
        let rejection = try #require(
            DataPathResponder.rejection(of: request, reason: reason, as: world.accessory.own))
        world.deliver(rejection, from: .accessory)
        #expect(world.done.phone.endings == [.rejected(.securityPolicy)])
        #expect(
            DataPathResponder.rejection(
                of: try ReceivedAction(parsing: rejection, isEncrypted: true), reason: reason,
                as: world.accessory.own)
                == nil)
    }

    @Test func `no data path is open to everybody`() throws {
        // Recorded in ndp_open: control 0x09, no security.
        let request = try #require(
            [UInt8](
                hex: """
                    0409506f9a18050f09000049041417220000082a02000003291600010000420000000100010901010700506f9a02aabbcc\
                    123c000131000e00e112180004feffffff11512000002700ea029151ff0700730f000074030000750300007c0f00007d1f\
                    00007e0300007f030000802100001406000100001019001d2b00002d1a72101bffff00000000000000000000010000000000\
                    0000000000bf0cfa048003aaaa0000aaaa0000
                    """))
        var world = try DataPathWorld()
        let received = try ReceivedAction(parsing: request, isEncrypted: false)
        #expect(throws: DataPathRefusal.open) { try world.accessory.receive(received, at: world.now) }
        let rejection = try #require(
            DataPathResponder.rejection(of: received, reason: .securityPolicy, as: world.accessory.own))
        let frame = try ActionFrame(parsingBody: rejection)
        #expect(
            frame.attributes.map(\.id) == [
                .deviceCapability, .deviceCapabilityExtension, .dataPathExtension, .availability,
            ])
    }

    @Test func `a phone that takes the addresses in the other order is understood`() throws {
        var world = try DataPathWorld()
        let algorithms = try #require(DataPathAlgorithms(.pasn128))
        let (phone, accessory) = (DataPathWorld.phoneAddress, DataPathWorld.accessoryAddress)
        let service = DataPathWorld.service.identifier
        let usual = algorithms.identifier(
            of: DataPathWorld.key(1), initiator: phone, responder: accessory, service: service)
        let turned = algorithms.identifier(
            of: DataPathWorld.key(1), initiator: accessory, responder: phone, service: service)
        world.start()
        let request = world.air[0].body
        let place = try #require(request.indices.first { request[$0...].starts(with: usual) })
        var other = request
        other.replaceSubrange(place..<place + 16, with: turned)
        world.deliver(other, from: .phone)
        #expect(world.refusals == [])
        let response = try #require(world.done.accessory.sent.first)
        #expect(response.indices.contains { response[$0...].starts(with: turned) })
    }

    @Test func `without the newer attribute on the other side the older one is used`() throws {
        var settings = DataPathWorld.Settings()
        settings.knowsExtension = false
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        try Self.expectOpen(world)
        for body in world.done.phone.sent + world.done.accessory.sent {
            let ids = try ActionFrame(parsingBody: body).attributes.map(\.id)
            #expect(ids.contains(.dataPath))
            #expect(!ids.contains(.dataPathExtension))
        }
        #expect(world.phone.facts?.peerPort == 14_550)
        #expect(world.phone.facts?.peerInterfaceIdentifier == 0x4000_00ff_fe00_0200)
    }

    @Test(arguments: [
        (UInt16(25), UInt16(25), UInt16(25)), (25, 60, 25), (60, 25, 25), (0, 25, 25), (25, 0, 25), (0, 0, 0),
    ])
    func `the shorter idle period counts, one that is off leaves it to the other`(
        phone: UInt16, accessory: UInt16, agreed: UInt16
    ) throws {
        var settings = DataPathWorld.Settings()
        settings.phoneIdle = phone
        settings.accessoryIdle = accessory
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        #expect(world.done.phone.opened.first?.peer.idlePeriod == agreed)
        #expect(world.done.accessory.opened.first?.peer.idlePeriod == agreed)
    }

    @Test func `without common slots there is no data path`() throws {
        var settings = DataPathWorld.Settings()
        settings.phoneSlots = 0x0e
        settings.accessorySlots = 0xf0
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        #expect(world.refusals == [.noCommonSlots])
        #expect(world.done.phone.endings == [.rejected(.invalidAvailability)])
    }

    @Test func `few common slots will do, and the response names the first`() throws {
        var settings = DataPathWorld.Settings()
        settings.phoneSlots = 0x3c
        settings.accessorySlots = 0xf8
        var world = try DataPathWorld(settings)
        world.start()
        world.run()
        try Self.expectOpen(world)
        let response = try ReceivedAction(parsing: world.done.accessory.sent[0], isEncrypted: true)
        #expect(response.dataCluster?.schedules.map(\.slots.dependableSlots) == [0x08])
    }

    @Test func `a suite that is not of 128 bits is not asked for, nor agreed to`() throws {
        var settings = DataPathWorld.Settings()
        settings.suite = .pasn256
        #expect(throws: DataPathRefusal.unsupportedSuite) { _ = try DataPathWorld(settings) }

        var world = try DataPathWorld()
        world.start()
        // 22 03 00 | 00 07 01: the suite of the request.
        let request = world.air[0].body
        let place = try #require(
            request.indices.first { request[$0...].starts(with: [0x22, 3, 0, 0, 7, 1]) })
        var other = request
        other[place + 4] = 8
        world.deliver(other, from: .phone)
        #expect(world.refusals == [.unsupportedSuite])
    }

    @Test func `the response says where the service is as phones expect it`() throws {
        // TLV 0, the interface identifier; TLV 1: 50-6F-9A, generic (2), port 14550 (sub-attribute 0), UDP (1).
        var world = try DataPathWorld()
        world.start()
        world.deliver()
        let response = String(hex: world.air[0].body)
        #expect(response.contains("000800400000fffe000200010d00506f9a02000200d63801010011"))
    }

    @Test func `a publisher whose schedule changed under way is told why it is over`() throws {
        var world = try DataPathWorld()
        world.start()
        world.deliver()
        world.phone.own.profile.availability.commit(to: 0)
        world.deliver()
        #expect(world.done.phone.endings == [.unusable(.noCommonSlots)])
        world.deliver()
        #expect(world.done.accessory.endings == [.terminatedByPeer(.invalidAvailability)])
    }

    @Test func `a schedule that the publisher changed is agreed to in M3`() throws {
        var world = try DataPathWorld()
        world.start()
        world.deliver()
        let response = try ActionFrame(parsingBody: world.air.removeFirst().body)
        let attributes = response.attributes.map { attribute in
            guard case .dataLink(var link) = attribute else { return attribute }
            link.status = .continued
            return .dataLink(link)
        }
        var body = ActionFrame(kind: response.kind, isProtectedDual: true, attributes: attributes).body
        let nonces = try [world.done.phone.sent[0], world.done.accessory.sent[0]].map {
            try #require(ReceivedAction(parsing: $0, isEncrypted: true).sharedKeyDescriptor).nonce
        }
        DataPathKeys(
            try #require(DataPathAlgorithms(.pasn128)), master: DataPathWorld.key(1),
            initiator: DataPathWorld.phoneInterface, responder: DataPathWorld.accessoryInterface,
            initiatorNonce: nonces[0], responderNonce: nonces[1]
        ).sign(&body)
        world.deliver(body, from: .accessory)
        #expect(world.refusals == [])
        let confirm = try ReceivedAction(parsing: world.air[0].body, isEncrypted: true)
        #expect(confirm.dataLink?.kind == .confirm)
        #expect(confirm.dataLink?.status == .accepted)
        #expect(confirm.dataCluster != nil)
        world.run()
        try Self.expectOpen(world)
    }

    @Test func `a phone cannot claim the interface or the address of another`() throws {
        for claimsInterface in [true, false] {
            var world = try DataPathWorld()
            world.start()
            let request = try #require(world.air.first?.body)
            let other = DataPathFacts(
                name: DataPathName(initiator: MACAddress(rawValue: 0x0200_0000_0001), identifier: 1),
                peer: MACAddress(rawValue: 0x0200_0000_0002),
                peerDataInterface: claimsInterface
                    ? DataPathWorld.phoneInterface : MACAddress(rawValue: 0x0200_0000_0001),
                peerInterfaceIdentifier: claimsInterface ? 1 : 0x4000_00ff_fe00_0100, publish: 1,
                suite: .pasn128, peerPort: nil, peerTransport: nil, idlePeriod: 0)
            let received = try ReceivedAction(parsing: request, isEncrypted: true)
            #expect(throws: DataPathRefusal.invalidAddress) {
                try world.accessory.receive(received, besides: [other], at: world.now)
            }
            #expect(try !world.accessory.receive(received, at: world.now).isEmpty)
        }
    }
}
