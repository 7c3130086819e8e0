public import Crypto
public import Frames
import Ports
public import Wire

/// The phone's side of one data path with a paired publisher, from the request (M1) to its end.
///
/// Answers that are wrong are refused and the right one is still awaited: anybody could have sent them. The last
/// message is repeated until its answer comes or the time is up.
///
/// Legal transitions:
///
///     ready ─start→ requesting ─M2→ confirming ─M4→ established
///                       │                │               │
///                       └── rejection, silence, end ─→ ended
public struct DataPathInitiator {
    /// The publisher that is asked.
    public struct Peer: Equatable, Sendable {
        /// Its management interface.
        public var address: MACAddress
        /// What its publish said. Without it the older attribute is used, which every device knows.
        public var capability: DeviceCapability?
        public var availability: PeerAvailability?

        public init(address: MACAddress, capability: DeviceCapability?, availability: PeerAvailability?) {
            self.address = address
            self.capability = capability
            self.availability = availability
        }
    }

    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case ready
        case requesting(Requesting)
        case confirming(Confirming)
        case established(DataPathFacts)
        case ended
    }

    private struct Requesting {
        var request: PendingMessage
        let nonce: [UInt8]
    }

    private struct Confirming {
        /// M2 and M3.
        let response: DataPathResponse
        var confirm: PendingMessage
        let availability: PeerAvailability
    }

    public let name: DataPathName
    public let peer: Peer
    /// May change while the machine lives: the schedule does.
    public var own: DataPathEnd { didSet { frames.own = own } }

    private let service: DataPathService
    private let suite: CipherSuite
    private let algorithms: DataPathAlgorithms
    private let master: Key
    private let entropy: any Entropy
    private var frames: DataPathFrames
    private var state = State.ready

    /// - Parameters:
    ///   - identifier: different from those of other data paths with the same peer; 1 … 255.
    ///   - service: the peer's, by its publish id; where it listens is learnt from the answer.
    ///   - suite: 1 or 7 (``CipherSuite/sharedKey128``, ``CipherSuite/pasn128``), as the peer publishes.
    ///   - master: the ND-PMK of the pairing with the peer.
    ///   - isProtected: whether frames to the peer are encrypted with a pairing key.
    /// - Throws: ``DataPathRefusal/unsupportedSuite``.
    public init(
        identifier: UInt8, peer: Peer, service: DataPathService, own: DataPathEnd, suite: CipherSuite,
        master: Key,
        isProtected: Bool, entropy: any Entropy
    ) throws(DataPathRefusal) {
        guard suite == .sharedKey128 || suite == .pasn128, let algorithms = DataPathAlgorithms(suite) else {
            throw .unsupportedSuite
        }
        name = DataPathName(initiator: own.dataInterface, identifier: identifier)
        self.peer = peer
        self.own = own
        self.service = service
        self.suite = suite
        self.algorithms = algorithms
        self.master = master
        self.entropy = entropy
        let isExtended = peer.capability?.capabilities.contains(.dataPathExtension) ?? false
        frames = DataPathFrames(
            own: own, name: name, dialogToken: max(1, UInt8(truncatingIfNeeded: entropy.number64())),
            publish: service.publish, form: isExtended ? .extended : .plain, isProtected: isProtected)
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch state {
        case .ready, .established, .ended: nil
        case .requesting(let requesting): requesting.request.deadline
        case .confirming(let confirming): confirming.confirm.deadline
        }
    }

    /// Of the data path, once it carries traffic.
    public var facts: DataPathFacts? {
        switch state {
        case .ready, .requesting, .confirming, .ended: nil
        case .established(let facts): facts
        }
    }

    public var isOver: Bool {
        switch state {
        case .ended: true
        case .ready, .requesting, .confirming, .established: false
        }
    }

    /// Asks for the data path.
    public mutating func start(at now: Instant) -> [DataPathAction] {
        guard case .ready = state else { die("a data path is asked for twice") }
        let nonce = entropy.octets(32)
        let request = frames.request(
            DataPathFrames.Security(
                suite: suite,
                keyIdentifier: algorithms.identifier(
                    of: master, initiator: own.profile.address, responder: peer.address,
                    service: service.identifier),
                descriptor: SharedKeyDescriptor(
                    publish: service.publish, info: MessageFlags.first.required, keyLength: 0,
                    replayCounter: 1,
                    nonce: nonce, mic: algorithms.emptyCode)),
            items: own.items(), idlePeriod: own.idlePeriod)
        state = .requesting(
            Requesting(
                request: PendingMessage(
                    request, limit: DataPathTiming.answerLimit, interval: DataPathTiming.requestInterval,
                    at: now),
                nonce: nonce))
        guard let availability = peer.availability else { return [.send(request)] }
        return [.setPeerSchedule(availability.schedule), .send(request)]
    }

    /// Takes in a frame of the peer's about this data path.
    public mutating func receive(
        _ received: ReceivedAction, at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let message = try DataPathMessage(received)
        guard message.name == name else { throw .otherDataPath }
        if frames.isProtected, !received.isProtected { throw .unprotected }
        switch message.head.kind {
        case .response: return try receiveResponse(message, at: now)
        case .securityInstall: return try receiveKeyInstall(message)
        case .terminate: return try receiveTermination(message)
        case .request, .confirm: throw .unexpected(message.subtype)
        }
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [DataPathAction] {
        switch state {
        case .ready, .established, .ended:
            return []
        case .requesting(var requesting):
            guard now < requesting.request.givesUp else { return fallSilent(missing: .dataPathResponse) }
            guard let request = requesting.request.repetition(at: now) else { return [] }
            state = .requesting(requesting)
            return [.send(request)]
        case .confirming(var confirming):
            guard now < confirming.confirm.givesUp else { return fallSilent(missing: .dataPathKeyInstall) }
            guard let confirm = confirming.confirm.repetition(at: now) else { return [] }
            state = .confirming(confirming)
            return [.send(confirm)]
        }
    }

    /// Ends the data path, or the attempt at one, from our side.
    public mutating func stop(_ ending: DataPathEnding = .stopped) -> [DataPathAction] {
        defer { state = .ended }
        switch state {
        case .ready: return [.ended(ending)]
        case .requesting, .confirming: return [.send(frames.termination()), .ended(ending)]
        case .established(let facts):
            return [.send(frames.termination()), .close(facts.peerDataInterface), .ended(ending)]
        case .ended: return []
        }
    }

    private mutating func fallSilent(missing: ActionFrame.Subtype) -> [DataPathAction] {
        state = .ended
        return [.send(frames.termination()), .ended(.silence(missing: missing))]
    }
}

// MARK: M2

extension DataPathInitiator {
    private mutating func receiveResponse(
        _ message: DataPathMessage, at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        switch state {
        case .ready:
            throw .unexpected(message.subtype)
        case .requesting(let requesting):
            guard message.head.dialogToken == frames.dialogToken else { throw .otherDataPath }
            if let reason = rejection(in: message) {
                state = .ended
                return [.ended(.rejected(reason))]
            }
            return try confirm(message, requesting, at: now)
        case .confirming(let confirming):
            guard message.received.body == confirming.response.body else {
                throw .unexpected(message.subtype)
            }
            return [.send(confirming.confirm.body)]
        case .established:
            throw .unexpected(message.subtype)
        case .ended:
            throw .over
        }
    }

    /// Either the data path or the schedule under it may be rejected.
    private func rejection(in message: DataPathMessage) -> Reason? {
        if message.head.status == .rejected { return message.head.reason }
        if let link = message.received.dataLink, link.status == .rejected { return link.reason }
        return nil
    }

    private mutating func confirm(
        _ message: DataPathMessage, _ requesting: Requesting, at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let response = try DataPathResponse(
            message, to: own, from: peer.address, service: service, algorithms, master: master,
            nonce: requesting.nonce)
        let availability = PeerAvailability(in: message.received.frame, on: own.profile.availability.channel)
        guard let availability, availability.common(with: own.profile.availability) != 0 else {
            // Nobody else sent this, so that waiting for another answer is vain.
            state = .ended
            return [.send(frames.termination(.invalidAvailability)), .ended(.unusable(.noCommonSlots))]
        }
        var body = frames.confirm(
            SharedKeyDescriptor(
                publish: service.publish, info: MessageFlags.third.required, keyLength: 0, replayCounter: 2,
                nonce: requesting.nonce, mic: algorithms.emptyCode),
            agreement: agreement(
                to: message.received, common: availability.common(with: own.profile.availability)))
        response.keys.sign(&body, prefix: algorithms.token(ofRequest: requesting.request.body))
        state = .confirming(
            Confirming(
                response: response,
                confirm: PendingMessage(
                    body, limit: DataPathTiming.messageLimit, interval: DataPathTiming.messageInterval,
                    at: now),
                availability: availability))
        return [.setPeerSchedule(availability.schedule), .send(body)]
    }

    /// A schedule that the peer changed is a proposal, to which we have to agree.
    private func agreement(to received: ReceivedAction, common: UInt32) -> DataCluster? {
        guard let link = received.dataLink, link.status == .continued else { return nil }
        return DataCluster(
            meetingIn: common, proposal: received.dataCluster, fresh: MACAddress(random: entropy.number64()))
    }
}

// MARK: M4 and the end

extension DataPathInitiator {
    private mutating func receiveKeyInstall(_ message: DataPathMessage) throws(DataPathRefusal)
        -> [DataPathAction]
    {
        switch state {
        case .ready, .requesting:
            throw .unexpected(message.subtype)
        case .confirming(let confirming):
            let descriptor = try message.keyDescriptor(.fourth)
            guard descriptor.nonce == confirming.response.nonce else { throw .wrongNonce }
            guard confirming.response.keys.verify(message.received.body) else { throw .wrongCode }
            guard descriptor.replayCounter == 2 else { throw .replayed(descriptor.replayCounter) }
            guard confirming.response.keys.canRead(descriptor) else { throw .unreadableKeyData }
            guard message.head.status != .rejected else {
                state = .ended
                return [.ended(.rejected(message.head.reason))]
            }
            state = .established(confirming.response.facts)
            let availability =
                PeerAvailability(in: message.received.frame, on: own.profile.availability.channel)
                ?? confirming.availability
            let isUsable = availability.common(with: own.profile.availability) != 0
            return [
                .setPeerSchedule((isUsable ? availability : confirming.availability).agreedSchedule),
                .open(confirming.response.peer, key: confirming.response.keys.temporal),
                .established(confirming.response.facts),
            ]
        case .established:
            return []
        case .ended:
            throw .over
        }
    }

    private mutating func receiveTermination(_ message: DataPathMessage) throws(DataPathRefusal)
        -> [DataPathAction]
    {
        let ending = DataPathAction.ended(.terminatedByPeer(message.head.reason))
        switch state {
        case .ready:
            throw .unexpected(message.subtype)
        case .requesting, .confirming:
            state = .ended
            return [ending]
        case .established(let facts):
            state = .ended
            return [.close(facts.peerDataInterface), ending]
        case .ended:
            throw .over
        }
    }
}
