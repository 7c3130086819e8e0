public import Crypto
import Frames
public import Wire

/// The initiator of PASN towards one peer: the phone's side of pairing setup and of pairing verification.
///
/// Legal transitions:
///
///     ready ─start→ asking ─Auth2→ authenticated
///                     └─wrong PIN, refusal, no answer→ failed
///
/// An answer with a wrong SAE confirmation ends the attempt, because that is how a wrong PIN shows, and because its
/// sender may make one guess only. So does a refusal, though nothing proves who sent it: phones do so too, and a person
/// should not wait for a time-out to read why. Any other answer that proves nothing is passed over, as a stranger could
/// have sent it.
///
/// - Spec: 802.11az-2022 §12.13; Wi-Fi Aware 4.0, pairing setup and pairing verification, initiator.
public struct PASNInitiator {
    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case ready
        case asking(Asking)
        case authenticated(Authenticated)
        case failed
    }

    private struct Asking {
        var requests = 1
        var continues: Instant
    }

    private struct Authenticated {
        let answer: [UInt8]
        let confirmation: [UInt8]
        var confirmations = 1
    }

    /// What we know from the start on: the request and the private half of all that it says.
    private struct Attempt {
        let offer: PairingOffer
        let basis: PASNNANElement.Basis
        let proof: Proof
        let ephemeral: EphemeralKey
        let request: [UInt8]
    }

    private enum Proof {
        case password(SAE)
        case paired(npk: Key, peerNIK: Key)
    }

    /// In discovery windows alone, an answer takes up to two of them.
    static let repetition = TimeUnits.seconds(1)
    static let requestLimit = 5
    /// From the last request to giving up.
    static let patience = TimeUnits.seconds(3)
    /// As often as a responder has reason to repeat its answer.
    static let confirmationLimit = PASNResponder.answerLimit

    public let own: MACAddress
    public let peer: MACAddress
    private let attempt: Attempt
    private var state = State.ready

    /// Prepares one attempt, which allows one guess. `offer` names the peer's publish.
    public init(
        own: MACAddress, peer: MACAddress, with credential: PairingCredential, offer: PairingOffer,
        entropy: any Entropy
    ) {
        self.own = own
        self.peer = peer
        let ephemeral = EphemeralKey(group: PASNFrame.group, entropy: entropy)
        let basis: PASNNANElement.Basis
        let proof: Proof
        var commit: SAECommit?
        switch credential {
        case .password(let password, let request):
            let sae = SAE(
                group: PASNFrame.group, password: password.secret, own: own, peer: peer, entropy: entropy)
            commit = SAECommit(sae)
            (basis, proof) = (.bootstrapping(request), .password(sae))
        case .paired(let npk, let peerNIK, let resolution):
            (basis, proof) = (.identity(resolution), .paired(npk: npk, peerNIK: peerNIK))
        }
        let request = PASNRequest.body(offer, basis, commit: commit, publicKey: ephemeral.publicKey)
        attempt = Attempt(offer: offer, basis: basis, proof: proof, ephemeral: ephemeral, request: request)
    }

    /// When ``advance(to:)`` next has something to do. Nil unless a request waits for its answer.
    public var deadline: Instant? {
        switch state {
        case .asking(let asking): asking.continues
        case .ready, .authenticated, .failed: nil
        }
    }

    /// Sends the request. Once.
    public mutating func start(at now: Instant) -> [PASNAction] {
        guard case .ready = state else { return [] }
        state = .asking(Asking(continues: now + Self.repetition))
        return [.send(attempt.request)]
    }

    /// Takes the body of an authentication frame of the peer in: the answer (Auth2).
    ///
    /// Throws where the frame was passed over, and the attempt goes on as before.
    public mutating func receive(_ body: [UInt8]) throws(PairingRefusal) -> [PASNAction] {
        switch state {
        case .ready, .failed:
            throw .unexpected
        case .authenticated(let authenticated):
            return try confirmAgain(authenticated, body)
        case .asking:
            let answer: PASNAnswer
            do throws(PairingRefusal) { answer = try PASNAnswer(parsing: body) } catch {
                guard Self.endsAttempt(error) else { throw error }
                return fail(error)
            }
            let proved: (keys: PairingKeys, confirm: SAEConfirm?)
            do throws(PairingRefusal) { proved = try verify(answer) } catch {
                guard error == .wrongPIN else { throw error }
                return fail(error)
            }
            let confirmation = PASNConfirmation.body(
                attempt.offer, attempt.basis, confirm: proved.confirm, of: attempt.request, keys: proved.keys)
            state = .authenticated(Authenticated(answer: body, confirmation: confirmation))
            return [.install(proved.keys.nmTK), .send(confirmation), .authenticated(proved.keys)]
        }
    }

    /// The confirmation once more, where a later step finds that the responder may have missed it.
    public var confirmation: [UInt8]? {
        guard case .authenticated(let authenticated) = state else { return nil }
        return authenticated.confirmation
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [PASNAction] {
        guard case .asking(var asking) = state, asking.continues <= now else { return [] }
        guard asking.requests < Self.requestLimit else { return fail(.noAnswer) }
        asking.requests += 1
        asking.continues = now + (asking.requests < Self.requestLimit ? Self.repetition : Self.patience)
        state = .asking(asking)
        return [.send(attempt.request)]
    }

    /// Gives an attempt that is under way up. After a success the keys are the caller's to remove.
    public mutating func stop() -> [PASNAction] {
        switch state {
        case .ready, .asking: fail(.stopped)
        case .authenticated, .failed: []
        }
    }

    // MARK: Parts

    private mutating func fail(_ refusal: PairingRefusal) -> [PASNAction] {
        state = .failed
        return [.failed(refusal)]
    }

    private mutating func confirmAgain(
        _ authenticated: Authenticated, _ body: [UInt8]
    ) throws(PairingRefusal) -> [PASNAction] {
        guard authenticated.answer == body else { throw .unexpected }
        guard authenticated.confirmations < Self.confirmationLimit else { throw .repeatedTooOften }
        var authenticated = authenticated
        authenticated.confirmations += 1
        state = .authenticated(authenticated)
        return [.send(authenticated.confirmation)]
    }

    /// A peer that says no, or cannot do what we can, will not change its mind; anything else may be damaged.
    private static func endsAttempt(_ refusal: PairingRefusal) -> Bool {
        switch refusal {
        case .refusedByPeer, .unsupportedKeyManagement, .unsupportedCipher, .unsupportedSuites,
            .unsupportedGroup,
            .unsupportedWrapping, .unsupportedVersion, .notHashToElement, .comeBack:
            true
        default:
            false
        }
    }

    /// The keys that the answer proves, and what we have to prove in turn.
    private func verify(
        _ answer: PASNAnswer
    ) throws(PairingRefusal) -> (keys: PairingKeys, confirm: SAEConfirm?) {
        switch (attempt.proof, answer.proof) {
        case (.password(let sae), .setup(let commit, let confirm)):
            let agreement = try PASNFrame.agree(sae, with: commit)
            let keys = try keys(from: agreement.pmk, answer)
            let isAuthentic = isAuthentic(answer, keys)
            guard agreement.isConfirmed(by: confirm.proof, sendConfirm: confirm.sendConfirm) else {
                throw .wrongPIN
            }
            guard isAuthentic else { throw .badMIC }
            guard answer.identifier == agreement.pmkid else { throw .wrongKeyIdentifier }
            return (keys, SAEConfirm(of: agreement))
        case (.paired(let npk, let peerNIK), .verification(let resolution)):
            guard Identity.resolves(resolution, from: peer, by: peerNIK) else { throw .unknownIdentity }
            let keys = try keys(from: npk, answer)
            guard isAuthentic(answer, keys) else { throw .badMIC }
            return (keys, nil)
        case (.password, .verification), (.paired, .setup):
            throw .wrongPurpose
        }
    }

    private func keys(from pmk: Key, _ answer: PASNAnswer) throws(PairingRefusal) -> PairingKeys {
        try PASNFrame.keys(
            pmk: pmk, PairingParties(initiator: own, responder: peer), attempt.ephemeral,
            with: answer.publicKey)
    }

    private func isAuthentic(_ answer: PASNAnswer, _ keys: PairingKeys) -> Bool {
        constantTimeEqual(answer.mic, keys.answerMIC(security: answer.security, body: answer.zeroed))
    }
}
