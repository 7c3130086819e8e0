import Aware
import Crypto
import Frames
import Ports
import Wire

/// Pairs with one accessory, from finding it to both knowing each other's identity key.
///
/// Legal transitions:
///
///     looking ─found→ asking ─shown→ typing ─PIN→ proving ─answer→ exchanging ─key→ over
///                        └──────────────┴────────────┴──────failure───┴──────────→ over
struct Pairing {
    private enum State {
        case looking(until: Instant)
        case asking(BootstrappingRequest, Target)
        case typing(Target)
        case proving(PASNInitiator, Target)
        case exchanging(PASNInitiator, IdentityKeyInitiator, PairingKeys, Target)
    }

    private struct Target {
        var discovery: Discovery
        var request: PairingBootstrapping
        var context: FollowUp.Context
    }

    private static let patience = TimeUnits.seconds(15)

    private let service: ServiceName
    private var state: State

    init(service: ServiceName, at now: Instant) {
        self.service = service
        state = .looking(until: now + Self.patience)
    }

    var isLooking: Bool {
        if case .looking = state { true } else { false }
    }

    var deadline: Instant? {
        switch state {
        case .looking(let until): until
        case .asking(let request, _): request.deadline
        case .typing: nil
        case .proving(let initiator, _): initiator.deadline
        case .exchanging(let initiator, let exchange, _, _):
            Instant.earliest(initiator.deadline, exchange.deadline)
        }
    }

    mutating func advance(to now: Instant, _ phone: inout Phone) -> [Phone.Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .looking:
            return phone.fail("no accessory that can be paired publishes \(service.text)")
        case .asking(var request, let target):
            let actions = request.advance(to: now)
            state = .asking(request, target)
            return perform(actions, target, &phone)
        case .typing:
            return []
        case .proving(var initiator, let target):
            let actions = initiator.advance(to: now)
            state = .proving(initiator, target)
            return perform(actions, target, &phone, at: now)
        case .exchanging(let initiator, var exchange, let keys, let target):
            let actions = exchange.advance(to: now)
            state = .exchanging(initiator, exchange, keys, target)
            return perform(actions, initiator, keys, target, &phone, at: now)
        }
    }

    /// Chooses the nearest accessory that lets itself be paired.
    mutating func look(_ phone: inout Phone, at now: Instant) -> [Phone.Action] {
        guard case .looking = state else { return [] }
        var nearest: Discovery?
        for discovery in phone.subscriber.discoveries
        where discovery.service == service.identifier && discovery.canPair {
            if let found = nearest, found.signal >= discovery.signal { continue }
            nearest = discovery
        }
        guard let nearest else { return [] }
        var request = BootstrappingRequest(
            dialogToken: UInt8(truncatingIfNeeded: phone.entropy.number64()) | 1)
        let actions = request.start(at: now)
        let target = Target(
            discovery: nearest,
            request: PairingBootstrapping(dialogToken: 0, step: .request(cookie: []), methods: .pinKeypad),
            context: FollowUp.Context(service: nearest.service, own: 1, peer: nearest.instance))
        state = .asking(request, target)
        return Peering.introduce(nearest) + perform(actions, target, &phone)
    }

    mutating func followUp(
        _ received: ReceivedAction, from peer: MACAddress, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        switch state {
        case .asking(var request, let target):
            guard peer == target.discovery.publisher, let answer = received.frame.pairingBootstrapping else {
                return []
            }
            do throws(BootstrappingRequest.Refusal) {
                let actions = try request.receive(answer, at: now)
                state = .asking(request, target)
                return perform(actions, target, &phone)
            } catch {
                return phone.refuse("bootstrapping: \(error)")
            }
        case .exchanging(let initiator, var exchange, let keys, let target):
            guard peer == target.discovery.publisher, let descriptor = received.frame.sharedKeyDescriptor
            else {
                return []
            }
            guard received.isProtected else { return phone.refuse("identity key: not protected") }
            do throws(PairingRefusal) {
                let actions = try exchange.receive(descriptor)
                state = .exchanging(initiator, exchange, keys, target)
                return perform(actions, initiator, keys, target, &phone, at: now)
            } catch {
                return phone.refuse("identity key: \(error)")
            }
        case .looking, .typing, .proving:
            return []
        }
    }

    mutating func enter(_ password: Key, _ phone: inout Phone, at now: Instant) -> [Phone.Action] {
        guard case .typing(let target) = state, let station = phone.station else { return [] }
        var initiator = PASNInitiator(
            own: station.address, peer: target.discovery.publisher,
            with: .password(password, request: target.request),
            offer: PairingOffer(publish: target.discovery.instance), entropy: phone.entropy)
        let actions = initiator.start(at: now)
        state = .proving(initiator, target)
        return perform(actions, target, &phone, at: now)
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
            case .exchanging(var initiator, let exchange, let keys, let target):
                guard peer == target.discovery.publisher else { return [] }
                let actions = try initiator.receive(body)
                state = .exchanging(initiator, exchange, keys, target)
                return perform(actions, target, &phone, at: now)
            case .looking, .asking, .typing:
                return []
            }
        } catch {
            return phone.refuse("authentication: \(error)")
        }
    }

    // MARK: What the machines want

    private mutating func perform(
        _ actions: [BootstrappingRequest.Action], _ target: Target, _ phone: inout Phone
    ) -> [Phone.Action] {
        var result: [Phone.Action] = []
        for action in actions {
            switch action {
            case .send(let request):
                if case .asking(let machine, var target) = state {
                    target.request = request
                    state = .asking(machine, target)
                }
                let followUp = FollowUp(
                    context: target.context, information: phone.information,
                    purpose: .pairingBootstrapping(request))
                result += phone.withStation {
                    $0.send(followUp, to: target.discovery.publisher, isProtected: false)
                }
            case .agreed:
                state = .typing(target)
                result.append(.askPIN(target.discovery))
            case .failed(let failure):
                result += phone.fail("the accessory does not show a PIN: \(failure)")
            }
        }
        return result
    }

    private mutating func perform(
        _ actions: [PASNAction], _ target: Target, _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        let performed = phone.perform(actions, with: target.discovery.publisher)
        switch performed.end {
        case .authenticated(let keys):
            guard case .proving(let initiator, _) = state else { die("authenticated without an attempt") }
            let offer = IdentityKeyOffer(identity: phone.identity, publish: target.discovery.instance)
            state = .exchanging(
                initiator, IdentityKeyInitiator(keys: keys, offer: offer, at: now), keys, target)
            return performed.actions
        case .failed(let refusal):
            return performed.actions + phone.fail("\(refusal)")
        case nil:
            return performed.actions
        }
    }

    private mutating func perform(
        _ actions: [IdentityKeyAction], _ initiator: PASNInitiator, _ keys: PairingKeys, _ target: Target,
        _ phone: inout Phone, at now: Instant
    ) -> [Phone.Action] {
        var result: [Phone.Action] = []
        let peer = target.discovery.publisher
        for action in actions {
            switch action {
            case .send(let descriptor):
                let followUp = FollowUp(context: target.context, purpose: .sharedKeyDescriptor(descriptor))
                result += phone.withStation { $0.send(followUp, to: peer, isProtected: true) }
            case .confirmAgain:
                guard let confirmation = initiator.confirmation else { break }
                result += phone.withStation { $0.outbox.send(authentication: confirmation, to: peer) }
            case .exchanged(let identity):
                result += paired(identity, keys, target, &phone)
            case .failed(let refusal):
                result += phone.fail("\(refusal)")
            }
        }
        return result
    }

    private func paired(
        _ identity: PeerIdentity, _ keys: PairingKeys, _ target: Target, _ phone: inout Phone
    ) -> [Phone.Action] {
        let names = target.discovery.information
        guard
            let accessory = PairedPeer(
                identity: identity.identity, npk: keys.npk, name: ShortText(names?.pairingName ?? ""),
                vendor: ShortText(names?.vendorName ?? ""), model: ShortText(names?.modelName ?? ""),
                services: [ShortText(service.text)], pairedAt: phone.date, lastSeen: phone.date,
                lifetime: identity.lifetime)
        else { die("a pairing's NPK has the wrong length") }
        phone.task = .over
        return phone.keep(accessory) + [.paired(accessory)]
    }
}

/// What a publication says of its sender goes to the radio before anything is sent there.
enum Peering {
    static func introduce(_ discovery: Discovery) -> [Phone.Action] {
        var actions: [Phone.Action] = [.radio(.addPeer(discovery.publisher))]
        if let availability = availability(of: discovery) {
            actions.append(.radio(.setPeerSchedule(discovery.publisher, availability.schedule)))
        }
        return actions
    }

    static func availability(of discovery: Discovery) -> PeerAvailability? {
        guard !discovery.availabilities.isEmpty else { return nil }
        return PeerAvailability(discovery.availabilities, capability: discovery.capability, on: .six)
    }
}
