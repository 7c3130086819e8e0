import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// What two other stations did, frame by frame and key by key (Tests/Vectors/keys). It shows that we read and derive
/// as they do; it does not show what a phone accepts.
struct PairingRecordedTests {
    static let initiatorNIK = [UInt8](0xf0...0xff)
    static let responderNIK = [UInt8](0x00...0x0f)

    /// The NAN element of a recorded frame, as one that writes it is told about it.
    private func offer(in body: [UInt8], sequence: UInt16) throws -> PairingOffer {
        let frame = try PASNFrame.read(body, sequence: sequence)
        let suites = try #require(try frame.content(NANElement.self)?.cipherSuites)
        return PairingOffer(
            publish: try #require(suites.entries.first).publish, capabilities: suites.capabilities)
    }

    private func bootstrapping(in body: [UInt8], sequence: UInt16) throws -> PASNNANElement.Basis {
        let nan = try PASNNANElement(of: try PASNFrame.read(body, sequence: sequence))
        return .bootstrapping(try #require(nan.bootstrapping))
    }

    private func expectKeys(_ keys: PairingKeys, of vector: PairingVector) throws {
        #expect(try keys.kck.seen == vector("kck"))
        #expect(try keys.nmTK.seen == vector("nm_tk"))
        #expect(try keys.ndPMK.seen == vector("kdf_NDP_PMK_Derivation"))
        #expect(try keys.nmKEK.seen == vector("kdf_NAN_Management_KEK_Derivation"))
        #expect(try keys.npk.seen == vector("pasn_pmk"))
    }

    @Test(arguments: PairingVector.setups + [.verification, .opportunistic])
    func `the recorded keys follow from what the two agreed on`(vector: PairingVector) throws {
        try expectKeys(vector.keys, of: vector)
    }

    @Test(arguments: PairingVector.setups)
    func `the recorded frames of a setup are what we would have sent`(vector: PairingVector) throws {
        let (auth1, auth2, auth3) = (vector.frames[0], vector.frames[1], vector.frames[2])
        let keys = try vector.keys

        let request = try PASNRequest(parsing: auth1)
        #expect(request.purpose == .setup)
        #expect(request.publish == 1)
        #expect(request.bootstrapping?.methods == .pinKeypad)
        guard case .setup(let commit) = request.proof else { throw PairingRefusal.wrongPurpose }
        #expect(try commit.scalar == vector("initiator_scalar"))
        #expect(
            PASNRequest.body(
                try offer(in: auth1, sequence: 1), try bootstrapping(in: auth1, sequence: 1), commit: commit,
                publicKey: request.publicKey) == auth1)

        let answer = try PASNAnswer(parsing: auth2)
        guard case .setup(let answered, let confirm) = answer.proof else { throw PairingRefusal.wrongPurpose }
        #expect(try answer.identifier == vector("sae_pmkid"))
        #expect(try answer.mic == vector("auth2_mic"))
        #expect(try answer.security == vector("auth2_mic_input_data"))
        #expect(try answer.zeroed == vector("auth2_mic_input_frame_body_mic0"))
        #expect(
            PASNAnswer.body(
                try offer(in: auth2, sequence: 2), try bootstrapping(in: auth2, sequence: 2),
                wrapped: .init(commit: answered, confirm: confirm, pmkid: answer.identifier),
                publicKey: answer.publicKey, keys: keys) == auth2)

        let confirmation = try PASNConfirmation(parsing: auth3)
        #expect(try confirmation.mic == vector("auth3_mic"))
        #expect(try confirmation.confirm?.proof == vector("initiator_confirm"))
        #expect(
            PASNConfirmation.body(
                try offer(in: auth3, sequence: 3), try bootstrapping(in: auth3, sequence: 3),
                confirm: confirmation.confirm, of: auth1, keys: keys) == auth3)
    }

    @Test func `the recorded frames of a verification are what we would have sent`() throws {
        let vector = PairingVector.verification
        let (auth1, auth2, auth3) = (vector.frames[0], vector.frames[1], vector.frames[2])
        let (keys, parties) = (try vector.keys, try vector.parties)

        let request = try PASNRequest(parsing: auth1)
        guard case .verification(let phone) = request.purpose else { throw PairingRefusal.wrongPurpose }
        #expect(Identity.resolves(phone, from: parties.initiator, by: Key(Secret(Self.initiatorNIK))))
        #expect(!Identity.resolves(phone, from: parties.initiator, by: Key(Secret(Self.responderNIK))))
        #expect(!Identity.resolves(phone, from: parties.responder, by: Key(Secret(Self.initiatorNIK))))
        let asked = try offer(in: auth1, sequence: 1)
        #expect(PASNRequest.body(asked, .identity(phone), commit: nil, publicKey: request.publicKey) == auth1)

        let answer = try PASNAnswer(parsing: auth2)
        guard case .verification(let accessory) = answer.proof else { throw PairingRefusal.wrongPurpose }
        #expect(Identity.resolves(accessory, from: parties.responder, by: Key(Secret(Self.responderNIK))))
        #expect(
            PASNAnswer.body(
                try offer(in: auth2, sequence: 2), .identity(accessory), wrapped: nil,
                publicKey: answer.publicKey,
                keys: keys) == auth2)
        #expect(PASNConfirmation.body(asked, .identity(phone), confirm: nil, of: auth1, keys: keys) == auth3)
    }

    @Test func `an opportunistic pairing is understood, and its MICs are right`() throws {
        let vector = PairingVector.opportunistic
        #expect(try PASNRequest(parsing: vector.frames[0]).purpose == .opportunistic)
        let keys = try vector.keys
        let answer = try PASNFrame.read(vector.frames[1], sequence: 2)
        let (mic, zeroed) = try PASNFrame.mic(of: answer, in: vector.frames[1])
        #expect(keys.answerMIC(security: PASNFrame.securityOctets(of: answer.elements), body: zeroed) == mic)
        let confirmation = try PASNConfirmation(parsing: vector.frames[2])
        #expect(
            keys.confirmationMIC(request: vector.frames[0], body: confirmation.zeroed) == confirmation.mic)

        var responder = PASNResponder(own: PairingSides.accessory, peer: PairingSides.phone)
        #expect(throws: PairingRefusal.opportunistic) {
            try responder.begin(
                PASNRequest(parsing: vector.frames[0]), with: .pin("123456"), offer: PairingSides.offer,
                entropy: PairingEntropy(1), at: PairingSides.start)
        }
    }

    @Test func `cipher suite 8 is refused by its cipher`() {
        #expect(throws: PairingRefusal.unsupportedCipher(0x000f_ac09)) {
            try PASNRequest(parsing: PairingVector.suite8.frames[0])
        }
    }

    @Test(arguments: PairingVector.setups)
    func `the recorded identity keys unwrap, and ours are wrapped alike`(vector: PairingVector) throws {
        let keys = try vector.keys
        for (nik, name) in [(Self.initiatorNIK, "initiator"), (Self.responderNIK, "responder")] {
            let identity = try #require(Identity(nik: Key(Secret(nik))))
            let descriptor = IdentityKeyMessage.descriptor(
                of: identity, lifetime: 43_200, publish: 1, layout: .compact, keys: keys)
            #expect(try descriptor.data == vector("nik_keydata_from_\(name)_wrapped"))
            let read = try IdentityKeyMessage.read(descriptor, keys: keys)
            #expect(read.identity.nik.seen == nik)
            #expect(read.lifetime == 43_200)
        }
    }

    @Test func `the computed pairing gives the computed keys`() throws {
        let vector = try #require(PairingVector.computed.first { $0.name == "group 19" })
        let parties = try vector.parties
        func run(_ side: String, own: MACAddress, peer: MACAddress) throws -> (SAE, EphemeralKey) {
            let sae = SAE(
                group: .p256, password: Secret(Array(try vector.text("password_ascii").utf8)), own: own,
                peer: peer,
                rand: Secret(try vector.side(side, "rand")), mask: Secret(try vector.side(side, "mask")))
            return (sae, EphemeralKey(group: .p256, scalar: Secret(try vector.side(side, "ecdh_private"))))
        }
        let (phone, phoneKey) = try run("initiator", own: parties.initiator, peer: parties.responder)
        let (accessory, accessoryKey) = try run("responder", own: parties.responder, peer: parties.initiator)

        let agreement = try PASNFrame.agree(accessory, with: SAECommit(phone))
        let keys = try PASNFrame.keys(pmk: agreement.pmk, parties, accessoryKey, with: phoneKey.publicKey)
        #expect(try agreement.pmkid == vector("pmkid"))
        #expect(try SAEConfirm(of: agreement).proof == vector.side("responder", "confirm"))
        #expect(try keys.kck.seen == vector("kck"))
        #expect(try keys.nmTK.seen == vector("nm_tk"))
        #expect(try keys.nmKEK.seen == vector("nm_kek"))
        #expect(try keys.ndPMK.seen == vector("nd_pmk"))
        #expect(try keys.npk.seen == vector("pmk"))
        let identity = try #require(Identity(nik: Key(Secret(Self.responderNIK))))
        #expect(
            try IdentityKeyMessage.descriptor(
                of: identity, lifetime: 43_200, publish: 1, layout: .phone, keys: keys
            ).data == vector("nik_kdes_wrapped"))
    }
}
