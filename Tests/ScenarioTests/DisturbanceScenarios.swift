import Crypto
import Frames
import Ports
import Simulation
import Testing
import Wire

@testable import Accessory
@testable import Aware
@testable import Phone

/// Strangers who speak in a phone's name, radios that do not do as they are told, and good-byes that must be heard.
struct DisturbanceScenarios {
    /// A board and a phone, with the test at the board's radio.
    private final class Pair {
        let world: World
        let board: Board
        let person: Person
        let tap: Tap

        init(seed: UInt64) throws {
            world = World(seed: seed)
            var tap: Tap?
            board = try Board(
                in: world,
                wrap: {
                    let made = Tap($0)
                    tap = made
                    return made
                })
            self.tap = try #require(tap)
            person = try Person(in: world)
        }

        var accessory: Accessory { board.agent.accessory }

        func connect() throws {
            try #require(person.pair(with: board))
            person.connect()
            try #require(
                world.run(within: .seconds(20)) { person.peer != nil && !board.channel.paths.isEmpty })
        }

        func station(_ phone: Bool) throws -> Station {
            if phone { return try #require(person.phone.station) }
            guard case .on(let station, _) = accessory.radio else { throw RadioError(.notRunning, "") }
            return station
        }

        /// Something that seems to come from the phone, or from somebody else.
        func bring(
            _ body: [UInt8], _ subtype: ManagementHeader.Subtype = .action, from: MACAddress? = nil,
            in cluster: MACAddress? = nil, isProtected: Bool = false
        ) throws {
            let own = try station(false)
            try tap.bring(
                body, subtype, from: try from ?? station(true).address, to: own.address,
                in: try cluster ?? #require(own.outbox.cluster), isProtected: isProtected)
            board.agent.turn(at: world.now)
        }
    }

    @Test func `a phone hears at once that it is forgotten`() throws {
        let pair = try Pair(seed: 31)
        try pair.connect()
        _ = pair.board.ask("forget --all")
        #expect(pair.board.channel.paths.isEmpty)
        #expect(pair.world.run(within: .seconds(2)) { !pair.person.disconnections.isEmpty })
        let phone = try pair.station(true).address
        pair.world.run(for: .seconds(1))
        #expect(pair.tap.requests.contains { if case .removePeer(phone) = $0 { true } else { false } })
    }

    @Test func `an accessory hears at once that the phone takes its leave`() throws {
        let pair = try Pair(seed: 32)
        try pair.connect()
        pair.person.agent.stop(at: pair.world.now)
        #expect(pair.world.run(within: .seconds(2)) { pair.board.channel.paths.isEmpty })
    }

    @Test func `a request in the clear in a connected phone's name takes up no data path`() throws {
        let pair = try Pair(seed: 33)
        try pair.connect()
        let head = DataPathHead(
            dialogToken: 1, kind: .request, status: .continued,
            initiator: MACAddress(rawValue: 0x0200_0000_0099), identifier: 9,
            control: [.securityPresent, .publishPresent], publish: 1)
        let request = ActionFrame(
            kind: .action(.dataPathRequest), isProtectedDual: false,
            attributes: [.dataPathExtension(DataPathExtension(head: head))])
        let phone = try pair.station(true).address
        let before = pair.tap.frames(to: phone)
        try pair.bring(request.body)
        #expect(pair.accessory.refusals.count(of: "data path: not protected as it has to be") == 1)
        #expect(pair.tap.frames(to: phone) == before)
        #expect(pair.accessory.peers[phone]?.association?.paths.count == 1)
    }

    @Test func `a connected phone changes its schedule, and the radio follows`() throws {
        let pair = try Pair(seed: 34)
        try pair.connect()
        var profile = try pair.station(true).profile
        profile.availability.commit(to: 0xf0)
        let phone = profile.address
        try pair.bring(
            ScheduleExchange.request(dialogToken: 7, as: profile, isProtected: true), isProtected: true)
        #expect(pair.tap.slots(of: phone) == 0xf0)

        profile.availability.commit(to: 0)
        try pair.bring(ScheduleExchange.update(as: profile, isProtected: true), isProtected: true)
        #expect(pair.tap.slots(of: phone) == 0xf0, "what leaves no slot in common is refused")
        #expect(pair.accessory.refusals.count(of: "schedule: no time slots in common") == 1)
        profile.availability.commit(to: 0x0f0)
        try pair.bring(ScheduleExchange.update(as: profile, isProtected: false))
        #expect(pair.accessory.refusals.count(of: "schedule: not protected as it has to be") == 1)
        #expect(!pair.board.channel.paths.isEmpty)
    }

    @Test func `a schedule without a data path means nothing`() throws {
        let pair = try Pair(seed: 35)
        try #require(pair.person.pair(with: pair.board))
        pair.world.run(for: .seconds(1))
        let profile = try pair.station(true).profile
        try pair.bring(ScheduleExchange.update(as: profile, isProtected: true), isProtected: true)
        #expect(pair.accessory.refusals.count(of: "schedule: there is no data path") == 1)
    }

    @Test func `a data path that the radio does not open is asked for again`() throws {
        let pair = try Pair(seed: 36)
        var failures = 0
        pair.tap.refuses = { request in
            guard case .openDataPath = request, failures == 0 else { return false }
            failures += 1
            return true
        }
        try pair.connect()
        #expect(failures == 1)
        #expect(pair.board.channel.paths.count == 1)
    }

    @Test func `a crowd of strangers leaves room for those who are known`() throws {
        let pair = try Pair(seed: 37)
        try pair.connect()
        let request = PairingBootstrapping(dialogToken: 1, step: .request(cookie: []), methods: .pinKeypad)
        let service = Person.drone.identifier
        for number in 0..<200 as Range<UInt64> {
            let stranger = MACAddress(rawValue: 0x0600_0000_0000 + number)
            var profile = try pair.station(true).profile
            profile.address = stranger
            let followUp = FollowUp(
                context: FollowUp.Context(service: service, own: 1, peer: 1),
                purpose: .pairingBootstrapping(request))
            let resolution = IdentityResolution(
                nonce: .init(repeating: 0, count: 8), tag: .init(repeating: 0, count: 8))
            try pair.bring(
                followUp.frame(from: profile, identity: resolution, isProtected: false).body, from: stranger)
        }
        let phone = try pair.station(true).address
        let before = pair.tap.frames(to: phone)
        let question = ServiceDescriptor(service: service, instance: 1, kind: .subscribe)
        try pair.bring(
            ActionFrame(
                kind: .serviceDiscovery, isProtectedDual: true, attributes: [.serviceDescriptor(question)]
            ).body, isProtected: true)
        #expect(pair.tap.frames(to: phone) == before + 1, "the paired phone is still answered")
    }

    /// Runs until the accessory waits for the phone's confirmation.
    private func prove(_ pair: Pair) throws -> MACAddress {
        pair.person.startPairing()
        try #require(
            pair.world.run(within: .seconds(20)) { pair.board.pin != nil && pair.person.isAskedForPIN })
        pair.person.type(try #require(pair.board.pin))
        let phone = try pair.station(true).address
        try #require(
            pair.world.run(within: .seconds(5)) { pair.accessory.peers[phone]?.attempt?.responder != nil })
        return phone
    }

    @Test func `nobody who speaks in the phone's name ends its pairing`() throws {
        let pair = try Pair(seed: 38)
        let phone = try prove(pair)
        let own = try pair.station(false)
        let before = pair.tap.frames(to: phone)
        let asking = PairingBootstrapping(dialogToken: 1, step: .request(cookie: []), methods: .pinKeypad)
        var foreign = PASNInitiator(
            own: phone, peer: own.address,
            with: .password(Key(Secret(Array("000000".utf8))), request: asking),
            offer: PairingOffer(publish: 1),
            entropy: SeededEntropy(seed: 99))
        for case .send(let body) in foreign.start(at: pair.world.now) {
            try pair.bring(body, .authentication)
        }
        try pair.bring(PASNFrame.body(sequence: 3, status: .refused, []), .authentication)
        let late = FollowUp(
            context: FollowUp.Context(service: Person.drone.identifier, own: 1, peer: 1),
            purpose: .pairingBootstrapping(asking))
        try pair.bring(
            late.frame(
                from: try pair.station(true).profile, identity: try pair.station(true).resolution,
                isProtected: false
            ).body)
        #expect(pair.tap.frames(to: phone) == before, "nothing of this is answered")
        #expect(pair.world.run(within: .seconds(10)) { !pair.person.paired.isEmpty })
        #expect(pair.board.devices.count == 1)
    }

    @Test func `the time to confirm begins when the phone has the answer`() throws {
        let pair = try Pair(seed: 39)
        let phone = try prove(pair)
        let first = try #require(pair.accessory.peers[phone]?.deadline)
        let isLater = pair.world.run(within: .seconds(3)) {
            if let deadline = pair.accessory.peers[phone]?.deadline { deadline > first } else { false }
        }
        #expect(isLater)
    }

    @Test func `authentication may name the responder in place of the cluster`() throws {
        let pair = try Pair(seed: 40)
        try #require(
            pair.world.run(within: .seconds(5)) { pair.accessory.status(at: pair.world.now).cluster != nil })
        let own = try pair.station(false).address
        let stranger = MACAddress(rawValue: 0x0600_0000_0001)
        try pair.bring([7, 0, 1, 0], .authentication, from: stranger, in: own)
        #expect(pair.accessory.refusals.count(of: "frame: another cluster's") == 0)
        try pair.bring([4, 9], from: stranger, in: own)
        #expect(pair.accessory.refusals.count(of: "frame: another cluster's") == 1)
    }
}
