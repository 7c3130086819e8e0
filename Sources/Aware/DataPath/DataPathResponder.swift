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
    // Boxed: large, and copied with whatever holds it.
    private indirect enum State {
        case waiting
        case negotiating(DataPathNegotiation)
        case established(Established)
        case renegotiating(Established, DataPathNegotiation)
        case ended
    }

    private struct Established {
        let negotiation: DataPathNegotiation
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
        case .established(let established), .renegotiating(let established, _):
            established.negotiation.request.facts
        }
    }

    public var isOver: Bool {
        switch state {
        case .ended: true
        case .waiting, .negotiating, .established, .renegotiating: false
        }
    }

    /// Takes in a frame of the peer's about this data path.
    ///
    /// - Parameter others: the data paths of other peers, whose interface and address this one must not claim.
    public mutating func receive(
        _ received: ReceivedAction, besides others: [DataPathFacts] = [], at now: Instant
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let message = try DataPathMessage(received)
        guard message.name == name else { throw .otherDataPath }
        if isProtectionExpected, !received.isProtected { throw .unprotected }
        switch message.head.kind {
        case .request:
            try check(message, besides: others)
            return try receiveRequest(message, at: now)
        case .confirm:
            if let facts = negotiated { try Self.check(facts, besides: others) }
            return try receiveConfirm(message)
        case .terminate: return try receiveTermination(message)
        case .response, .securityInstall: throw .unexpected(message.subtype)
        }
    }

    /// What is agreed on but not proved yet.
    private var negotiated: DataPathFacts? {
        switch state {
        case .waiting, .established, .ended: nil
        case .negotiating(let negotiation), .renegotiating(_, let negotiation): negotiation.request.facts
        }
    }

    private func check(_ message: DataPathMessage, besides others: [DataPathFacts]) throws(DataPathRefusal) {
        let end = try message.peer(name.initiator, management: peer, besides: own, idlePeriod: 0)
        for other in others {
            try Self.check(end.address, end.interfaceIdentifier, besides: other)
        }
    }

    private static func check(_ facts: DataPathFacts, besides others: [DataPathFacts]) throws(DataPathRefusal)
    {
        for other in others {
            try check(facts.peerDataInterface, facts.peerInterfaceIdentifier, besides: other)
        }
    }

    private static func check(
        _ interface: MACAddress, _ identifier: UInt64, besides other: DataPathFacts
    ) throws(DataPathRefusal) {
        guard interface != other.peerDataInterface, identifier != other.peerInterfaceIdentifier else {
            throw .invalidAddress
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
                return [
                    .send(negotiation.frames.told(of: own).termination()),
                    .ended(.silence(missing: .dataPathConfirm)),
                ]
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
            return [.send(negotiation.frames.told(of: own).termination()), .ended(ending)]
        case .established(let established), .renegotiating(let established, _):
            return [
                .send(established.negotiation.frames.told(of: own).termination()), .close(name.initiator),
                .ended(ending),
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
            if current.request.body == message.received.body { return answer(current) }
            let negotiation = try negotiate(message, at: now)
            state = .negotiating(negotiation)
            return answer(negotiation)
        case .established(let established):
            guard established.negotiation.request.body != message.received.body else { return [] }
            let negotiation = try negotiate(message, at: now)
            state = .renegotiating(established, negotiation)
            return answer(negotiation)
        case .renegotiating(let established, let current):
            guard established.negotiation.request.body != message.received.body else { return [] }
            if current.request.body == message.received.body { return answer(current) }
            let negotiation = try negotiate(message, at: now)
            state = .renegotiating(established, negotiation)
            return answer(negotiation)
        case .ended:
            throw .over
        }
    }

    private func answer(_ negotiation: DataPathNegotiation) -> [DataPathAction] {
        [.setPeerSchedule(negotiation.request.availability.schedule), .send(negotiation.response.body)]
    }

    private func negotiate(
        _ message: DataPathMessage, at now: Instant
    ) throws(DataPathRefusal) -> DataPathNegotiation {
        let request = try DataPathRequest(message, from: peer, to: own, services: services, master: master)
        return DataPathNegotiation(answering: request, as: own, master: master, entropy: entropy, at: now)
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
            if message.received.sharedKeyDescriptor?.nonce == established.negotiation.request.descriptor.nonce
            {
                return try repeatKeyInstall(of: established, for: message)
            }
            return [.close(name.initiator)] + (try establish(negotiation, by: message))
        case .ended:
            throw .over
        }
    }

    private mutating func establish(
        _ negotiation: DataPathNegotiation, by message: DataPathMessage
    ) throws(DataPathRefusal) -> [DataPathAction] {
        let descriptor = try negotiation.verify(message)
        guard message.head.status != .rejected else {
            state = .ended
            return [.ended(.rejected(message.head.reason))]
        }
        let availability =
            PeerAvailability(in: message.received.frame, on: own.profile.availability.channel)
            ?? negotiation.request.availability
        let final =
            availability.common(with: own.profile.availability) == 0
            ? negotiation.request.availability : availability
        let keyInstall = negotiation.keyInstall(from: own, replayCounter: descriptor.replayCounter)
        state = .established(
            Established(
                negotiation: negotiation, confirm: message.received.body, keyInstall: keyInstall,
                replayCounter: descriptor.replayCounter))
        return [
            .setPeerSchedule(final.agreedSchedule), .send(keyInstall),
            .open(negotiation.request.peer, key: negotiation.keys.temporal),
            .established(negotiation.request.facts),
        ]
    }

    /// The peer did not get M4. The keys stay as they are: installed again they would begin to count anew.
    private mutating func repeatKeyInstall(
        of established: Established, for message: DataPathMessage
    ) throws(DataPathRefusal) -> [DataPathAction] {
        if message.received.body == established.confirm { return [.send(established.keyInstall)] }
        let descriptor = try established.negotiation.verify(message)
        guard descriptor.replayCounter > established.replayCounter else {
            throw .replayed(descriptor.replayCounter)
        }
        var renewed = established
        renewed.confirm = message.received.body
        renewed.keyInstall = established.negotiation.keyInstall(
            from: own, replayCounter: descriptor.replayCounter)
        renewed.replayCounter = descriptor.replayCounter
        if case .renegotiating(_, let negotiation) = state {
            state = .renegotiating(renewed, negotiation)
        } else {
            state = .established(renewed)
        }
        return [.send(renewed.keyInstall)]
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
