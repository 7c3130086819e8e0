import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// Frames that somebody has changed, cut, mirrored or made up.
struct PairingTamperTests {
    let start = PairingSides.start

    private static func pairs() -> [PairingSides] {
        [
            PairingSides(),
            PairingSides(.known(nik: 2, at: PairingSides.phone), .known(nik: 1, at: PairingSides.accessory)),
        ]
    }

    @Test func `no answer with a flipped bit gives the phone a key`() throws {
        for var sides in Self.pairs() {
            let answer = try #require(try sides.begin(try sides.ask()).sent)
            for flipped in flips(of: answer) {
                var initiator = sides.initiator
                let actions = (try? initiator.receive(flipped)) ?? []
                #expect(!actions.givesKeys)
                #expect(actions.sent == nil)
            }
            #expect(try sides.initiator.receive(answer).givesKeys)
        }
    }

    @Test func `no confirmation with a flipped bit gives the accessory a key`() throws {
        for var sides in Self.pairs() {
            let answer = try #require(try sides.begin(try sides.ask()).sent)
            let confirmation = try #require(try sides.initiator.receive(answer).sent)
            var refusals: Set<String> = []
            for flipped in flips(of: confirmation) {
                do throws(PairingRefusal) {
                    _ = try sides.responder.receive(flipped)
                    Issue.record("a changed confirmation was taken")
                } catch {
                    refusals.insert(error.description)
                }
            }
            #expect(refusals.contains("wrong MIC"))
            #expect(try sides.responder.receive(confirmation).givesKeys)
        }
    }

    @Test func `no request with a flipped bit leads the accessory to a success`() throws {
        for var sides in Self.pairs() {
            let octets = try #require(sides.initiator.start(at: start).sent)
            var confirmed = 0
            for (number, flipped) in flips(of: octets).enumerated() where number % 5 == 0 {
                var (initiator, responder) = (sides.initiator, sides.responder)
                guard let request = try? PASNRequest(parsing: flipped),
                    let answer = try? responder.begin(
                        request, with: sides.expected, offer: PairingSides.offer, entropy: sides.entropy,
                        at: start
                    ).sent,
                    let confirmation = try? initiator.receive(answer).sent
                else { continue }
                #expect(throws: PairingRefusal.badMIC) { try responder.receive(confirmation) }
                confirmed += 1
            }
            #expect(confirmed > 0, "nothing of this was tried")
        }
    }

    @Test func `no frame that is cut short is taken`() throws {
        for var sides in Self.pairs() {
            let asked = try #require(sides.initiator.start(at: start).sent)
            for count in asked.indices {
                #expect(throws: PairingRefusal.self) { try PASNRequest(parsing: Array(asked.prefix(count))) }
            }
            let answer = try #require(try sides.begin(try PASNRequest(parsing: asked)).sent)
            for count in answer.indices {
                var initiator = sides.initiator
                #expect(throws: PairingRefusal.self) { try initiator.receive(Array(answer.prefix(count))) }
            }
            let confirmation = try #require(try sides.initiator.receive(answer).sent)
            for count in confirmation.indices {
                var responder = sides.responder
                #expect(throws: PairingRefusal.self) {
                    try responder.receive(Array(confirmation.prefix(count)))
                }
            }
        }
    }

    @Test func `confirmations and aborts of somebody else do not disturb the attempt`() throws {
        var sides = PairingSides()
        let answer = try #require(try sides.begin(try sides.ask()).sent)
        var other = PairingSides(seed: 2)
        let foreign = try #require(try other.authenticate().phone.sent)
        #expect(throws: PairingRefusal.wrongPIN) { try sides.responder.receive(foreign) }
        let abort = PASNFrame.body(sequence: 3, status: .refused, [])
        #expect(throws: PairingRefusal.refusedByPeer(status: 1)) { try sides.responder.receive(abort) }
        let genuine = try #require(try sides.initiator.receive(answer).sent)
        #expect(try sides.responder.receive(genuine).givesKeys)
    }

    @Test func `an answer with a wrong MIC does not keep the phone from the right one`() throws {
        for var sides in Self.pairs() {
            let answer = try #require(try sides.begin(try sides.ask()).sent)
            var forged = answer
            forged[forged.count - 1] ^= 1
            #expect(throws: PairingRefusal.badMIC) { try sides.initiator.receive(forged) }
            #expect(try sides.initiator.receive(answer).givesKeys)
        }
    }

    @Test func `a phone cannot be made to talk to itself`() throws {
        var sides = PairingSides()
        let own = try #require(sides.initiator.start(at: start).sent)
        #expect(throws: PairingRefusal.wrongSequence(1)) { try sides.initiator.receive(own) }

        // The mirror has no keys; what it can mirror is our commitment and our public key.
        let request = try PASNRequest(parsing: own)
        guard case .setup(let commit) = request.proof else { throw PairingRefusal.wrongPurpose }
        let keys = try PairingVector.setups[0].keys
        let wrapped = PASNAnswer.Wrapped(
            commit: commit, confirm: SAEConfirm(sendConfirm: 1, proof: .init(repeating: 0, count: 32)),
            pmkid: .init(repeating: 0, count: 16))
        let mirrored = PASNAnswer.body(
            PairingSides.offer, .bootstrapping(PairingSides.bootstrapping), wrapped: wrapped,
            publicKey: request.publicKey, keys: keys)
        #expect(throws: PairingRefusal.reflected) { try sides.initiator.receive(mirrored) }
    }

    @Test func `a point that is none costs no guess`() throws {
        var sides = PairingSides()
        let request = try sides.ask()
        guard case .setup(var commit) = request.proof else { throw PairingRefusal.wrongPurpose }
        commit.element[0] ^= 1
        let basis = PASNNANElement.Basis.bootstrapping(PairingSides.bootstrapping)
        let noPoint = try PASNRequest(
            parsing: PASNRequest.body(PairingSides.offer, basis, commit: commit, publicKey: request.publicKey)
        )
        #expect(throws: PairingRefusal.invalidContribution(.invalidPoint)) { try sides.begin(noPoint) }
        commit.element[0] ^= 1
        commit.scalar = .init(repeating: 0, count: 32)
        let noScalar = try PASNRequest(
            parsing: PASNRequest.body(PairingSides.offer, basis, commit: commit, publicKey: request.publicKey)
        )
        #expect(throws: PairingRefusal.invalidContribution(.invalidScalar)) { try sides.begin(noScalar) }
        #expect(sides.responder.deadline == nil)
        #expect(!sides.responder.isRepetition(noPoint))
    }

    // MARK: Requests that ask for what we do not do

    /// A request made of the recorded one by changing its elements.
    private func request(
        _ vector: PairingVector = .setups[0], _ change: (inout [Element]) throws -> Void
    ) throws -> [UInt8] {
        var frame = try PASNFrame.read(vector.frames[0], sequence: 1)
        try change(&frame.elements)
        return PASNFrame.body(sequence: 1, frame.elements)
    }

    private func expect(_ refusal: PairingRefusal, of body: [UInt8]) {
        #expect(throws: refusal) { try PASNRequest(parsing: body) }
        #expect(!refusal.description.isEmpty)
    }

    @Test func `what a request lacks is named`() throws {
        let parts: [(Element.ID, PairingRefusal.Part)] = [
            (.rsn, .rsn), (.wrappedData, .wrappedData), (.rsnExtension, .rsnExtension),
            (.pasnParameters, .pasnParameters), (.vendorSpecific, .nanElement),
        ]
        for (id, part) in parts {
            expect(.missing(part), of: try request { $0.removeAll { $0.id == id } })
        }
        expect(.missing(.publicKey), of: try change { $0.publicKey = nil })
        expect(.missing(.cipherSuites), of: try changeNAN { $0.removeAll(where: Self.isSuites) })
        expect(
            .missing(.identityResolution),
            of: try changeNAN(.verification) {
                $0.removeAll { if case .identityResolution = $0 { true } else { false } }
            })
    }

    @Test func `attributes may be spread over several elements`() throws {
        let spread = try request { elements in
            let attributes = try #require(try elements.first(NANElement.self)).attributes
            elements.removeLast()
            elements += attributes.map { PASNFrame.element(NANElement(attributes: [$0])) }
        }
        let request = try PASNRequest(parsing: spread)
        #expect(request.publish == 1)
        #expect(request.bootstrapping?.methods == .pinKeypad)
    }

    @Test func `what a request has twice is named`() throws {
        let parts: [(Element.ID, PairingRefusal.Part)] = [
            (.rsn, .rsn), (.wrappedData, .wrappedData), (.pasnParameters, .pasnParameters),
            (.vendorSpecific, .cipherSuites),
        ]
        for (id, part) in parts {
            expect(.repeated(part), of: try request { $0 += $0.filter { $0.id == id } })
        }
        expect(.repeated(.cipherSuites), of: try changeNAN { $0 += $0.filter(Self.isSuites) })
        expect(
            .repeated(.keyIdentifier),
            of: try changeRSN(.verification) { $0.keyIdentifiers += $0.keyIdentifiers })
    }

    @Test func `what we cannot do is named`() throws {
        expect(.unsupportedVersion(2), of: try changeRSN { $0.version = 2 })
        expect(.unsupportedCipher(0x000f_ac09), of: try changeRSN { $0.pairwiseCiphers = [.gcmp256] })
        expect(.unsupportedCipher(0), of: try changeRSN { $0.pairwiseCiphers = [] })
        expect(
            .unsupportedKeyManagement(0x000f_ac02),
            of: try changeRSN { $0.keyManagement = [.init(rawValue: 0x000f_ac02)] })
        expect(.unsupportedKeyManagement(0), of: try changeRSN { $0.keyManagement = [.sae, .pasn] })
        expect(.unsupportedGroup(20), of: try change { $0.publicKey?.group = 20 })
        expect(.unsupportedWrapping(0), of: try change { $0.format = .none })
        expect(.unsupportedWrapping(2), of: try change { $0.format = .init(rawValue: 2) })
        expect(.comeBack, of: try change { $0.comeBack = .init(after: TimeUnits(10), cookie: [1]) })
        expect(
            .unsupportedSuites,
            of: try changeNAN {
                $0 = [.cipherSuiteInformation(.init(entries: [.init(suite: .pasn256, publish: 1)]))]
            })
        expect(.notHashToElement, of: try request { $0[2] = Element(id: .rsnExtension, body: [1, 0]) })
        expect(
            .notHashToElement,
            of: try request {
                guard case .commit(var commit) = try $0.first(WrappedSAE.self) else { return }
                commit.status = .success
                $0[1] = PASNFrame.element(WrappedSAE.commit(commit))
            })
    }

    @Test func `a verification whose two identities disagree is refused`() throws {
        expect(
            .wrongKeyIdentifier,
            of: try changeRSN(.verification) { $0.keyIdentifiers = [.init(repeating: 0, count: 16)] })
        expect(
            .misplaced(.wrappedData),
            of: try request(.verification) {
                $0.append(
                    try #require(
                        try PASNFrame.read(PairingVector.setups[0].frames[0], sequence: 1).element(
                            .wrappedData)))
            })
        expect(
            .misplaced(.keyIdentifier), of: try changeRSN(.verification) { $0.keyManagement = [.pasn] })
    }

    @Test func `other authentications are not ours`() {
        #expect(throws: PairingRefusal.self) { try PASNRequest(parsing: []) }
        #expect(throws: PairingRefusal.self) { try PASNRequest(parsing: [3, 0, 1, 0, 0, 0]) }
        expect(.wrongSequence(2), of: PairingVector.setups[0].frames[1])
        expect(.refusedByPeer(status: 1), of: PASNFrame.body(sequence: 1, status: .refused, []))
    }

    private func changeRSN(
        _ vector: PairingVector = .setups[0], _ change: (inout RobustSecurity) -> Void
    ) throws -> [UInt8] {
        try request(vector) {
            var content = try #require(try $0.first(RobustSecurity.self))
            change(&content)
            $0[0] = PASNFrame.element(content)
        }
    }

    private func change(_ change: (inout PASNParameters) -> Void) throws -> [UInt8] {
        try request {
            var content = try #require(try $0.first(PASNParameters.self))
            change(&content)
            $0[3] = PASNFrame.element(content)
        }
    }

    private func changeNAN(
        _ vector: PairingVector = .setups[0], _ change: (inout [Attribute]) -> Void
    ) throws -> [UInt8] {
        try request(vector) {
            var content = try #require(try $0.first(NANElement.self))
            change(&content.attributes)
            $0[$0.count - 1] = PASNFrame.element(content)
        }
    }

    private static func isSuites(_ attribute: Attribute) -> Bool {
        if case .cipherSuiteInformation = attribute { true } else { false }
    }
}
