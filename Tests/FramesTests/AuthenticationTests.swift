import Frames
import Testing
import Wire

/// The three frames of a pairing by PIN, recorded (`pin_sae_ccmp128`), field by field.
struct AuthenticationTests {
    private static func octets(_ text: String) throws -> [UInt8] {
        try #require([UInt8](hex: text.filter { !$0.isWhitespace }))
    }

    private static let first = """
        0700 0100 0000
        30 1a 0100 000fac07 0100 000fac04 0100 000fac08 c000 0000 000fac07
        ff 69 08 0300 0100 7e00 1300
           f79f1a01da8b43809cfb3ac3152568df8adf1bb4ae83d2f43289af818a199e0a
           8363924d23c9f398d605b161c4ab063ae22844d86c0c1f8debb39d42f0393601
           de7f80857b712aef14ca2f5aa4986dd31777d85d0101384f2041620db69035f5
        f4 02 2100
        ff 27 64 02 03 1300 21 02822634c9a701be2437fa3c2791cc99fa522fa66684016ac7d8935dbe07051fa2
        dd 17 506f9a13 220300 02 0701 2a0200 0003 2c0500 01 01 00 2000
        """
    private static let second = """
        0700 0200 0000
        30 2a 0100 000fac07 0100 000fac04 0100 000fac08 c000 0100 224e6961bd3e88cddf04afdc4bdf7eb7 000fac07
        ff 95 08
           6800 0300 0100 7e00 1300
           2aaf4f5ee2b3454e4209751936ba15d755c91a6bb1c25a61ba39ed02608d99db
           d2fae6f369382ce7388b59e24d306bd6d617e9c878b0a81f54cd92a62cbfe903
           2924b031fcac71c3d2ec4b1edeb26900ed8750edc09f37ab1f828d952b87557a
           2800 0300 0200 0000 0100 2aa903cd2e84c3a0862eacc53a836ef5d66156cf594449135021b82bf5502a65
        f4 02 2100
        ff 27 64 02 03 1300 21 02d0c905bf21bc426400cc720fc7b6b5e1a1bc23137ed241da9b6d6e042228fe41
        dd 1c 506f9a13 220300 02 0701 2a0200 0003 2c0a00 01 21 00 04 4d350b6b 2000
        ff 03 a1 1300
        8c 10 c8433201159567457fce72a441583721
        """
    private static let third = """
        0700 0300 0000
        ff 29 08 0300 0200 0000 0100 015a540c4ee45eb948246312bd38d26a54d24baabbe91c7c84650161243f44b1
        ff 03 64 00 03
        dd 17 506f9a13 220300 02 0701 2a0200 0003 2c0500 01 01 00 2000
        8c 10 8f9f042d31190bd84eec69cfe7b9fb98
        """

    private static func robustSecurity(_ identifiers: [[UInt8]]) -> RobustSecurity {
        RobustSecurity(pairwiseCiphers: [.ccmp128], keyManagement: [.sae], keyIdentifiers: identifiers)
    }

    private static func attributes(_ bootstrapping: PairingBootstrapping.Step) -> NANElement {
        NANElement(attributes: [
            .cipherSuiteInformation(
                CipherSuiteInformation(capabilities: 2, entries: [.init(suite: .pasn128, publish: 1)])),
            .deviceCapabilityExtension(DeviceCapabilityExtension(pairing: [.setup, .caching])),
            .pairingBootstrapping(
                PairingBootstrapping(dialogToken: 1, step: bootstrapping, methods: .pinKeypad)),
        ])
    }

    private static func commit(_ octets: [UInt8], at start: Int) -> SAECommit {
        SAECommit(
            group: 19, scalar: Array(octets[start..<start + 32]),
            element: Array(octets[start + 32..<start + 96]))
    }

    @Test func `the first frame: a commit, a public key, what was agreed on`() throws {
        let octets = try Self.octets(Self.first)
        let frame = AuthenticationFrame(
            sequence: 1,
            elements: [
                try Element(Self.robustSecurity([])),
                try Element(WrappedSAE.commit(Self.commit(octets, at: 45))),
                .hashToElement,
                try Element(
                    PASNParameters(
                        format: .sae, publicKey: .init(group: 19, key: Array(octets[153..<186])))),
                try Element(Self.attributes(.request(cookie: []))),
            ])
        #expect(try frame.octets() == octets)
        #expect(try AuthenticationFrame(parsing: FrameReader(octets.span.bytes)) == frame)
        #expect(AuthenticationFrame.micRange(inBodyOf: octets) == nil)
    }

    @Test func `the second: commit and confirm, the identifier of the key, a MIC`() throws {
        let octets = try Self.octets(Self.second)
        let frame = try AuthenticationFrame(parsing: FrameReader(octets.span.bytes))
        #expect(try frame.octets() == octets)
        #expect(
            try frame.content(RobustSecurity.self)
                == Self.robustSecurity([try Self.octets("224e6961bd3e88cddf04afdc4bdf7eb7")]))
        guard case .commitAndConfirm(let commit, let confirm) = try frame.content(WrappedSAE.self) else {
            Issue.record("not both messages")
            return
        }
        #expect(commit == Self.commit(octets, at: 63))
        #expect(confirm.sendConfirm == 1)
        #expect(confirm.proof.prefix(4) == [0x2a, 0xa9, 0x03, 0xcd])
        let cookie: [UInt8] = [0x4d, 0x35, 0x0b, 0x6b]
        #expect(try frame.content(NANElement.self) == Self.attributes(.request(cookie: cookie)))
        #expect(try frame.content(SupportedGroups.self) == SupportedGroups(groups: [19]))
        #expect(AuthenticationFrame.micRange(inBodyOf: octets) == octets.count - 16..<octets.count)
    }

    @Test func `the third: a confirm and a MIC, no key`() throws {
        let octets = try Self.octets(Self.third)
        let proof = try Self.octets("015a540c4ee45eb948246312bd38d26a54d24baabbe91c7c84650161243f44b1")
        let frame = AuthenticationFrame(
            sequence: 3,
            elements: [
                try Element(WrappedSAE.confirm(SAEConfirm(sendConfirm: 1, proof: proof))),
                try Element(PASNParameters(format: .sae, publicKey: nil)),
                try Element(Self.attributes(.request(cookie: []))),
                try Element(MessageIntegrityCode(octets: Array(octets.suffix(16)))),
            ])
        #expect(try frame.octets() == octets)
        #expect(AuthenticationFrame.micRange(inBodyOf: octets) == octets.count - 16..<octets.count)
    }

    @Test func `a MIC that is not last protects nothing`() throws {
        let mic = try Element(MessageIntegrityCode(octets: .init(repeating: 1, count: 16)))
        let octets = try AuthenticationFrame(sequence: 2, elements: [mic, .hashToElement]).octets()
        #expect(AuthenticationFrame.micRange(inBodyOf: octets) == nil)
    }

    @Test func `other algorithms, groups and statuses are refused by name`() throws {
        let sae: [UInt8] = [3, 0, 1, 0, 0, 0, 19, 0]
        #expect(throws: WireError.unexpected("algorithm", value: 3)) {
            try AuthenticationFrame(parsing: FrameReader(sae.span.bytes))
        }
        let group: [UInt8] = [3, 0, 1, 0, 126, 0, 21, 0]
        #expect(throws: WireError.unexpected("group", value: 21)) {
            try WrappedSAE(parsing: FrameReader(group.span.bytes))
        }
        let status: [UInt8] = [3, 0, 2, 0, 1, 0]
        #expect(throws: WireError.unexpected("status", value: 1)) {
            try WrappedSAE(parsing: FrameReader(status.span.bytes))
        }
    }

    @Test func `what does not fit an element is refused`() {
        let long = PASNParameters(
            format: .sae, publicKey: .init(group: 19, key: .init(repeating: 2, count: 251)))
        #expect(throws: WireError.tooLong("element", by: 2)) { try Element(long) }
        let late = PASNParameters(
            format: .sae, comeBack: .init(after: TimeUnits(65536), cookie: []), publicKey: nil)
        #expect(throws: WireError.unexpected("time", value: 65536)) { try Element(late) }
    }

    @Test func `an RSN element may end early`() throws {
        let security = RobustSecurity(
            pairwiseCiphers: [.gcmp256], keyManagement: [.pasn], groupManagementCipher: nil, endsEarly: true)
        let element = try Element(security)
        #expect(element.body.count == 20)
        #expect(try [element].first(RobustSecurity.self) == security)
    }
}
