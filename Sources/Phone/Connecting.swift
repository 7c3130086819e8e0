import Aware
import Crypto
import Frames
import Ports
import Wire

/// Keeps a data path to the service of a paired accessory: finds it, is recognised, asks, and starts over when the
/// data path ends. Only a refusal ends it.
///
/// Legal transitions:
///
///     looking ─found→ proving ─recognised→ asking ─M4→ opening ─radio→ connected
///        ↑               │                    │           │               │
///        └──── pause ────┴──── no answer ─────┴───────────┴─ path ends ───┘
struct Connecting {
    private enum State {
        /// `leaver` is the accessory of the last attempt, if there was one: the radio keeps it until the next attempt, so
        /// that a good-bye to it is still encrypted.
        case looking(notBefore: Instant, leaver: MACAddress?)
        case proving(PASNInitiator, Target)
        case path(DataPathInitiator, Stage, Target)
    }

    /// How far the data path is.
    private enum Stage {
        /// The accessory may have missed our confirmation, which is kept for that.
        case asking(PASNInitiator)
        case opening(DataPathFacts)
        case connected
    }

    private struct Target {
        var discovery: Discovery
        var accessory: PairedPeer
    }

    private static let pause = TimeUnits.milliseconds(500)

    private let service: ServiceName
    private let candidates: [PairedPeer]
    private var state = State.looking(notBefore: Instant(microseconds: 0), leaver: nil)
    /// Data paths of one run have numbers of their own.
    private var paths: UInt8 = 0

    init(service: ServiceName, candidates: [PairedPeer]) {
        self.service = service
        self.candidates = candidates
    }

    var isLooking: Bool {
        if case .looking = state { true } else { false }
    }

    var deadline: Instant? {
        switch state {
        case .looking: nil
        case .proving(let initiator, _): initiator.deadline
        case .path(let path, _, _): path.deadline
        }
    }

    mutating func advance(to now: Instant, _ phone: inout Phone) -> [Phone.Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .looking:
            return []
        case .proving(var initiator, let target):
            let actions = initiator.advance(to: now)
            state = .proving(initiator, target)
            return perform(actions, target, &phone, at: now)
        case .path(var path, let stage, let target):
            let actions = path.advance(to: now)
            state = .path(path, stage, target)
            return confirmAgain(stage, before: actions, target, &phone)
                + perform(actions, target, &phone, at: now)
        }
    }

    /// Proves itself to a candidate that is there.
    mutating func look(_ phone: inout Phone, at now: Instant) -> [Phone.Action] {
        guard case .looking(let notBefore, let leaver) = state, notBefore <= now,
            let station = phone.station
        else {
            return []
        }
        guard let target = target(in: phone) else { return [] }
        var initiator = PASNInitiator(
            own: station.address, peer: target.discovery.publisher,
            with: .paired(
                npk: target.accessory.npk, peerNIK: target.accessory.identity.nik, own: station.resolution),
            offer: PairingOffer(publish: target.discovery.instance), entropy: phone.entropy)
        let actions = initiator.start(at: now)
        state = .proving(initiator, target)
        let removal: [Phone.Action] = if let leaver { [.radio(.removePeer(leaver))] } else { [] }
        return removal + Peering.introduce(target.discovery) + perform(actions, target, &phone, at: now)
    }

    private func target(in phone: Phone) -> Target? {
        for discovery in phone.subscriber.discoveries where discovery.service == service.identifier {
            guard let resolution = discovery.identity else { continue }
            for candidate in candidates where candidate.isSender(of: resolution, at: discovery.publisher) {
                return Target(discovery: discovery, accessory: candidate)
            }
        }
        return nil
    }

    mutating func authenticate(
        _ body: [UInt8], from peer: MACAddress, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        do throws(PairingRefusal) {
            switch state {
            case .proving(var initiator, let target):
                guard peer == target.discovery.publisher else { return [] }
                let actions = try initiator.receive(body)
                state = .proving(initiator, target)
                return perform(actions, target, &phone, at: now)
            case .path(let path, .asking(var initiator), let target):
                guard peer == target.discovery.publisher else { return [] }
                let actions = try initiator.receive(body)
                state = .path(path, .asking(initiator), target)
                return perform(actions, target, &phone, at: now)
            case .looking, .path:
                return []
            }
        } catch {
            return phone.refuse("authentication: \(error)")
        }
    }

    /// A request that has to be repeated means that the accessory may not know us yet: it gets the proof first.
    private func confirmAgain(
        _ stage: Stage, before actions: [DataPathAction], _ target: Target, _ phone: inout Phone
    ) -> [Phone.Action] {
        guard case .asking(let initiator) = stage, case .send? = actions.first,
            let confirmation = initiator.confirmation
        else { return [] }
        return phone.withStation {
            $0.outbox.send(authentication: confirmation, to: target.discovery.publisher)
        }
    }

    mutating func receive(
        _ received: ReceivedAction, from peer: MACAddress, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        guard DataPathName(of: received.frame) != nil else {
            return receiveSchedule(received, from: peer, &phone)
        }
        guard case .path(var path, let stage, let target) = state, peer == target.discovery.publisher else {
            return []
        }
        do throws(DataPathRefusal) {
            let actions = try path.receive(received, at: now)
            state = .path(path, stage, target)
            return perform(actions, target, &phone, at: now)
        } catch {
            return phone.refuse("data path: \(error)")
        }
    }

    /// The accessory changes when it is there.
    private func receiveSchedule(
        _ received: ReceivedAction, from peer: MACAddress, _ phone: inout Phone
    ) -> [Phone.Action] {
        guard case .path(_, .connected, let target) = state, peer == target.discovery.publisher,
            let station = phone.station
        else { return [] }
        do throws(DataPathRefusal) {
            let outcome = try ScheduleExchange.receive(
                received, as: station.profile, isPaired: true,
                cluster: MACAddress(random: phone.entropy.number64()))
            let known = Phone.Action.radio(.setPeerSchedule(peer, outcome.schedule))
            guard let answer = outcome.answer else { return [known] }
            return [known] + phone.withStation { $0.outbox.send(answer, to: peer) }
        } catch {
            let refusal = phone.refuse("schedule: \(error)")
            guard received.isProtected, let reason = error.reason,
                let no = ScheduleExchange.rejection(of: received, reason: reason, as: station.profile)
            else { return refusal }
            return refusal + phone.withStation { $0.outbox.send(no, to: peer) }
        }
    }

    mutating func opened(
        _ address: MACAddress, own: InternetAddress, peer: InternetAddress, _ phone: inout Phone
    ) -> [Phone.Action] {
        guard case .path(let path, .opening(let facts), let target) = state,
            facts.peerDataInterface == address
        else {
            return [.radio(.closeDataPath(address))]
        }
        guard let port = facts.peerPort ?? target.discovery.port else {
            return phone.fail("the accessory does not say at which port \(service.text) is")
        }
        state = .path(path, .connected, target)
        return [.connected(target.accessory, own: own, peer: SocketAddress(address: peer, port: port))]
    }

    mutating func idle(_ phone: inout Phone, at now: Instant) -> [Phone.Action] {
        end(.idle, &phone, at: now)
    }

    /// The data path is of no use to us: the accessory is told, and asked again later.
    mutating func cannotOpen(_ phone: inout Phone, at now: Instant) -> [Phone.Action] {
        end(.stopped, &phone, at: now)
    }

    mutating func stop(_ phone: inout Phone) -> [Phone.Action] {
        end(.stopped, &phone, at: Instant(microseconds: 0))
    }

    private mutating func end(
        _ ending: DataPathEnding, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        guard case .path(var path, _, let target) = state else { return [] }
        return perform(path.stop(ending), target, &phone, at: now)
    }

    // MARK: What the machines want

    private mutating func perform(
        _ actions: [PASNAction], _ target: Target, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        let performed = phone.perform(actions, with: target.discovery.publisher)
        switch performed.end {
        case .authenticated(let keys):
            guard case .proving(let initiator, _) = state else { die("authenticated without an attempt") }
            return performed.actions + ask(keys, initiator, target, &phone, at: now)
        case .failed(.refusedByPeer):
            return performed.actions + phone.fail("the accessory does not know us any more: pair again")
        case .failed(let refusal):
            return performed.actions + [.note("not recognised: \(refusal)")] + startOver(target, at: now)
        case nil:
            return performed.actions
        }
    }

    private mutating func ask(
        _ keys: PairingKeys, _ initiator: PASNInitiator, _ target: Target, _ phone: inout Phone,
        at now: Instant
    ) -> [Phone.Action] {
        guard let station = phone.station else { return [] }
        paths = paths == 255 ? 1 : paths + 1
        do throws(DataPathRefusal) {
            var path = try DataPathInitiator(
                identifier: paths,
                peer: DataPathInitiator.Peer(
                    address: target.discovery.publisher, capability: target.discovery.capability,
                    availability: Peering.availability(of: target.discovery)),
                service: DataPathService(
                    publish: target.discovery.instance, identifier: service.identifier, port: nil,
                    transport: nil),
                own: station.end, suite: .sharedKey128, master: keys.ndPMK, isProtected: true,
                entropy: phone.entropy)
            let actions = path.start(at: now)
            state = .path(path, .asking(initiator), target)
            return perform(actions, target, &phone, at: now)
        } catch {
            return phone.fail("data path: \(error)")
        }
    }

    private mutating func perform(
        _ actions: [DataPathAction], _ target: Target, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        var result: [Phone.Action] = []
        let peer = target.discovery.publisher
        for action in actions {
            switch action {
            case .send(let body): result += phone.withStation { $0.outbox.send(body, to: peer) }
            case .setPeerSchedule(let schedule): result.append(.radio(.setPeerSchedule(peer, schedule)))
            case .open(let dataPeer, let key): result.append(.radio(.openDataPath(dataPeer, key: key)))
            case .established(let facts):
                if case .path(let path, .asking, _) = state { state = .path(path, .opening(facts), target) }
            case .close(let address): result.append(.radio(.closeDataPath(address)))
            case .ended(.rejected(let reason)):
                result += phone.fail("the accessory refuses the data path, reason \(reason.rawValue)")
            case .ended(let ending):
                if case .path(_, .connected, _) = state { result.append(.disconnected(reason: "\(ending)")) }
                result += startOver(target, at: now)
            }
        }
        return result
    }

    private mutating func startOver(_ target: Target, at now: Instant) -> [Phone.Action] {
        state = .looking(notBefore: now + Self.pause, leaver: target.discovery.publisher)
        return []
    }
}
