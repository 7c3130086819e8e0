import Aware
import Crypto
import Frames
import Phone
import Ports
import Simulation
import Testing
import Wire

/// The phone as a value, without an air.
struct PhoneTests {
    let start = Instant(microseconds: 1_000_000)
    let cluster = MACAddress(rawValue: 0x506f_9a01_0a0b)
    let board = MACAddress(rawValue: 0x0200_0000_00b0)
    private let drone: ServiceName

    init() throws {
        drone = try ServiceName("_drone-service._udp")
    }

    private func phone(_ accessories: [PairedPeer] = []) -> Phone {
        let entropy = SeededEntropy(seed: 5)
        return Phone(
            identity: Identity(from: entropy), information: PairingInformation(text: []),
            accessories: accessories, entropy: entropy)
    }

    private func accessory() throws -> PairedPeer {
        let identity = try #require(Identity(nik: Key(Secret([UInt8](repeating: 1, count: 16)))))
        return try #require(
            PairedPeer(
                identity: identity, npk: Key(Secret([UInt8](repeating: 2, count: 32))), name: "My Drone",
                vendor: "", model: "", services: [], pairedAt: 0, lastSeen: 0, lifetime: nil))
    }

    /// The phone with its radio on.
    private func running(_ phone: Phone) -> Phone {
        var phone = phone
        _ = phone.receive(
            .started(
                dataInterface: MACAddress(rawValue: 0x0200_0000_0077), interfaceIdentifier: 77,
                capabilities: .simulated),
            at: start)
        _ = phone.receive(.clusterJoined(cluster, isNew: true), at: start)
        return phone
    }

    /// A publish of a drone, as a radio hands it over.
    private func publish(
        from address: MACAddress, signal: Int8, canPair: Bool = true, name: String = "_drone-service._udp"
    ) throws -> RadioEvent {
        var publisher = Publisher(
            publications: [Publication(name: try ServiceName(name), instance: 1, port: 14_550)],
            information: PairingInformation(pairingName: "My Drone", vendorName: "V", modelName: "M"))
        publisher.isPairingOn = canPair
        let profile = StationProfile(
            address: address, radio: .simulated, pairing: canPair ? [.setup, .caching] : .caching,
            availability: LocalAvailability())
        let attributes = try #require(
            publisher.unsolicited(
                from: profile,
                identity: IdentityResolution(
                    nonce: [UInt8](repeating: 1, count: 8), tag: [UInt8](repeating: 2, count: 8))
            ).first)
        var writer = FrameWriter()
        ManagementHeader(subtype: .action, receiver: .nanNetwork, transmitter: address, cluster: cluster)
            .write(into: &writer)
        writer.octets(
            try ActionFrame(kind: .serviceDiscovery, isProtectedDual: false, attributes: attributes).octets())
        return .received(ReceivedFrame(octets: try writer.finish(), signal: signal))
    }

    private func failure(_ actions: [Phone.Action]) -> String? {
        for case .failed(let reason) in actions { return reason }
        return nil
    }

    private func receivers(_ actions: [Phone.Action]) throws -> [MACAddress] {
        try actions.compactMap { action in
            guard case .radio(.send(let octets, _)) = action else { return nil }
            var reader = FrameReader(octets.span.bytes)
            return try ManagementHeader(parsing: &reader).receiver
        }
    }

    @Test func `nothing is paired, so that nothing can be connected`() throws {
        var phone = phone()
        #expect(failure(phone.connect(to: drone, id: nil, at: start)) == "no accessory is paired")
        phone = self.phone([try accessory()])
        #expect(
            failure(phone.connect(to: drone, id: "00000000", at: start))
                == "no accessory with this id is paired")
    }

    @Test func `a radio that does not start ends it, and one that stops too`() {
        var phone = phone()
        let request = phone.pair(with: drone, at: start)
        guard case .radio(let start)? = request.first else {
            Issue.record("no radio is started")
            return
        }
        let error = RadioError(.gone, "no such device")
        #expect(
            failure(phone.failed(start, error, at: self.start)) == "the radio does not start: no such device")
        phone = running(self.phone())
        _ = phone.scan(for: [drone])
        #expect(
            failure(phone.receive(.stopped(error), at: self.start)) == "the radio stopped: no such device")
    }

    @Test func `one radio is started, however much is asked`() {
        var phone = phone()
        #expect(phone.scan(for: [drone]).count == 1)
        #expect(phone.scan(for: [drone]).isEmpty)
    }

    @Test func `a scan finds what is published, whoever asked for it`() throws {
        var phone = phone()
        _ = phone.scan(for: [drone])
        phone = running(phone)
        var found: [Discovery] = []
        for event in [
            try publish(from: board, signal: -50),
            try publish(from: MACAddress(rawValue: 0x0200_0000_00b1), signal: -60, name: "_other._tcp"),
        ] {
            for case .found(let discovery) in phone.receive(event, at: start) { found.append(discovery) }
        }
        #expect(found.map(\.publisher.rawValue) == [0x0200_0000_00b0, 0x0200_0000_00b1])
        #expect(found.first?.information?.pairingName == "My Drone")
        #expect(try receivers(phone.receive(.windowDue, at: start)) == [.nanNetwork])
    }

    @Test func `nobody who can be paired is there, and after a while that is said`() throws {
        var phone = phone()
        _ = phone.pair(with: drone, at: start)
        phone = running(phone)
        #expect(
            try receivers(phone.receive(publish(from: board, signal: -50, canPair: false), at: start)).isEmpty
        )
        let deadline = start + .seconds(15)
        #expect(failure(phone.advance(to: start + .seconds(14))) == nil)
        #expect(
            failure(phone.advance(to: deadline))
                == "no accessory that can be paired publishes _drone-service._udp")
        #expect(failure(phone.advance(to: deadline + .seconds(100))) == nil, "once")
    }

    @Test func `the accessory is asked that is heard`() throws {
        var phone = phone()
        _ = phone.pair(with: drone, at: start)
        phone = running(phone)
        let actions = phone.receive(try publish(from: board, signal: -50), at: start)
        #expect(try receivers(actions) == [board])
        #expect(try receivers(phone.receive(publish(from: board, signal: -50), at: start)).isEmpty, "once")
    }

    @Test func `an accessory that does not answer is given up`() throws {
        var phone = phone()
        _ = phone.pair(with: drone, at: start)
        phone = running(phone)
        _ = phone.receive(try publish(from: board, signal: -50), at: start)
        var now = start
        var reason: String?
        while reason == nil, now < start + .seconds(60) {
            now = now + .seconds(1)
            _ = phone.receive(.windowDue, at: now)
            reason = failure(phone.advance(to: now))
        }
        #expect(reason == "the accessory does not show a PIN: no answer")
    }

    @Test func `a PIN that nobody asked for is nothing`() {
        var phone = phone()
        #expect(phone.enter(pin: Secret(Array("123456".utf8)), at: start).isEmpty)
        _ = phone.pair(with: drone, at: start)
        phone = running(phone)
        #expect(phone.enter(pin: Secret(Array("123456".utf8)), at: start).isEmpty)
    }

    @Test func `a paired accessory under an address that proves nothing is not connected to`() throws {
        var phone = phone([try accessory()])
        _ = phone.connect(to: drone, id: nil, at: start)
        phone = running(phone)
        let actions = phone.receive(try publish(from: board, signal: -50), at: start)
        #expect(try receivers(actions).isEmpty)
        #expect(phone.deadline != nil, "it goes on looking")
    }

    @Test func `malformed frames are counted`() {
        var phone = phone()
        _ = phone.scan(for: [drone])
        phone = running(phone)
        for octets in [[], [0xd0], [UInt8](repeating: 0xff, count: 60)] as [[UInt8]] {
            #expect(phone.receive(.received(ReceivedFrame(octets: octets, signal: 0)), at: start).isEmpty)
        }
        #expect(phone.refusals.total == 3)
    }

    @Test func `a phone that was stopped wants nothing more`() {
        var phone = phone()
        _ = phone.pair(with: drone, at: start)
        phone = running(phone)
        #expect(phone.stop().isEmpty)
        #expect(phone.advance(to: start + .seconds(100)).isEmpty)
        #expect(phone.isQuiet)
    }
}
