import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// A phone's initiator against an accessory's responder, frame by frame.
struct PairingHandshakeTests {
    let start = PairingSides.start

    // MARK: Setup

    @Test func `the same PIN on both sides gives both the same keys`() throws {
        var sides = PairingSides()
        let request = try sides.ask()
        #expect(request.purpose == .setup)
        let answered = try sides.begin(request)
        #expect(answered.names == ["install", "send"], "the key is in before the initiator can use it")
        let confirmed = try sides.initiator.receive(#require(answered.sent))
        #expect(confirmed.names == ["install", "send", "authenticated"])
        let done = try sides.responder.receive(#require(confirmed.sent))
        #expect(done.names == ["authenticated"])
        #expect(sides.initiator.deadline == nil)
        #expect(sides.responder.deadline == nil)

        let (phone, accessory) = (try #require(confirmed.keys), try #require(done.keys))
        #expect(phone.nmTK.seen == accessory.nmTK.seen)
        #expect(phone.nmKEK.seen == accessory.nmKEK.seen)
        #expect(phone.ndPMK.seen == accessory.ndPMK.seen)
        #expect(phone.npk.seen == accessory.npk.seen)
        #expect(
            phone.parties == PairingParties(initiator: PairingSides.phone, responder: PairingSides.accessory))
        guard case .install(let installed) = answered[0] else { throw PairingRefusal.unexpected }
        #expect(installed === accessory.nmTK)
    }

    @Test func `two runs with the same PIN share nothing`() throws {
        var (one, other) = (PairingSides(seed: 1), PairingSides(seed: 2))
        let (first, second) = (try one.keys().phone, try other.keys().phone)
        #expect(first.npk.seen != second.npk.seen)
        #expect(first.nmTK.seen != second.nmTK.seen)
    }

    @Test func `a wrong PIN is noticed by the phone, and the accessory hears nothing more`() throws {
        var sides = PairingSides(typed: "123457")
        let answered = try sides.begin(try sides.ask())
        let noticed = try sides.initiator.receive(#require(answered.sent))
        #expect(noticed.names == ["failed: wrong PIN"])
        #expect(sides.initiator.deadline == nil)

        let deadline = try #require(sides.responder.deadline)
        #expect(deadline == start + .seconds(3))
        #expect(sides.responder.advance(to: start + .seconds(2)).isEmpty)
        #expect(sides.responder.advance(to: deadline).names == ["uninstall", "failed: no answer"])
        #expect(sides.responder.deadline == nil)
        #expect(sides.responder.advance(to: deadline + .seconds(60)).isEmpty)
    }

    @Test func `after a wrong PIN the same responder takes a new attempt with the right one`() throws {
        var sides = PairingSides(typed: "000000")
        _ = try sides.begin(try sides.ask())
        _ = sides.responder.advance(to: start + .seconds(3))

        var second = PairingSides(seed: 2)
        second.responder = sides.responder
        #expect(try second.authenticate().accessory.names == ["authenticated"])
    }

    @Test func `the time of the initiator starts when the answer is on the air`() throws {
        var sides = PairingSides()
        let answered = try sides.begin(try sides.ask())
        let late = start + .milliseconds(2_900)
        sides.responder.sent(at: late)
        #expect(sides.responder.advance(to: start + .seconds(3)).isEmpty)
        let confirmed = try sides.initiator.receive(#require(answered.sent))
        #expect(try sides.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
        sides.responder.sent(at: late)
        #expect(sides.responder.deadline == nil)
    }

    // MARK: Loss and repetition

    @Test func `a lost answer is sent again, the same, without another guess`() throws {
        var sides = PairingSides()
        let request = try sides.ask()
        let first = try sides.begin(request)
        #expect(sides.responder.isRepetition(request))

        let asked = sides.initiator.advance(to: start + .seconds(1))
        let again = try PASNRequest(parsing: #require(asked.sent))
        #expect(sides.responder.isRepetition(again))
        let second = try sides.begin(again, at: start + .seconds(1))
        #expect(second.names == ["send"])
        #expect(second.sent == first.sent)
        #expect(sides.responder.deadline == start + .seconds(1) + .seconds(3))

        let confirmed = try sides.initiator.receive(#require(second.sent))
        #expect(try sides.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
    }

    @Test func `a lost confirmation is sent again when the answer comes again`() throws {
        var sides = PairingSides()
        let request = try sides.ask()
        let answered = try sides.begin(request)
        let lost = try sides.initiator.receive(#require(answered.sent))
        let answeredAgain = try sides.begin(request, at: start + .seconds(1))
        let confirmed = try sides.initiator.receive(#require(answeredAgain.sent))
        #expect(confirmed.names == ["send"])
        #expect(confirmed.sent == lost.sent)
        #expect(confirmed.sent == sides.initiator.confirmation)
        #expect(try sides.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
    }

    @Test func `a confirmation that comes again after success is a replay and changes nothing`() throws {
        var sides = PairingSides()
        let done = try sides.authenticate()
        let confirmation = try #require(done.phone.sent)
        for _ in 0..<3 {
            #expect(throws: PairingRefusal.replayed) { try sides.responder.receive(confirmation) }
        }
        for flipped in flips(of: confirmation).prefix(64) {
            #expect(throws: PairingRefusal.unexpected) { try sides.responder.receive(flipped) }
        }
    }

    @Test func `a request that comes again after the end never starts anything`() throws {
        var paired = PairingSides()
        let request = try paired.ask()
        let confirmed = try paired.initiator.receive(#require(paired.begin(request).sent))
        _ = try paired.responder.receive(#require(confirmed.sent))
        #expect(paired.responder.isRepetition(request))
        #expect(throws: PairingRefusal.replayed) { try paired.begin(request) }

        var failed = PairingSides(typed: "654321")
        let wrong = try failed.ask()
        _ = try failed.begin(wrong)
        _ = failed.responder.advance(to: start + .seconds(3))
        #expect(throws: PairingRefusal.replayed) { try failed.begin(wrong) }
    }

    @Test func `a request is answered a few times and no more`() throws {
        var sides = PairingSides()
        let request = try sides.ask()
        for _ in 0..<PASNResponder.answerLimit { _ = try sides.begin(request) }
        #expect(throws: PairingRefusal.repeatedTooOften) { try sides.begin(request) }
        #expect(sides.responder.advance(to: start + .seconds(3)).names == ["uninstall", "failed: no answer"])
    }

    @Test func `an answer is confirmed a few times and no more`() throws {
        var sides = PairingSides()
        let answer = try #require(try sides.begin(try sides.ask()).sent)
        for _ in 0..<PASNInitiator.confirmationLimit { _ = try sides.initiator.receive(answer) }
        #expect(throws: PairingRefusal.repeatedTooOften) { try sides.initiator.receive(answer) }
    }

    @Test func `an unanswered request is repeated each second, five times in all, and then given up`() throws
    {
        var sides = PairingSides()
        let request = try #require(sides.initiator.start(at: start).sent)
        var sent = 1
        var outcome: [String] = []
        while let deadline = sides.initiator.deadline {
            let actions = sides.initiator.advance(to: deadline)
            if let again = actions.sent {
                #expect(again == request)
                sent += 1
            } else {
                #expect(deadline >= start + .seconds(7))
                outcome = actions.names
            }
        }
        #expect(sent == 5)
        #expect(outcome == ["failed: no answer"])
        #expect(throws: PairingRefusal.unexpected) { try sides.initiator.receive([]) }
    }

    @Test func `frames out of order are passed over, and the attempt still succeeds`() throws {
        var sides = PairingSides()
        var helper = PairingSides(seed: 9)
        let done = try helper.authenticate()
        let (foreign3, foreign1) = (try #require(done.phone.sent), try #require(helper.requestOctets))

        #expect(throws: PairingRefusal.unexpected) { try sides.responder.receive(foreign3) }
        let request = try sides.ask()
        #expect(throws: PairingRefusal.wrongSequence(3)) { try sides.initiator.receive(foreign3) }
        #expect(throws: PairingRefusal.wrongSequence(1)) { try sides.initiator.receive(foreign1) }
        let answer = try #require(try sides.begin(request).sent)
        #expect(throws: PairingRefusal.wrongSequence(2)) { try sides.responder.receive(answer) }
        #expect(throws: PairingRefusal.wrongSequence(1)) { try sides.responder.receive(foreign1) }
        let confirmed = try sides.initiator.receive(answer)
        #expect(try sides.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
    }

    // MARK: Another attempt

    @Test func `another request waits for the attempt to end, unless the caller lets it take over`() throws {
        var sides = PairingSides()
        _ = try sides.begin(try sides.ask())
        var second = PairingSides(seed: 2)
        second.responder = sides.responder
        let other = try second.ask()
        #expect(!second.responder.isRepetition(other))
        #expect(throws: PairingRefusal.attemptUnderWay) { try second.begin(other) }

        let actions = try second.responder.begin(
            other, with: .pin("123456"), offer: PairingSides.offer, entropy: second.entropy, at: start,
            superseding: true)
        #expect(actions.names == ["uninstall", "failed: superseded by a new attempt", "install", "send"])
        let confirmed = try second.initiator.receive(#require(actions.sent))
        #expect(try second.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
    }

    @Test func `a paired peer's new request waits for the caller too`() throws {
        var sides = PairingSides()
        _ = try sides.authenticate()
        var second = PairingSides(seed: 2)
        second.responder = sides.responder
        let other = try second.ask()
        #expect(throws: PairingRefusal.attemptUnderWay) { try second.begin(other) }
        let actions = try second.responder.begin(
            other, with: .pin("123456"), offer: PairingSides.offer, entropy: second.entropy, at: start,
            superseding: true)
        #expect(actions.names == ["uninstall", "install", "send"])
    }

    @Test func `a refused request leaves the attempt as it was`() throws {
        var sides = PairingSides()
        let answered = try sides.begin(try sides.ask())
        var stranger = PairingSides(.known(nik: 7, at: PairingSides.phone), .pin("123456"), seed: 5)
        let request = try stranger.ask()
        #expect(throws: PairingRefusal.wrongPurpose) {
            try sides.responder.begin(
                request, with: .pin("123456"), offer: PairingSides.offer, entropy: sides.entropy, at: start,
                superseding: true)
        }
        let confirmed = try sides.initiator.receive(#require(answered.sent))
        #expect(try sides.responder.receive(#require(confirmed.sent)).names == ["authenticated"])
    }

    @Test func `either side may stop, and then nothing of the attempt is left`() throws {
        var sides = PairingSides()
        let answer = try #require(try sides.begin(try sides.ask()).sent)
        #expect(sides.responder.stop().names == ["uninstall", "failed: given up"])
        #expect(sides.responder.stop().isEmpty)
        #expect(sides.initiator.stop().names == ["failed: given up"])
        #expect(sides.initiator.stop().isEmpty)
        #expect(sides.initiator.start(at: start).isEmpty)
        #expect(throws: PairingRefusal.unexpected) { try sides.initiator.receive(answer) }
        #expect(sides.initiator.deadline == nil)
        #expect(sides.responder.deadline == nil)
    }

    @Test func `a phone believes an accessory that says no`() throws {
        var sides = PairingSides()
        _ = sides.initiator.start(at: start)
        let no = PASNResponder.refusal(status: .refused, offer: PairingSides.offer)
        #expect([UInt8].init(no.prefix(6)) == [7, 0, 2, 0, 1, 0])
        #expect(try sides.initiator.receive(no).names == ["failed: refused by the peer with status 1"])

        var accessory = PairingSides()
        _ = try accessory.begin(try accessory.ask())
        let abort = PASNFrame.body(sequence: 3, status: .refused, [])
        #expect(throws: PairingRefusal.refusedByPeer(status: 1), "the accessory waits for its time-out") {
            try accessory.responder.receive(abort)
        }
    }

    // MARK: Verification

    @Test func `a paired phone is verified without a PIN and keeps its NPK`() throws {
        var sides = PairingSides(
            .known(nik: 2, at: PairingSides.phone), .known(nik: 1, at: PairingSides.accessory))
        let request = try sides.ask()
        guard case .verification(let resolution) = request.purpose else { throw PairingRefusal.wrongPurpose }
        #expect(Identity.resolves(resolution, from: PairingSides.phone, by: .nik(1)))
        let answered = try sides.begin(request)
        #expect(answered.names == ["install", "send"])
        let confirmed = try sides.initiator.receive(#require(answered.sent))
        #expect(confirmed.names == ["install", "send", "authenticated"])
        let done = try sides.responder.receive(#require(confirmed.sent))
        #expect(done.names == ["authenticated"])
        #expect(done.keys?.npk.seen == Key.npk(1).seen)
        #expect(done.keys?.ndPMK.seen == confirmed.keys?.ndPMK.seen)
    }

    @Test func `an accessory that takes the phone for another refuses it`() throws {
        var sides = PairingSides(
            .known(nik: 2, at: PairingSides.phone), .known(nik: 3, at: PairingSides.accessory))
        let request = try sides.ask()
        #expect(throws: PairingRefusal.unknownIdentity) { try sides.begin(request) }
    }

    @Test func `an identity seen at another address is not believed`() throws {
        let moved = PairingCredential.known(nik: 2, at: MACAddress(rawValue: 0x0200_0000_0001), own: 1)
        var sides = PairingSides(moved, .known(nik: 1, at: PairingSides.accessory))
        let request = try sides.ask()
        #expect(throws: PairingRefusal.unknownIdentity) { try sides.begin(request) }
    }

    @Test func `a phone that knows the identity but not the key proves nothing`() throws {
        var sides = PairingSides(
            .known(nik: 2, at: PairingSides.phone, npk: 8), .known(nik: 1, at: PairingSides.accessory))
        let answered = try sides.begin(try sides.ask())
        let answer = try #require(answered.sent)
        #expect(throws: PairingRefusal.badMIC) { try sides.initiator.receive(answer) }
    }

    @Test func `an accessory of another identity is not taken for ours`() throws {
        var sides = PairingSides(
            .known(nik: 5, at: PairingSides.phone, own: 1), .known(nik: 1, at: PairingSides.accessory, own: 2)
        )
        let answered = try sides.begin(try sides.ask())
        let answer = try #require(answered.sent)
        #expect(throws: PairingRefusal.unknownIdentity) { try sides.initiator.receive(answer) }
    }

    @Test func `a PIN is no answer to a verification, nor an identity to a setup`() throws {
        var sides = PairingSides(.known(nik: 2, at: PairingSides.phone), .pin("123456"))
        let verification = try sides.ask()
        #expect(throws: PairingRefusal.wrongPurpose) { try sides.begin(verification) }

        var other = PairingSides(.pin("123456"), .known(nik: 1, at: PairingSides.accessory))
        let setup = try other.ask()
        #expect(throws: PairingRefusal.wrongPurpose) { try other.begin(setup) }

        var mixed = PairingSides(.pin("123456"), .pin("123456"))
        _ = mixed.initiator.start(at: start)
        var verified = PairingSides(
            .known(nik: 2, at: PairingSides.phone), .known(nik: 1, at: PairingSides.accessory))
        let answer = try #require(try verified.begin(try verified.ask()).sent)
        #expect(throws: PairingRefusal.wrongPurpose) { try mixed.initiator.receive(answer) }
    }
}

extension PairingSides {
    /// What the initiator of a pairing that is over had asked.
    var requestOctets: [UInt8]? {
        var again = PairingSides(.pin("123456"), expected, seed: 9)
        return again.initiator.start(at: Self.start).sent
    }
}

extension Key {
    static func nik(_ number: UInt8) -> Key { Key(Secret([UInt8](repeating: number, count: 16))) }
    static func npk(_ number: UInt8) -> Key { Key(Secret([UInt8](repeating: number, count: 32))) }
}

extension PairingCredential {
    /// The phone has identity key 1, the accessory 2. Each side names the peer's `nik` and is known at `address`.
    static func known(nik: UInt8, at address: MACAddress, npk: UInt8 = 1, own: UInt8? = nil)
        -> PairingCredential
    {
        let number = own ?? (address == PairingSides.phone ? 1 : 2)
        guard let identity = Identity(nik: .nik(number)) else {
            fatalError("an identity key of 16 octets is refused")
        }
        return .paired(
            npk: .npk(npk), peerNIK: .nik(nik),
            own: identity.resolution(of: address, entropy: PairingEntropy(UInt64(number))))
    }
}
