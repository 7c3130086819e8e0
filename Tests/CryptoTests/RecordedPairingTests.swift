import Testing
import Wire

@testable import Crypto

/// What two established stations derived (Tests/Vectors/keys/vectors.json).
struct RecordedPairingTests {
    static let withPassword = Vector.recordedPairings.filter { $0.has("password_ascii") }
    static let withKeyData = Vector.recordedPairings.filter { $0.has("nik_keydata_from_initiator_plain") }

    @Test func `all recorded cases are here`() {
        #expect(Vector.recordedPairings.count == 7)
        #expect(Self.withPassword.count == 5)
        #expect(Self.withKeyData.count == 6)
    }

    @Test(arguments: withPassword)
    func `the password becomes the recorded element`(vector: Vector) throws {
        let group = try group(of: vector)
        let map = HashToElement(on: Curve(group))
        let password = Secret([UInt8](try vector.text("password_ascii").utf8))
        #expect(
            String(decoding: HashToElement.networkName, as: UTF8.self) == (try vector.text("sae_ssid_ascii")))

        let seed = map.seed(from: password)
        #expect(seed.seen == (try vector("pwd_seed")))
        let values = [map.value(.first, from: seed).seen, map.value(.second, from: seed).seen]
        #expect(values == [try vector("pwd_value_u1"), try vector("pwd_value_u2")])
        #expect(map.coordinate(from: Secret(values[0])).octets(group.fieldCount) == (try vector("u1")))
        #expect(map.coordinate(from: Secret(values[1])).octets(group.fieldCount) == (try vector("u2")))

        let point = map.curve.seen(map.secretPoint(from: password))
        #expect(point == (try vector("PT_x") + vector("PT_y")))
        let (one, other) = (try vector.address("initiator_nmi"), try vector.address("responder_nmi"))
        #expect(map.factor(for: one, other).octets(group.fieldCount) == (try vector("val_reduced")))
        #expect(map.factor(for: other, one).octets(group.fieldCount) == (try vector("val_reduced")))
        let element = map.curve.seen(map.passwordElement(from: password, for: one, other))
        #expect(element == (try vector("PWE_x") + vector("PWE_y")))
    }

    @Test(arguments: withPassword)
    func `the common secret becomes the recorded keys and proofs`(vector: Vector) throws {
        let group = try group(of: vector)
        let initiator =
            try vector("initiator_scalar") + vector("initiator_element_x") + vector("initiator_element_y")
        let responder =
            try vector("responder_scalar") + vector("responder_element_x") + vector("responder_element_y")
        let curve = Curve(group)
        let sum = curve.scalars.sum(
            Number(public: try vector("initiator_scalar")), Number(public: try vector("responder_scalar"))
        ).octets(group.fieldCount)
        let common = try vector.secret("k_x")
        #expect(SAE.Agreement.seed(from: common, with: group.hash).seen == (try vector("keyseed")))

        let ours = SAE.Agreement(on: common, group: group, context: sum, own: initiator, peer: responder)
        let theirs = SAE.Agreement(on: common, group: group, context: sum, own: responder, peer: initiator)
        #expect(ours.confirmationKey.seen == (try vector("sae_kck")))
        #expect(ours.pmk.secret.seen == (try vector("sae_pmk")))
        #expect(ours.pmkid == (try vector("sae_pmkid")))
        #expect(
            try vector("initiator_send_confirm") == [1, 0] && vector("responder_send_confirm") == [1, 0])
        #expect(ours.confirmation() == (try vector("initiator_confirm")))
        #expect(theirs.confirmation() == (try vector("responder_confirm")))
        #expect(ours.isConfirmed(by: try vector("responder_confirm"), sendConfirm: 1))
        #expect(theirs.isConfirmed(by: try vector("initiator_confirm"), sendConfirm: 1))
    }

    @Test(arguments: Vector.recordedPairings)
    func `a pairwise key becomes the recorded transient keys`(vector: Vector) throws {
        let isLong = try isLong(vector)
        let addresses = try vector("initiator_nmi") + vector("responder_nmi")
        let temporalCount = isLong ? 32 : 16
        let transient = HashFunction.sha256.derive(
            64 + temporalCount, from: try vector.secret("pasn_pmk"), label: "PASN PTK Derivation",
            context: addresses, sharedSecret: try vector.secret("dhss"))
        #expect(transient.seen == (try vector("pasn_ptk")))
        #expect(transient.extracting(0..<32).seen == (try vector("kck")))
        #expect(transient.extracting(32..<32 + temporalCount).seen == (try vector("nm_tk")))
        let derivation = transient.extracting(32 + temporalCount..<64 + temporalCount)
        #expect(derivation.seen == (try vector("nm_kdk")))

        let hash: HashFunction = isLong ? .sha384 : .sha256
        let dataKey = hash.derive(32, from: derivation, label: "NDP PMK Derivation", context: addresses)
        #expect(dataKey.seen == (try vector("kdf_NDP_PMK_Derivation")))
        let wrapping = hash.derive(
            temporalCount, from: derivation, label: "NAN Management KEK Derivation", context: addresses)
        #expect(wrapping.seen == (try vector("kdf_NAN_Management_KEK_Derivation")))
        if vector.has("kdf_NAN_Opportunistic_NPK_Derivation") {
            let cached = hash.derive(
                32, from: derivation, label: "NAN Opportunistic NPK Derivation", context: addresses)
            #expect(cached.seen == (try vector("kdf_NAN_Opportunistic_NPK_Derivation")))
        }
    }

    @Test(arguments: Vector.recordedPairings)
    func `authentication frames have the recorded codes`(vector: Vector) throws {
        let key = try vector.secret("kck")
        let (initiator, responder) = (try vector("initiator_nmi"), try vector("responder_nmi"))
        let second = HashFunction.sha256.authenticationCode(
            of: responder + initiator + (try vector("auth2_mic_input_data"))
                + (try vector("auth2_mic_input_frame_body_mic0")), key: key)
        #expect([UInt8](second.prefix(16)) == (try vector("auth2_mic")))

        let first = try #require(vector["auth_frames"].first)
        let hash = HashFunction.sha256.digest(try first("body"))
        #expect(hash == (try vector("auth3_mic_input_hash_of_auth1_body")))
        let third = HashFunction.sha256.authenticationCode(
            of: initiator + responder + hash + (try vector("auth3_mic_input_frame_body_mic0")), key: key)
        #expect([UInt8](third.prefix(16)) == (try vector("auth3_mic")))
    }

    @Test(arguments: withKeyData, ["initiator", "responder"])
    func `identity keys unwrap to the recorded key data`(vector: Vector, sender: String) throws {
        let key = try vector.secret("kdf_NAN_Management_KEK_Derivation")
        let wrapped = try vector("nik_keydata_from_\(sender)_wrapped")
        let unwrapped = AESKeyWrap.unwrap(wrapped, with: key)
        let plain = try #require(unwrapped)
        #expect(plain.secret.seen.starts(with: try vector("nik_keydata_from_\(sender)_plain")))
        #expect(AESKeyWrap.wrap(plain.secret, with: key) == wrapped)
    }

    @Test func `identity tags in a verification are the recorded ones`() throws {
        let vector = try #require(Vector.recordedPairings.first { $0.name == "verify_npk pairings 1" })
        let identities: [(String, [UInt8])] = [
            ("initiator_nmi", [UInt8](0xf0...0xff)), ("responder_nmi", [UInt8](0x00...0x0f)),
        ]
        for (frame, (sender, identity)) in zip(vector["auth_frames"], identities) {
            let body = try frame("body")
            // NIRA: 2b, length 17, cipher version 0, nonce, tag.
            let attribute = try #require(body.indices.first { body[$0...].starts(with: [0x2b, 0x11, 0, 0]) })
            let nonce = body[attribute + 4..<attribute + 12]
            let code = HashFunction.sha256.authenticationCode(
                of: [UInt8]("NIR".utf8) + (try vector(sender)) + nonce, key: Secret(identity))
            #expect(code.prefix(8) == body[attribute + 12..<attribute + 20])
        }
    }

    private func group(of vector: Vector) throws -> Group {
        try vector("u1").count == 48 ? .p384 : .p256
    }

    /// Whether the pairing's cipher suite is 8.
    private func isLong(_ vector: Vector) throws -> Bool { try vector("nm_tk").count == 32 }
}
