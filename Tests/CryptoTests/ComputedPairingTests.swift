import Testing
import Wire

@testable import Crypto

/// Pairings of which every private value is known (Tests/Vectors/keys/synthetic_pairing.json).
struct ComputedPairingTests {
    static let sides = ["initiator", "responder"]

    @Test func `both groups are here`() throws {
        #expect(try Vector.computedPairings.map { try $0.text("group") } == ["19", "20"])
    }

    @Test(arguments: Vector.computedPairings)
    func `a password becomes two points, their sum and the element`(vector: Vector) throws {
        let map = HashToElement(on: Curve(try group(of: vector)))
        let password = try password(of: vector)
        let seed = map.seed(from: password)
        #expect(seed.seen == (try vector("pwd_seed")))
        let first = map.coordinate(from: map.value(.first, from: seed))
        let second = map.coordinate(from: map.value(.second, from: seed))
        #expect(first.octets(map.curve.group.fieldCount) == (try vector("u1")))
        #expect(second.octets(map.curve.group.fieldCount) == (try vector("u2")))
        #expect(map.curve.seen(map.map(first)) == (try vector("P1")))
        #expect(map.curve.seen(map.map(second)) == (try vector("P2")))
        #expect(map.curve.seen(map.secretPoint(from: password)) == (try vector("PT")))
        let (one, other) = (try vector.address("initiator_nmi"), try vector.address("responder_nmi"))
        #expect(map.factor(for: one, other).octets(map.curve.group.fieldCount) == (try vector("val")))
        let element = map.passwordElement(from: password, for: one, other)
        #expect(map.curve.seen(element) == (try vector("PWE")))
    }

    @Test(arguments: Vector.computedPairings)
    func `both sides commit, agree and confirm as computed`(vector: Vector) throws {
        let runs = try Self.sides.map { try run(vector, of: $0) }
        let hash = try group(of: vector).hash
        for (index, side) in Self.sides.enumerated() {
            let values = try #require(vector[side].first)
            let (own, peer) = (runs[index], runs[1 - index])
            #expect(own.scalar == (try values("scalar")))
            #expect(own.element == (try values("element")))
            let common = try own.commonSecret(peerScalar: peer.scalar, peerElement: peer.element)
            #expect(common.seen == (try vector("k")))
            #expect(SAE.Agreement.seed(from: common, with: hash).seen == (try vector("keyseed")))
            let agreement = try own.agree(peerScalar: peer.scalar, peerElement: peer.element)
            #expect(agreement.confirmationKey.seen == (try vector("sae_kck")))
            #expect(agreement.pmk.secret.seen == (try vector("pmk")))
            #expect(agreement.pmkid == (try vector("pmkid")))
            #expect(agreement.confirmation() == (try values("confirm")))
            let other = try #require(vector[Self.sides[1 - index]].first)
            #expect(agreement.isConfirmed(by: try other("confirm"), sendConfirm: 1))
        }
    }

    @Test(arguments: Vector.computedPairings)
    func `both ephemeral keys lead to the computed secret`(vector: Vector) throws {
        let values = try Self.sides.map { try #require(vector[$0].first) }
        for index in 0...1 {
            let key = EphemeralKey(
                group: try group(of: vector), scalar: try values[index].secret("ecdh_private"))
            #expect(key.publicKey == (try values[index]("ecdh_public_compressed")))
            let shared = try key.sharedSecret(with: values[1 - index]("ecdh_public_compressed"))
            #expect(shared.seen == (try vector("dhss")))
        }
    }

    @Test(arguments: Vector.computedPairings)
    func `the keys of a pairing are as computed`(vector: Vector) throws {
        let isLong = try vector.text("csid") == "8"
        let addresses = try vector("initiator_nmi") + vector("responder_nmi")
        let temporalCount = isLong ? 32 : 16
        let transient = HashFunction.sha256.derive(
            64 + temporalCount, from: try vector.secret("pmk"), label: "PASN PTK Derivation",
            context: addresses,
            sharedSecret: try vector.secret("dhss"))
        #expect(transient.seen == (try vector("pasn_ptk")))
        #expect(try transient.seen == vector("kck") + vector("nm_tk") + vector("nm_kdk"))

        let hash: HashFunction = isLong ? .sha384 : .sha256
        let derivation = try vector.secret("nm_kdk")
        let dataKey = hash.derive(32, from: derivation, label: "NDP PMK Derivation", context: addresses)
        #expect(dataKey.seen == (try vector("nd_pmk")))
        let wrapping = hash.derive(
            temporalCount, from: derivation, label: "NAN Management KEK Derivation", context: addresses)
        #expect(wrapping.seen == (try vector("nm_kek")))
        let cached = hash.derive(
            32, from: derivation, label: "NAN Opportunistic NPK Derivation", context: addresses)
        #expect(cached.seen == (try vector("opportunistic_npk_if_akm_pasn")))

        let wrapped = try vector("nik_kdes_wrapped")
        #expect(AESKeyWrap.wrap(try vector.secret("nik_kdes_padded"), with: wrapping) == wrapped)
        #expect(AESKeyWrap.unwrap(wrapped, with: wrapping)?.secret.seen == (try vector("nik_kdes_padded")))
    }

    private func group(of vector: Vector) throws -> Group {
        try vector.text("group") == "19" ? .p256 : .p384
    }

    private func password(of vector: Vector) throws -> Secret {
        Secret([UInt8](try vector.text("password_ascii").utf8))
    }

    private func run(_ vector: Vector, of side: String) throws -> SAE {
        let values = try #require(vector[side].first)
        let isInitiator = side == "initiator"
        return SAE(
            group: try group(of: vector), password: try password(of: vector),
            own: try vector.address(isInitiator ? "initiator_nmi" : "responder_nmi"),
            peer: try vector.address(isInitiator ? "responder_nmi" : "initiator_nmi"),
            rand: try values.secret("rand"), mask: try values.secret("mask"))
    }
}
