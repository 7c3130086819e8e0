import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// How two devices that have authenticated each other get to know each other for good.
struct PairingIdentityKeyTests {
    let start = PairingSides.start
    let keys: PairingKeys
    let phone: IdentityKeyOffer
    let accessory: IdentityKeyOffer

    init() throws {
        keys = try PairingVector.setups[0].keys
        phone = IdentityKeyOffer(identity: try #require(Identity(nik: .nik(1))), publish: 1)
        accessory = IdentityKeyOffer(
            identity: try #require(Identity(nik: .nik(2))), lifetime: 86_400, publish: 1)
    }

    private func initiator(_ layout: IdentityKeyLayout = .phone) -> IdentityKeyInitiator {
        IdentityKeyInitiator(keys: keys, offer: phone, layout: layout, at: start)
    }

    private func responder() -> IdentityKeyResponder {
        IdentityKeyResponder(keys: keys, offer: accessory, at: start)
    }

    /// The descriptor as it comes out of the air.
    private func overTheAir(_ descriptor: SharedKeyDescriptor?) throws -> SharedKeyDescriptor {
        var frame = FrameWriter()
        try #require(descriptor).write(into: &frame)
        let octets = try frame.finish()
        return try SharedKeyDescriptor(parsing: FrameReader(octets.span.bytes))
    }

    @Test(arguments: [IdentityKeyLayout.phone, .compact])
    func `both get the other's identity, in the initiator's layout`(layout: IdentityKeyLayout) throws {
        var (phone, accessory) = (initiator(layout), responder())
        #expect(phone.advance(to: start).isEmpty)
        let asked = phone.advance(to: start + .milliseconds(50))
        #expect(asked.names == ["send"])
        let asking = try overTheAir(asked.descriptor)
        #expect(asking.info.rawValue == (layout == .phone ? 0x12c8 : 0x1088))
        #expect(asking.keyLength == (layout == .phone ? 0 : 16))
        #expect(asking.mic.count == (layout == .phone ? 16 : 0))
        #expect(asking.replayCounter == 0)

        let answered = try accessory.receive(asking)
        #expect(answered.names == ["send", "exchanged"])
        #expect(answered.peer?.identity.nik.seen == Key.nik(1).seen)
        #expect(answered.peer?.lifetime == IdentityKeyOffer.tenYears)
        let answer = try overTheAir(answered.descriptor)
        #expect(answer.info == asking.info)
        #expect(answer.mic.count == asking.mic.count)

        let exchanged = try phone.receive(answer)
        #expect(exchanged.names == ["exchanged"])
        #expect(exchanged.peer?.identity.nik.seen == Key.nik(2).seen)
        #expect(exchanged.peer?.lifetime == 86_400)
        #expect(phone.deadline == nil)
        #expect(accessory.deadline == nil)
        #expect(throws: PairingRefusal.replayed) { try phone.receive(answer) }
    }

    @Test func `a phone that does not say for how long is fine`() throws {
        var accessory = responder()
        let plain = try KeyData.octets([.identityKey(cipherVersion: 0, key: [UInt8](repeating: 1, count: 16))]
        )
        let exchanged = try accessory.receive(descriptor(of: plain))
        #expect(exchanged.names == ["send", "exchanged"])
        #expect(exchanged.peer?.lifetime == nil)
    }

    @Test func `a key that comes again is answered again and changes nothing`() throws {
        var accessory = responder()
        let asking = phone.descriptor(.phone, keys)
        _ = try accessory.receive(asking)
        for _ in 0..<5 { #expect(try accessory.receive(asking).names == ["send"]) }
        #expect(try accessory.receive(phone.descriptor(.compact, keys)).names == ["send"])
        let other = IdentityKeyOffer(identity: try #require(Identity(nik: .nik(3))), publish: 1)
        #expect(throws: PairingRefusal.identityChanged) {
            try accessory.receive(other.descriptor(.phone, keys))
        }
    }

    @Test func `our own key, sent back, is refused on both sides`() throws {
        var (phone, accessory) = (initiator(), responder())
        let asking = try #require(phone.advance(to: start + .milliseconds(50)).descriptor)
        #expect(throws: PairingRefusal.reflected) { try phone.receive(asking) }
        #expect(throws: PairingRefusal.reflected) {
            try accessory.receive(self.accessory.descriptor(.phone, keys))
        }
        #expect(try accessory.receive(asking).names == ["send", "exchanged"])
    }

    @Test func `an unanswered key is repeated four times, with the confirmation, and then given up`() throws {
        var phone = initiator()
        var seen: [[String]] = []
        while let deadline = phone.deadline { seen.append(phone.advance(to: deadline).names) }
        let again = ["confirm again", "send"]
        #expect(seen == [["send"], again, again, again, again, ["failed: no identity key came"]])
        #expect(throws: PairingRefusal.unexpected) { try phone.receive(accessory.descriptor(.phone, keys)) }
        #expect(phone.advance(to: start + .seconds(3_600)).isEmpty)
    }

    @Test func `an answer that comes before the question is not one`() throws {
        var phone = initiator()
        #expect(throws: PairingRefusal.unexpected) { try phone.receive(accessory.descriptor(.phone, keys)) }
    }

    @Test func `the accessory waits longer than phones take, and then gives up`() throws {
        var accessory = responder()
        #expect(accessory.advance(to: start + .seconds(5)).isEmpty)
        #expect(try #require(accessory.deadline) == start + .seconds(8))
        #expect(accessory.advance(to: start + .seconds(8)).names == ["failed: no identity key came"])
        #expect(accessory.deadline == nil)
        #expect(throws: PairingRefusal.unexpected) { try accessory.receive(phone.descriptor(.phone, keys)) }
    }

    @Test func `no flipped bit in the wrapped key is taken`() throws {
        let good = phone.descriptor(.phone, keys)
        for flipped in flips(of: good.data) {
            var (accessory, descriptor) = (responder(), good)
            descriptor.data = flipped
            #expect(throws: PairingRefusal.notUnwrapped) { try accessory.receive(descriptor) }
            #expect(try accessory.receive(good).names == ["send", "exchanged"])
        }
        for count in 0..<good.data.count {
            var (accessory, descriptor) = (responder(), good)
            descriptor.data = Array(good.data.prefix(count))
            #expect(throws: PairingRefusal.notUnwrapped) { try accessory.receive(descriptor) }
        }
    }

    @Test func `a key of another pairing does not unwrap`() throws {
        let other = try PairingVector.verification.keys
        var accessory = responder()
        #expect(throws: PairingRefusal.notUnwrapped) {
            try accessory.receive(phone.descriptor(.phone, other))
        }
    }

    @Test func `key data without an identity key, with two, or with another cipher are refused`() throws {
        let nik = [UInt8](repeating: 1, count: 16)
        let cases: [([KeyData], PairingRefusal)] = [
            (
                [.lifetime(keys: 8, seconds: 1), .other(type: 0x000f_ac01, octets: [1, 2])],
                .missing(.identityKey)
            ),
            (
                [.identityKey(cipherVersion: 0, key: nik), .identityKey(cipherVersion: 0, key: nik)],
                .repeated(.identityKey)
            ),
            ([.identityKey(cipherVersion: 1, key: nik)], .unsupportedIdentityCipher(1)),
            ([.other(type: 0x506f_9a24, octets: [0, 1, 2])], .missing(.identityKey)),
        ]
        for (data, refusal) in cases {
            var accessory = responder()
            #expect(throws: refusal) { try accessory.receive(descriptor(of: try KeyData.octets(data))) }
        }
        var accessory = responder()
        var inClear = phone.descriptor(.phone, keys)
        inClear.info.remove(.encrypted)
        #expect(throws: PairingRefusal.notUnwrapped) { try accessory.receive(inClear) }
    }

    @Test func `a lifetime of other keys than the identity key is not ours`() throws {
        var accessory = responder()
        let plain = try KeyData.octets([
            .lifetime(keys: 1, seconds: 5),
            .identityKey(cipherVersion: 0, key: [UInt8](repeating: 1, count: 16)),
        ])
        #expect(try accessory.receive(descriptor(of: plain)).peer?.lifetime == nil)
    }

    @Test func `an identity is recognised at its address only, and looks new each time`() throws {
        let entropy = PairingEntropy(4)
        let identity = Identity(from: entropy)
        let one = identity.resolution(of: PairingSides.phone, entropy: entropy)
        let other = identity.resolution(of: PairingSides.phone, entropy: entropy)
        #expect(one != other)
        #expect(Identity.resolves(one, from: PairingSides.phone, by: identity.nik))
        #expect(!Identity.resolves(one, from: PairingSides.accessory, by: identity.nik))
        #expect(!Identity.resolves(one, from: PairingSides.phone, by: .nik(1)))
        for flipped in flips(of: one.nonce + one.tag) {
            let changed = IdentityResolution(nonce: Array(flipped.prefix(8)), tag: Array(flipped.suffix(8)))
            #expect(!Identity.resolves(changed, from: PairingSides.phone, by: identity.nik))
        }
        #expect(
            !Identity.resolves(
                .init(cipherVersion: 1, nonce: one.nonce, tag: one.tag), from: PairingSides.phone,
                by: identity.nik))
        #expect(!Identity.resolves(.init(nonce: [], tag: []), from: PairingSides.phone, by: identity.nik))
        #expect(Identity(nik: Key(Secret([1, 2, 3]))) == nil)
    }

    private func descriptor(of plain: [UInt8]) -> SharedKeyDescriptor {
        var descriptor = phone.descriptor(.phone, keys)
        descriptor.data = AESKeyWrap.wrap(Secret(plain), with: keys.nmKEK.secret)
        return descriptor
    }
}

extension [IdentityKeyAction] {
    var names: [String] {
        map {
            switch $0 {
            case .send: "send"
            case .confirmAgain: "confirm again"
            case .exchanged: "exchanged"
            case .failed(let refusal): "failed: \(refusal)"
            }
        }
    }
    var descriptor: SharedKeyDescriptor? {
        for case .send(let descriptor) in self { return descriptor }
        return nil
    }
    var peer: PeerIdentity? {
        for case .exchanged(let peer) in self { return peer }
        return nil
    }
}
