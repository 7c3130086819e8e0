import Crypto
public import Frames
public import Wire

/// What an exchange of identity keys asks for.
public enum IdentityKeyAction: Sendable {
    /// Send a follow-up with this descriptor, encrypted with NM-TK. It also carries our identity resolution, without
    /// which phones do not keep the pairing.
    case send(SharedKeyDescriptor)
    /// The responder may have missed our confirmation (Auth3): send it once more, before what follows.
    case confirmAgain
    /// Both sides can store the pairing. Once in an exchange.
    case exchanged(PeerIdentity)
    /// The exchange is over; the pairing holds until the peers part.
    case failed(PairingRefusal)
}

/// What both sides of the exchange say of themselves.
public struct IdentityKeyOffer: Sendable {
    public var identity: Identity
    /// How long we keep the pairing, in seconds. Some implementations take zero for ever, others for no time at all.
    public var lifetime: UInt32
    public var publish: UInt8

    public static let tenYears: UInt32 = 10 * 365 * 86_400

    public init(identity: Identity, lifetime: UInt32 = tenYears, publish: UInt8) {
        self.identity = identity
        self.lifetime = lifetime
        self.publish = publish
    }

    func descriptor(_ layout: IdentityKeyLayout, _ keys: PairingKeys) -> SharedKeyDescriptor {
        IdentityKeyMessage.descriptor(
            of: identity, lifetime: lifetime, publish: publish, layout: layout, keys: keys)
    }

    /// The peer's identity. Our own, sent back, would make us take ourselves for a peer.
    func peer(
        in descriptor: SharedKeyDescriptor, _ keys: PairingKeys
    ) throws(PairingRefusal) -> PeerIdentity {
        let peer = try IdentityKeyMessage.read(descriptor, keys: keys)
        guard !peer.identity.nik.secret.isEqual(to: identity.nik.secret) else { throw .reflected }
        return peer
    }
}

/// The responder of the identity key exchange: waits for the initiator's key and answers with ours.
///
/// Legal transitions: `waiting ─key→ exchanged`, `waiting ─time-out→ failed`.
///
/// Only descriptors of encrypted frames belong here. Their replay counter is always zero, so a replay cannot be told
/// from a repetition: it is answered again and changes nothing.
///
/// - Spec: Wi-Fi Aware 4.0, pairing setup, exchange of NIK.
public struct IdentityKeyResponder: Sendable {
    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case waiting(until: Instant)
        case exchanged(Identity)
        case failed
    }

    /// Phones were seen to send their key 2.6 s after the keys, and to give up if torn down at 2 s.
    static let patience = TimeUnits.seconds(8)

    private let keys: PairingKeys
    private let offer: IdentityKeyOffer
    private var state: State

    /// Begins to wait at `now`, when the peer was authenticated.
    public init(keys: PairingKeys, offer: IdentityKeyOffer, at now: Instant) {
        self.keys = keys
        self.offer = offer
        state = .waiting(until: now + Self.patience)
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch state {
        case .waiting(let until): until
        case .exchanged, .failed: nil
        }
    }

    /// Answers in the layout that the initiator uses. Throws where the descriptor is refused; nothing changes then.
    public mutating func receive(_ descriptor: SharedKeyDescriptor) throws(PairingRefusal)
        -> [IdentityKeyAction]
    {
        switch state {
        case .failed:
            throw .unexpected
        case .waiting:
            let peer = try offer.peer(in: descriptor, keys)
            state = .exchanged(peer.identity)
            return [answer(to: descriptor), .exchanged(peer)]
        case .exchanged(let identity):
            let peer = try offer.peer(in: descriptor, keys)
            guard peer.identity.nik.secret.isEqual(to: identity.nik.secret) else { throw .identityChanged }
            return [answer(to: descriptor)]
        }
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [IdentityKeyAction] {
        guard case .waiting(let until) = state, until <= now else { return [] }
        state = .failed
        return [.failed(.noIdentityKey)]
    }

    private func answer(to descriptor: SharedKeyDescriptor) -> IdentityKeyAction {
        .send(offer.descriptor(IdentityKeyLayout(of: descriptor), keys))
    }
}

/// The initiator of the identity key exchange: sends our key, repeats it, and takes the responder's in.
///
/// Legal transitions: `asking ─key→ exchanged`, `asking ─time-out→ failed`.
///
/// - Spec: Wi-Fi Aware 4.0, pairing setup, exchange of NIK.
public struct IdentityKeyInitiator: Sendable {
    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case asking(Asking)
        case exchanged
        case failed
    }

    private struct Asking {
        var sent = 0
        var continues: Instant
    }

    /// The responder's radio needs a moment to take the key in.
    static let respite = TimeUnits.milliseconds(50)
    /// An answer comes within one discovery window, 0.5 s, or two.
    static let repetition = TimeUnits.milliseconds(1_200)
    static let sendLimit = 5

    private let keys: PairingKeys
    private let offer: IdentityKeyOffer
    private let layout: IdentityKeyLayout
    private var state: State

    /// Begins at `now`, when our confirmation (Auth3) went out; the first descriptor follows after a moment.
    public init(
        keys: PairingKeys, offer: IdentityKeyOffer, layout: IdentityKeyLayout = .phone, at now: Instant
    ) {
        self.keys = keys
        self.offer = offer
        self.layout = layout
        state = .asking(Asking(continues: now + Self.respite))
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch state {
        case .asking(let asking): asking.continues
        case .exchanged, .failed: nil
        }
    }

    /// Throws where the descriptor is refused; nothing changes then.
    public mutating func receive(_ descriptor: SharedKeyDescriptor) throws(PairingRefusal)
        -> [IdentityKeyAction]
    {
        switch state {
        case .failed:
            throw .unexpected
        case .exchanged:
            throw .replayed
        case .asking(let asking):
            guard asking.sent > 0 else { throw .unexpected }
            let peer = try offer.peer(in: descriptor, keys)
            state = .exchanged
            return [.exchanged(peer)]
        }
    }

    /// Lets time pass. A repetition comes with the confirmation, because a responder that missed that one cannot
    /// take the key.
    public mutating func advance(to now: Instant) -> [IdentityKeyAction] {
        guard case .asking(var asking) = state, asking.continues <= now else { return [] }
        guard asking.sent < Self.sendLimit else {
            state = .failed
            return [.failed(.noIdentityKey)]
        }
        asking.sent += 1
        asking.continues = now + Self.repetition
        state = .asking(asking)
        let send = IdentityKeyAction.send(offer.descriptor(layout, keys))
        return asking.sent == 1 ? [send] : [.confirmAgain, send]
    }
}
