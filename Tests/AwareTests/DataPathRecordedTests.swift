import Crypto
import Foundation
import Frames
import Ports
import Testing
import Wire

@testable import Aware

/// A data path between two other stations (Tests/Vectors/keys). It shows that we derive and read as they do; it does
/// not show what a phone accepts.
struct RecordedDataPath: CustomTestStringConvertible, Sendable {
    var testDescription: String
    let octets: [String: [UInt8]]
    /// M1 to M4 as they were on the air.
    let bodies: [[UInt8]]
    let keyData: [UInt8]

    func callAsFunction(_ name: String) throws -> [UInt8] { try #require(octets[name], "no \(name)") }
    func address(_ name: String) throws -> MACAddress {
        MACAddress(rawValue: try self(name).reduce(0) { $0 << 8 | UInt64($1) })
    }

    static let initiator = MACAddress(rawValue: 0x02aa_bbcc_dd02)
    static let responder = MACAddress(rawValue: 0x0211_2233_4401)
    static let service = ServiceIdentifier(rawValue: 0x8292_f9a7_1acc)

    static let all: [RecordedDataPath] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Vectors/keys/vectors.json")
        guard let data = try? Data(contentsOf: file),
            let cases = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        else { fatalError("there are no vectors at \(file)") }
        return cases.keys.sorted().compactMap { name in
            (cases[name]?["ndp"] as? [String: Any]).flatMap { RecordedDataPath(name, $0) }
        }
    }()

    init?(_ name: String, _ object: [String: Any]) {
        testDescription = name
        octets = object.compactMapValues { ($0 as? String).flatMap { [UInt8](hex: $0) } }
        var bodies = [octets["m1_body"] ?? []]
        for (index, entry) in (object["mics"] as? [[String: String]] ?? []).enumerated() {
            guard let data = entry["data"].flatMap({ [UInt8](hex: $0) }),
                let mic = entry["mic"].flatMap({ [UInt8](hex: $0) })
            else { return nil }
            // What M3's MIC covers begins with the token.
            var body = [UInt8](data.dropFirst(index == 1 ? 16 : 0))
            guard let place = SharedKeyDescriptor.micRange(inBodyOf: body) else { return nil }
            body.replaceSubrange(place, with: mic)
            bodies.append(body)
        }
        guard bodies.count == 4, let last = (object["decrypted_key_data"] as? [String])?.last,
            let keyData = [UInt8](hex: last)
        else { return nil }
        self.bodies = bodies
        self.keyData = keyData
    }

    var master: Key { get throws { Key(Secret(try self("nd_pmk"))) } }
    var isProtected: Bool { bodies[0][0] == 9 }

    func received(_ index: Int) throws -> ReceivedAction {
        try ReceivedAction(parsing: bodies[index], isEncrypted: isProtected)
    }

    func message(_ index: Int) throws -> DataPathMessage { try DataPathMessage(received(index)) }

    func end(_ address: MACAddress, _ interface: String) throws -> DataPathEnd {
        DataPathWorld.end(
            address, try self.address(interface), slots: LocalAvailability.allButTheWindow, idle: 25)
    }
}

struct DataPathRecordedTests {
    let now = Instant(microseconds: 0)

    @Test func `there are three recordings`() {
        #expect(
            RecordedDataPath.all.map(\.testDescription) == [
                "full_pin_ndp_pk_pasn128", "full_pin_ndp_sk_ccm128", "ndp_sk_ccm128",
            ])
    }

    @Test(arguments: RecordedDataPath.all)
    func `keys, identifier, token and MICs are the recorded ones`(recording: RecordedDataPath) throws {
        let algorithms = try #require(
            DataPathAlgorithms(recording.testDescription.contains("pk") ? .pasn128 : .sharedKey128))
        let keys = DataPathKeys(
            algorithms, master: try recording.master, initiator: try recording.address("initiator_ndi"),
            responder: try recording.address("responder_ndi"),
            initiatorNonce: try recording("initiator_nonce"),
            responderNonce: try recording("responder_nonce"))
        #expect(try keys.confirmation.holds(recording("nd_kck")))
        #expect(try keys.encryption.holds(recording("nd_kek")))
        #expect(try keys.temporal.holds(recording("nd_tk")))
        #expect(
            try algorithms.identifier(
                of: recording.master, initiator: RecordedDataPath.initiator,
                responder: RecordedDataPath.responder,
                service: RecordedDataPath.service) == recording("nd_pmkid"))
        let token = algorithms.token(ofRequest: recording.bodies[0])
        #expect(try token == recording("auth_token"))
        #expect(keys.verify(recording.bodies[1]))
        #expect(keys.verify(recording.bodies[2], prefix: token))
        #expect(keys.verify(recording.bodies[3]))
        #expect(!keys.verify(recording.bodies[2]))

        let descriptor = try #require(recording.received(2).sharedKeyDescriptor)
        let unwrapped = AESKeyWrap.unwrap(descriptor.data, with: keys.encryption.secret)
        let data = try #require(unwrapped)
        #expect(data.holds(recording.keyData))
    }

    @Test func `a passphrase makes the recorded master key`() throws {
        let recording = try #require(RecordedDataPath.all.last)
        let master = try #require(DataPathAlgorithms(.sharedKey128)).master(
            passphrase: Secret([UInt8]("ndppassword".utf8)), suite: .sharedKey128,
            service: RecordedDataPath.service,
            publisher: RecordedDataPath.responder)
        #expect(try master.isSame(as: recording.master))
    }

    @Test func `keys of 256 bits have their lengths`() throws {
        let algorithms = try #require(DataPathAlgorithms(.pasn256))
        let keys = DataPathKeys(
            algorithms, master: DataPathWorld.key(1), initiator: RecordedDataPath.initiator,
            responder: RecordedDataPath.responder, initiatorNonce: .init(repeating: 1, count: 32),
            responderNonce: .init(repeating: 2, count: 32))
        #expect(keys.confirmation.secret.count == 24)
        #expect(keys.encryption.secret.count == 32)
        #expect(keys.temporal.secret.count == 32)
        #expect(keys.emptyCode.count == 24)
        #expect(DataPathAlgorithms(.groupCCMP128) == nil)
    }

    @Test(arguments: RecordedDataPath.all)
    func `the recorded phone opens our accessory`(recording: RecordedDataPath) throws {
        var accessory = DataPathResponder(
            name: try recording.message(0).name, peer: RecordedDataPath.initiator,
            own: try recording.end(RecordedDataPath.responder, "responder_ndi"),
            services: [
                DataPathService(publish: 1, identifier: RecordedDataPath.service, port: 80, transport: .tcp)
            ],
            master: try recording.master,
            entropy: DataPathEntropy(seed: 1, chosen: [try recording("responder_nonce")]))
        let answered = try accessory.receive(recording.received(0), at: now)
        try expectLayout(of: answered.sent[0], as: recording.message(1))
        let opened = try accessory.receive(recording.received(2), at: now)
        try expectLayout(of: opened.sent[0], as: recording.message(3), without: .encrypted)
        let open = try #require(opened.opened.first)
        #expect(try open.key.holds(recording("nd_tk")))
        #expect(open.peer.address == MACAddress(rawValue: 0x4200_0000_0100))
        #expect(open.peer.htCapabilities.count == 26)
        #expect(open.peer.idlePeriod == 25)
        #expect(opened.schedules.first?.slots == 0xffff_fffe)

        // The recorded termination, token 0.
        var termination = try #require(
            [UInt8](hex: "0909506f9a18090f09000049041417220000082a02000003290b000024014200000001000100"))
        let isProtected = recording.isProtected
        termination[0] = isProtected ? 9 : 4
        let ended = try accessory.receive(
            ReceivedAction(parsing: termination, isEncrypted: isProtected), at: now)
        #expect(ended.closed == [MACAddress(rawValue: 0x4200_0000_0100)])
        #expect(ended.endings == [.terminatedByPeer(.unspecified)])
    }

    @Test(arguments: RecordedDataPath.all)
    func `the recorded accessory opens our phone`(recording: RecordedDataPath) throws {
        let recorded = try recording.message(0)
        let suite = try #require(recorded.received.cipherSuites?.entries.first).suite
        var token = [UInt8](repeating: 0, count: 8)
        token[7] = recorded.head.dialogToken
        var phone = try DataPathInitiator(
            identifier: 1,
            peer: .init(
                address: RecordedDataPath.responder,
                capability: DeviceCapability(
                    committedWindows: 0x0449, bands: 4, operationMode: 0, antennas: 0x22,
                    channelSwitchTime: 0,
                    capabilities: .dataPathExtension), availability: nil),
            service: DataPathService(publish: 1, identifier: RecordedDataPath.service),
            own: recording.end(RecordedDataPath.initiator, "initiator_ndi"), suite: suite,
            master: recording.master,
            isProtected: recording.isProtected,
            entropy: DataPathEntropy(seed: 1, chosen: [token, try recording("initiator_nonce")]))
        let asked = phone.start(at: now)
        try expectLayout(of: asked.sent[0], as: recorded)
        let confirmed = try phone.receive(recording.received(1), at: now)
        try expectLayout(of: confirmed.sent[0], as: recording.message(2), without: .encrypted)
        let opened = try phone.receive(recording.received(3), at: now)
        let open = try #require(opened.opened.first)
        #expect(try open.key.holds(recording("nd_tk")))
        #expect(open.peer.address == MACAddress(rawValue: 0x4200_0000_0200))
        #expect(open.peer.interfaceIdentifier == 0x4000_00ff_fe00_0200)
    }

    /// The same attributes in the same order, the same head, the same flags.
    private func expectLayout(
        of body: [UInt8], as recorded: DataPathMessage, without flags: SharedKeyDescriptor.Info = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let own = try DataPathMessage(ReceivedAction(parsing: body, isEncrypted: body[0] == 9))
        #expect(
            own.received.frame.attributes.map(\.id) == recorded.received.frame.attributes.map(\.id),
            sourceLocation: sourceLocation)
        #expect(own.head == recorded.head, sourceLocation: sourceLocation)
        let descriptors = (own.received.sharedKeyDescriptor, recorded.received.sharedKeyDescriptor)
        #expect(descriptors.0?.info == descriptors.1?.info.subtracting(flags), sourceLocation: sourceLocation)
        #expect(descriptors.0?.replayCounter == descriptors.1?.replayCounter, sourceLocation: sourceLocation)
        #expect(descriptors.0?.nonce == descriptors.1?.nonce, sourceLocation: sourceLocation)
        #expect(descriptors.0?.keyLength == 0, sourceLocation: sourceLocation)
        if let link = recorded.received.dataLink {
            #expect(own.received.dataLink == link, sourceLocation: sourceLocation)
        }
    }
}
