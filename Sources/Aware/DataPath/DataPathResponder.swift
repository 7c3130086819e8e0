public import Crypto
public import Frames
import Ports
public import Wire

/// The accessory's side of one data path with one paired peer, from the request (M1) to its end.
///
/// Only data paths that are encrypted with keys from the pairing are agreed to; there is no open one. A request that
/// is refused is thrown back: its ``DataPathRefusal/reason`` says what ``rejection(of:reason:as:)`` should answer.
/// Keys are installed once for every pair of nonces, however often M3 comes. A peer that lost its memory may ask
/// again by the same name: the old data path goes when the new one is proven, not before.
///
/// Legal transitions:
///
///     waiting ─M1→ negotiating ─M3→ established ─M1→ renegotiating ─M3→ established
///                       │                ↑  │     silence │
///                       │                └──┼─────────────┘
///                       └──silence, end→ ended ←end
public struct DataPathResponder {
    private enum State {
        case waiting
        case negotiating(Negotiation)
        case established(Established)
        case renegotiating(Established, Negotiation)
        case ended
    }

    private struct Negotiation {
        /// M1 and M2.
        let request: [UInt8]
        var response: PendingMessage
        let frames: DataPathFrames
        let keys: DataPathKeys
        let token: [UInt8]
        let initiatorNonce: [UInt8]
        let responderNonce: [UInt8]
        let replayCounter: UInt64
        let availability: PeerAvailability
        let facts: DataPathFacts
        let peer: DataPeer
    }

    private struct Established {
        let negotiation: Negotiation
        /// M3 and M4.
        var confirm: [UInt8]
        var keyInstall: [UInt8]
        var replayCounter: UInt64
    }

    public let name: DataPathName
    /// The initiator's management interface.
    public let peer: MACAddress
    /// May change while the machine lives: the schedule does.
    public var own: DataPathEnd

    private let services: [DataPathService]
    private let master: Key
    private let entropy: any Entropy
    private var state = State.waiting

    /// - Parameters:
    ///   - name: as the request has it (``DataPathName/init(of:)``).
    ///   - services: all that may be asked for.
    ///   - master: the ND-PMK of the pairing with the peer.
    public init(
        name: DataPathName, peer: MACAddress, own: DataPathEnd, services: [DataPathService], master: Key,
        entropy: any Entropy
    ) {
        self.name = name
        self.peer = peer
        self.own = own
        self.services = services
        self.master = master
        self.entropy = entropy
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch state {
        case .waiting, .established, .ended: nil
        case .negotiating(let negotiation), .renegotiating(_, let negotiation): negotiation.response.deadline
        }
    }

    /// Of the data path that carries traffic.
    public var facts: DataPathFacts? {
        switch state {
        case .waiting, .negotiating, .ended: nil
        case .established(let established), .renegotiating(let established, _): established.negotiation.facts
        }
    }

    public var isOver: Bool {
        switch state {
        case .ended: true
        case .waiting, .negotiating, .established, .renegotiating: false
        }
    }

    /// Takes in a frame of the peer's about this data path.
    public mutating func receive(
        _ received: ReceivedAction, at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let message = try DataPathMessage(received)
        guard message.name == name else { throw .otherDataPath }
        if isProtectionExpected, !received.isProtected { throw .unprotected }
        switch message.head.kind {
        case .request: return try receiveRequest(message, at: now)
        case .confirm: return try receiveConfirm(message)
        case .terminate: return try receiveTermination(message)
        case .response, .securityInstall: throw .unexpected(message.subtype)
        }
    }

    /// Lets time pass. A peer that does not confirm in time is told that it is over.
    public mutating func advance(to now: Instant) -> [DataPathAction] {
        switch state {
        case .waiting, .established, .ended:
            return []
        case .negotiating(var negotiation):
            guard now < negotiation.response.givesUp else {
                state = .ended
                return [.send(negotiation.frames.termination()), .ended(.silence(missing: .dataPathConfirm))]
            }
            guard let response = negotiation.response.repetition(at: now) else { return [] }
            state = .negotiating(negotiation)
            return [.send(response)]
        case .renegotiating(let established, var negotiation):
            guard now < negotiation.response.givesUp else {
                state = .established(established)
                return []
            }
            guard let response = negotiation.response.repetition(at: now) else { return [] }
            state = .renegotiating(established, negotiation)
            return [.send(response)]
        }
    }

    /// Ends the data path, or the attempt at one, from our side.
    public mutating func stop(_ ending: DataPathEnding = .stopped) -> [DataPathAction] {
        defer { state = .ended }
        switch state {
        case .waiting:
            return [.ended(ending)]
        case .negotiating(let negotiation):
            return [.send(negotiation.frames.termination()), .ended(ending)]
        case .established(let established), .renegotiating(let established, _):
            return [
                .send(established.negotiation.frames.termination()), .close(name.initiator), .ended(ending),
            ]
        case .ended:
            return []
        }
    }

    /// What to answer to a request that is refused: nothing of ours but who we are. Nil where it is no request.
    public static func rejection(of received: ReceivedAction, reason: Reason, as own: DataPathEnd) -> [UInt8]?
    {
        guard let message = try? DataPathMessage(received), message.head.kind == .request else { return nil }
        let publish = message.head.publish ?? 0
        var echoed: [Attribute] = []
        if let suite = received.cipherSuites?.entries.first {
            echoed.append(.cipherSuiteInformation(CipherSuiteInformation(entries: [suite])))
        }
        if let context = received.securityContexts?.entries.first, context.identifier.count == 16 {
            echoed.append(.securityContextInformation(SecurityContextInformation(entries: [context])))
        }
        let frames = DataPathFrames(
            own: own, name: message.name, dialogToken: message.head.dialogToken, publish: publish,
            form: message.form, isProtected: received.isProtected)
        return frames.rejection(reason, echoed: echoed)
    }

    /// What began encrypted goes on encrypted.
    private var isProtectionExpected: Bool {
        switch state {
        case .waiting, .ended: false
        case .negotiating(let negotiation): negotiation.frames.isProtected
        case .established(let established), .renegotiating(let established, _):
            established.negotiation.frames.isProtected
        }
    }
}

// MARK: M1

extension DataPathResponder {
    private mutating func receiveRequest(
        _ message: DataPathMessage, at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        switch state {
        case .waiting:
            let negotiation = try negotiate(message, at: now)
            state = .negotiating(negotiation)
            return answer(negotiation)
        case .negotiating(let current):
            if current.request == message.received.body { return answer(current) }
            let negotiation = try negotiate(message, at: now)
            state = .negotiating(negotiation)
            return answer(negotiation)
        case .established(let established):
            guard established.negotiation.request != message.received.body else { return [] }
            let negotiation = try negotiate(message, at: now)
            state = .renegotiating(established, negotiation)
            return answer(negotiation)
        case .renegotiating(let established, let current):
            guard established.negotiation.request != message.received.body else { return [] }
            if current.request == message.received.body { return answer(current) }
            let negotiation = try negotiate(message, at: now)
            state = .renegotiating(established, negotiation)
            return answer(negotiation)
        case .ended:
            throw .over
        }
    }

    private func answer(_ negotiation: Negotiation) -> [DataPathAction] {
        [.setPeerSchedule(negotiation.availability.schedule), .send(negotiation.response.body)]
    }

    /// Everything that M1 has to have, and what it makes.
    private func negotiate(_ message: DataPathMessage, at now: Instant) throws(DataPathRefusal) -> Negotiation
    {
        let received = message.received
        guard message.head.control.contains(.securityPresent) else { throw .open }
        guard let publish = message.head.publish else { throw .unknownService(0) }
        guard let service = services.first(where: { $0.publish == publish }) else {
            throw .unknownService(publish)
        }
        guard name.initiator.isPossible(besides: own.dataInterface) else { throw .invalidAddress }
        let interfaceIdentifier = message.interfaceIdentifier(of: name.initiator)
        guard interfaceIdentifier != own.interfaceIdentifier else { throw .invalidAddress }
        let suite = try chooseSuite(of: received)
        guard let algorithms = DataPathAlgorithms(suite) else { throw .unsupportedSuite }
        let keyIdentifier = try checkKey(of: received, service: service, algorithms)
        let descriptor = try message.keyDescriptor(.first)
        let availability = try checkTime(of: received)
        let common = availability.common(with: own.profile.availability)
        let idlePeriod = own.agreedIdlePeriod(with: received.dataLink?.idlePeriod)

        let nonce = entropy.octets(32)
        let keys = DataPathKeys(
            algorithms, master: master, initiator: name.initiator, responder: own.dataInterface,
            initiatorNonce: descriptor.nonce, responderNonce: nonce)
        let frames = DataPathFrames(
            own: own, name: name, dialogToken: message.head.dialogToken, publish: publish, form: message.form,
            isProtected: received.isProtected)
        var response = frames.response(
            DataPathFrames.Security(
                suite: suite, keyIdentifier: keyIdentifier,
                descriptor: SharedKeyDescriptor(
                    publish: publish, info: MessageFlags.second.required, keyLength: 0,
                    replayCounter: descriptor.replayCounter, nonce: nonce, mic: algorithms.emptyCode)),
            items: own.items(offering: service), idlePeriod: idlePeriod,
            cluster: DataCluster(
                meetingIn: common, proposal: received.dataCluster,
                fresh: MACAddress(random: entropy.number64())))
        keys.sign(&response)

        return Negotiation(
            request: received.body,
            response: PendingMessage(
                response, limit: DataPathTiming.messageLimit, interval: DataPathTiming.messageInterval,
                at: now),
            frames: frames, keys: keys, token: algorithms.token(ofRequest: received.body),
            initiatorNonce: descriptor.nonce, responderNonce: nonce, replayCounter: descriptor.replayCounter,
            availability: availability,
            facts: DataPathFacts(
                name: name, peer: peer, peerDataInterface: name.initiator,
                peerInterfaceIdentifier: interfaceIdentifier, publish: publish, suite: suite,
                peerPort: message.port, peerTransport: message.transport, idlePeriod: idlePeriod),
            peer: DataPeer(
                address: name.initiator, management: peer, interfaceIdentifier: interfaceIdentifier,
                ports: message.port.map { [$0] } ?? [],
                htCapabilities: received.element(.htCapabilities, count: 26),
                vhtCapabilities: received.element(.vhtCapabilities, count: 12), idlePeriod: idlePeriod))
    }

    private func chooseSuite(of received: ReceivedAction) throws(DataPathRefusal) -> CipherSuite {
        guard let offered = received.cipherSuites else { throw .missing(.cipherSuiteInformation) }
        for entry in offered.entries where entry.suite == .pasn128 || entry.suite == .sharedKey128 {
            return entry.suite
        }
        throw .unsupportedSuite
    }

    /// The identifier of our key as the peer computed it. One that sends none will be found out by its MIC.
    private func checkKey(
        of received: ReceivedAction, service: DataPathService, _ algorithms: DataPathAlgorithms
    ) throws(DataPathRefusal) -> [UInt8] {
        let contexts = received.securityContexts?.entries ?? []
        guard !contexts.isEmpty else {
            return algorithms.identifier(
                of: master, initiator: peer, responder: own.profile.address, service: service.identifier)
        }
        for context in contexts {
            if algorithms.names(
                context.identifier, master, initiator: peer, responder: own.profile.address,
                service: service.identifier)
            {
                return context.identifier
            }
        }
        throw .unknownKey
    }

    private func checkTime(of received: ReceivedAction) throws(DataPathRefusal) -> PeerAvailability {
        let channel = own.profile.availability.channel
        guard let availability = PeerAvailability(in: received.frame, on: channel) else {
            throw .missing(.availability)
        }
        let common = availability.common(with: own.profile.availability)
        guard common != 0 else { throw .noCommonSlots }
        if let quality = received.dataLinkQoS, !quality.isMet(by: common) { throw .insufficientSlots }
        return availability
    }
}

// MARK: M3 and the end

extension DataPathResponder {
    private mutating func receiveConfirm(_ message: DataPathMessage) throws(DataPathRefusal)
        -> [DataPathAction]
    {
        switch state {
        case .waiting:
            throw .unexpected(message.subtype)
        case .negotiating(let negotiation):
            return try establish(negotiation, by: message)
        case .established(let established):
            return try repeatKeyInstall(of: established, for: message)
        case .renegotiating(let established, let negotiation):
            if message.received.sharedKeyDescriptor?.nonce == established.negotiation.initiatorNonce {
                return try repeatKeyInstall(of: established, for: message)
            }
            return [.close(name.initiator)] + (try establish(negotiation, by: message))
        case .ended:
            throw .over
        }
    }

    /// M3, wholly checked before anything is done about it.
    private func verify(
        _ message: DataPathMessage, in negotiation: Negotiation
    ) throws(DataPathRefusal) -> SharedKeyDescriptor {
        let descriptor = try message.keyDescriptor(.third)
        guard descriptor.nonce == negotiation.initiatorNonce else { throw .wrongNonce }
        guard negotiation.keys.verify(message.received.body, prefix: negotiation.token) else {
            throw .wrongCode
        }
        guard descriptor.replayCounter > negotiation.replayCounter else {
            throw .replayed(descriptor.replayCounter)
        }
        guard negotiation.keys.canRead(descriptor) else { throw .unreadableKeyData }
        return descriptor
    }

    private mutating func establish(
        _ negotiation: Negotiation, by message: DataPathMessage
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let descriptor = try verify(message, in: negotiation)
        guard message.head.status != .rejected else {
            state = .ended
            return [.ended(.rejected(message.head.reason))]
        }
        let availability =
            PeerAvailability(in: message.received.frame, on: own.profile.availability.channel)
            ?? negotiation.availability
        let final =
            availability.common(with: own.profile.availability) == 0 ? negotiation.availability : availability
        let keyInstall = self.keyInstall(negotiation, replayCounter: descriptor.replayCounter)
        state = .established(
            Established(
                negotiation: negotiation, confirm: message.received.body, keyInstall: keyInstall,
                replayCounter: descriptor.replayCounter))
        return [
            .setPeerSchedule(final.agreedSchedule), .send(keyInstall),
            .open(negotiation.peer, key: negotiation.keys.temporal), .established(negotiation.facts),
        ]
    }

    /// The peer did not get M4. The keys stay as they are: installed again they would begin to count anew.
    private mutating func repeatKeyInstall(
        of established: Established, for message: DataPathMessage
    ) throws(DataPathRefusal) -> [DataPathAction] {
        if message.received.body == established.confirm { return [.send(established.keyInstall)] }
        let descriptor = try verify(message, in: established.negotiation)
        guard descriptor.replayCounter > established.replayCounter else {
            throw .replayed(descriptor.replayCounter)
        }
        var renewed = established
        renewed.confirm = message.received.body
        renewed.keyInstall = keyInstall(established.negotiation, replayCounter: descriptor.replayCounter)
        renewed.replayCounter = descriptor.replayCounter
        if case .renegotiating(_, let negotiation) = state {
            state = .renegotiating(renewed, negotiation)
        } else {
            state = .established(renewed)
        }
        return [.send(renewed.keyInstall)]
    }

    private func keyInstall(_ negotiation: Negotiation, replayCounter: UInt64) -> [UInt8] {
        var body = negotiation.frames.keyInstall(
            SharedKeyDescriptor(
                publish: negotiation.facts.publish, info: MessageFlags.fourth.required, keyLength: 0,
                replayCounter: replayCounter, nonce: negotiation.responderNonce,
                mic: negotiation.keys.emptyCode))
        negotiation.keys.sign(&body)
        return body
    }

    private mutating func receiveTermination(_ message: DataPathMessage) throws(DataPathRefusal)
        -> [DataPathAction]
    {
        let ending = DataPathAction.ended(.terminatedByPeer(message.head.reason))
        switch state {
        case .waiting:
            throw .unexpected(message.subtype)
        case .negotiating:
            state = .ended
            return [ending]
        case .established, .renegotiating:
            state = .ended
            return [.close(name.initiator), ending]
        case .ended:
            throw .over
        }
    }
}
