public import Crypto
public import Frames
public import Wire

/// The responder of PASN towards one peer: the accessory's side of pairing setup and of pairing verification.
///
/// Legal transitions:
///
///     waiting ─begin→ answered ─Auth3→ authenticated
///        failed ─begin↗   └─time-out, given up→ failed
///
/// A confirmation that proves nothing, or an abort, does not end an attempt: nothing says who sent it, and a stranger
/// could end the pairings of others at no cost. It is passed over, and the true one is awaited until the time is up.
///
/// The encryption key is installed with the answer and not with the confirmation, because the initiator's next
/// frame is encrypted and may be on the air 30 ms after its confirmation; it is taken away if the attempt fails.
///
/// A wrong PIN is silent: the initiator notices first and stops. Each ``begin(_:with:offer:entropy:at:superseding:)``
/// that gives an answer lets the initiator check one guess, whether or not it ever confirms; a caller counts these.
///
/// - Spec: 802.11az-2022 §12.13; Wi-Fi Aware 4.0, pairing setup and pairing verification, responder.
public struct PASNResponder {
    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case waiting
        case answered(Answered)
        case authenticated(Authenticated)
        case failed(Failed)
    }

    private struct Answered {
        let request: [UInt8]
        let answer: [UInt8]
        let keys: PairingKeys
        let proof: Proof
        var givesUp: Instant
        var answers = 1
    }

    /// What the initiator's confirmation must prove.
    private enum Proof {
        case password(SAE.Agreement)
        /// The keys, by the MIC.
        case keys
    }

    private struct Authenticated {
        let request: [UInt8]
        let confirmation: [UInt8]
    }

    private struct Failed {
        /// A late repetition of it must not cost another guess.
        let request: [UInt8]
    }

    /// How long the initiator may think about an answer. Confirmations wait for a discovery window, half a second.
    static let patience = TimeUnits.seconds(3)
    /// The initiators that were seen repeat a request at most five times.
    static let answerLimit = 8

    public let own: MACAddress
    public let peer: MACAddress
    private var state = State.waiting

    public init(own: MACAddress, peer: MACAddress) {
        self.own = own
        self.peer = peer
    }

    /// When ``advance(to:)`` next has something to do. Nil unless an answer waits for its confirmation.
    public var deadline: Instant? {
        switch state {
        case .answered(let answered): answered.givesUp
        case .waiting, .authenticated, .failed: nil
        }
    }

    /// Whether `request` has been taken up before: then it costs no guess, whatever comes of it.
    public func isRepetition(_ request: PASNRequest) -> Bool {
        switch state {
        case .waiting: false
        case .answered(let answered): answered.request == request.octets
        case .authenticated(let authenticated): authenticated.request == request.octets
        case .failed(let failed): failed.request == request.octets
        }
    }

    /// Answers a request. One that was answered before gets the same answer again, and `credential` is not looked at.
    ///
    /// `superseding` lets another request take the place of an attempt that is under way, or of its success.
    /// Throws where the request is refused; nothing has changed then.
    public mutating func begin(
        _ request: PASNRequest, with credential: PairingCredential, offer: PairingOffer, entropy: any Entropy,
        at now: Instant, superseding: Bool = false
    ) throws(PairingRefusal) -> [PASNAction] {
        var actions: [PASNAction] = []
        switch state {
        case .waiting:
            break
        case .answered(let answered) where answered.request == request.octets:
            return try answerAgain(answered, at: now)
        case .answered:
            guard superseding else { throw .attemptUnderWay }
            actions = [.uninstall, .failed(.superseded)]
        case .authenticated(let authenticated):
            guard authenticated.request != request.octets else { throw .replayed }
            guard superseding else { throw .attemptUnderWay }
            actions = [.uninstall]
        case .failed(let failed):
            guard failed.request != request.octets else { throw .replayed }
        }
        let answered = try answer(request, with: credential, offer: offer, entropy: entropy, at: now)
        state = .answered(answered)
        return actions + [.install(answered.keys.nmTK), .send(answered.answer)]
    }

    /// Answers a request that was taken up before (``isRepetition(_:)``) once more, which tells nobody anything new.
    public mutating func repeatAnswer(
        to request: PASNRequest, at now: Instant
    ) throws(PairingRefusal) -> [PASNAction] {
        guard isRepetition(request) else { throw .unexpected }
        guard case .answered(let answered) = state else { throw .replayed }
        return try answerAgain(answered, at: now)
    }

    /// The radio has sent the answer: from now on it is the initiator that takes its time.
    public mutating func sent(at now: Instant) {
        guard case .answered(var answered) = state else { return }
        answered.givesUp = now + Self.patience
        state = .answered(answered)
    }

    /// Takes the body of an authentication frame that is not a request in: the confirmation (Auth3).
    ///
    /// Throws where the frame was passed over, and the attempt goes on as before.
    public mutating func receive(_ body: [UInt8]) throws(PairingRefusal) -> [PASNAction] {
        switch state {
        case .waiting, .failed:
            throw .unexpected
        case .authenticated(let authenticated):
            throw authenticated.confirmation == body ? .replayed : .unexpected
        case .answered(let answered):
            try Self.verify(try PASNConfirmation(parsing: body), answered)
            state = .authenticated(Authenticated(request: answered.request, confirmation: body))
            return [.authenticated(answered.keys)]
        }
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [PASNAction] {
        guard case .answered(let answered) = state, answered.givesUp <= now else { return [] }
        return fail(answered, .noAnswer)
    }

    /// Gives an attempt that is under way up. After a success the keys are the caller's to remove.
    public mutating func stop() -> [PASNAction] {
        guard case .answered(let answered) = state else { return [] }
        return fail(answered, .stopped)
    }

    /// The body of an answer that tells an initiator at once that it is refused.
    public static func refusal(status: AuthenticationFrame.Status, offer: PairingOffer) -> [UInt8] {
        PASNFrame.body(sequence: 2, status: status, [PASNNANElement.element(offer)])
    }

    // MARK: Parts

    private mutating func fail(_ answered: Answered, _ refusal: PairingRefusal) -> [PASNAction] {
        state = .failed(Failed(request: answered.request))
        return [.uninstall, .failed(refusal)]
    }

    private mutating func answerAgain(
        _ answered: Answered, at now: Instant
    ) throws(PairingRefusal) -> [PASNAction] {
        guard answered.answers < Self.answerLimit else { throw .repeatedTooOften }
        var answered = answered
        answered.answers += 1
        answered.givesUp = max(answered.givesUp, now + Self.patience)
        state = .answered(answered)
        return [.send(answered.answer)]
    }

    private func answer(
        _ request: PASNRequest, with credential: PairingCredential, offer: PairingOffer, entropy: any Entropy,
        at now: Instant
    ) throws(PairingRefusal) -> Answered {
        switch (request.proof, credential) {
        case (.setup(let commit), .password(let password, let bootstrapping)):
            let sae = SAE(
                group: PASNFrame.group, password: password.secret, own: own, peer: peer, entropy: entropy)
            let agreement = try PASNFrame.agree(sae, with: commit)
            let wrapped = PASNAnswer.Wrapped(
                commit: SAECommit(sae), confirm: SAEConfirm(of: agreement), pmkid: agreement.pmkid)
            return try answer(
                request, .bootstrapping(bootstrapping), wrapped: wrapped, pmk: agreement.pmk,
                proof: .password(agreement), offer: offer, entropy: entropy, at: now)
        case (.verification(let resolution), .paired(let npk, let peerNIK, let own)):
            guard Identity.resolves(resolution, from: peer, by: peerNIK) else { throw .unknownIdentity }
            return try answer(
                request, .identity(own), wrapped: nil, pmk: npk, proof: .keys, offer: offer, entropy: entropy,
                at: now)
        case (.opportunistic, _):
            throw .opportunistic
        case (.setup, .paired), (.verification, .password):
            throw .wrongPurpose
        }
    }

    private func answer(
        _ request: PASNRequest, _ basis: PASNNANElement.Basis, wrapped: PASNAnswer.Wrapped?, pmk: Key,
        proof: Proof,
        offer: PairingOffer, entropy: any Entropy, at now: Instant
    ) throws(PairingRefusal) -> Answered {
        let ephemeral = EphemeralKey(group: PASNFrame.group, entropy: entropy)
        let keys = try PASNFrame.keys(
            pmk: pmk, PairingParties(initiator: peer, responder: own), ephemeral, with: request.publicKey)
        let body = PASNAnswer.body(offer, basis, wrapped: wrapped, publicKey: ephemeral.publicKey, keys: keys)
        return Answered(
            request: request.octets, answer: body, keys: keys, proof: proof, givesUp: now + Self.patience)
    }

    /// Throws where the confirmation proves nothing. Both proofs are computed in any case, each compared in constant
    /// time.
    private static func verify(
        _ confirmation: PASNConfirmation, _ answered: Answered
    ) throws(PairingRefusal) {
        let mic = answered.keys.confirmationMIC(request: answered.request, body: confirmation.zeroed)
        let isAuthentic = constantTimeEqual(mic, confirmation.mic)
        switch (answered.proof, confirmation.confirm) {
        case (.password(let agreement), let confirm?):
            guard agreement.isConfirmed(by: confirm.proof, sendConfirm: confirm.sendConfirm) else {
                throw .wrongPIN
            }
        case (.password, nil):
            throw .missing(.wrappedData)
        case (.keys, nil):
            break
        case (.keys, _?):
            throw .misplaced(.wrappedData)
        }
        guard isAuthentic else { throw .badMIC }
    }
}
