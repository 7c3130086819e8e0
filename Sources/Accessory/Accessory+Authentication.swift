import Aware
import Crypto
import Frames
import Ports
import Wire

extension Accessory {
    /// A frame of PASN: a stranger's guess, a paired device that wants to be recognised, or the end of either.
    mutating func authenticate(_ body: [UInt8], from peer: MACAddress, at now: Instant) -> [Action] {
        guard PASNRequest.isRequest(body) else { return confirm(body, from: peer, at: now) }
        let request: PASNRequest
        do throws(PairingRefusal) { request = try PASNRequest(parsing: body) } catch {
            return refuse(peer, "authentication: \(error)", at: now)
        }
        if let again = answerAgain(request, to: peer, at: now) { return again }
        switch peers[peer]?.attempt {
        case .setup, .exchanging:
            // Somebody else's, or it would be a repetition. A refusal would reach the peer, and end its attempt.
            return refuse(peer, "authentication: \(PairingRefusal.attemptUnderWay)", at: now)
        case .asked, .verification, nil: break
        }
        switch request.purpose {
        case .setup:
            return guess(request, by: peer, at: now)
        case .verification(let resolution):
            return verify(request, resolution, from: peer, at: now)
        case .opportunistic:
            return turnAway(peer, request.publish, "\(PairingRefusal.opportunistic)", at: now)
        }
    }

    /// A request that came before gets the answer that it got, or none; it costs nothing.
    private mutating func answerAgain(
        _ request: PASNRequest, to peer: MACAddress, at now: Instant
    ) -> [Action]? {
        guard let attempt = peers[peer]?.attempt, let responder = attempt.responder,
            responder.isRepetition(request)
        else { return nil }
        var again = responder
        do throws(PairingRefusal) {
            let actions = try again.repeatAnswer(to: request, at: now)
            peers[peer]?.attempt = attempt.with(again)
            return perform(actions, for: peer, at: now)
        } catch {
            return refuse(peer, "authentication: \(error)", at: now)
        }
    }

    /// SAE lets the peer find out about one PIN, whether or not it goes on. So the guess is spent before the answer.
    private mutating func guess(_ request: PASNRequest, by peer: MACAddress, at now: Instant) -> [Action] {
        guard case .on(let station, _) = radio, case .asked(let asked)? = peers[peer]?.attempt else {
            return turnAway(peer, request.publish, "\(PairingWindow.Refusal.notAsked)", at: now)
        }
        let pin: PIN
        do throws(PairingWindow.Refusal) { pin = try window.guess(by: peer, at: now) } catch {
            return turnAway(peer, request.publish, "\(error)", at: now)
        }
        var responder = PASNResponder(own: station.profile.address, peer: peer)
        do throws(PairingRefusal) {
            let actions = try responder.begin(
                request, with: .password(Key(pin.password), request: asked.request),
                offer: PairingOffer(publish: asked.context.own), entropy: entropy, at: now)
            peers[peer]?.attempt = .setup(responder, asked)
            return perform(actions, for: peer, at: now)
        } catch {
            return attemptFailed(peer, asked, "\(error)", at: now)
        }
    }

    private mutating func verify(
        _ request: PASNRequest, _ resolution: IdentityResolution, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        guard case .on(let station, _) = radio else { return [] }
        guard let device = devices.sender(of: resolution, at: peer) else {
            return turnAway(peer, request.publish, "\(PairingRefusal.unknownIdentity)", at: now)
        }
        var actions: [Action] = []
        guard makeRoom(for: peer, at: now, &actions) else {
            return actions + refuse(peer, "authentication: too many peers", at: now)
        }
        var responder = PASNResponder(own: station.profile.address, peer: peer)
        do throws(PairingRefusal) {
            let begun = try responder.begin(
                request,
                with: .paired(npk: device.npk, peerNIK: device.identity.nik, own: station.resolution),
                offer: PairingOffer(publish: request.publish), entropy: entropy, at: now)
            peers[peer]?.attempt = .verification(responder, device: device.id)
            return actions + perform(begun, for: peer, at: now)
        } catch {
            return actions + refuse(peer, name: device.name.text, "authentication: \(error)", at: now)
        }
    }

    private mutating func confirm(_ body: [UInt8], from peer: MACAddress, at now: Instant) -> [Action] {
        guard let attempt = peers[peer]?.attempt, var responder = attempt.responder else {
            return refuse(peer, "authentication: \(PairingRefusal.unexpected)", at: now)
        }
        do throws(PairingRefusal) {
            let actions = try responder.receive(body)
            peers[peer]?.attempt = attempt.with(responder)
            return perform(actions, for: peer, at: now)
        } catch {
            return refuse(peer, "authentication: \(error)", at: now)
        }
    }

    /// The peer has an answer of ours: only now does the time begin in which it has to be confirmed. One that nobody
    /// acknowledges is not given more time, or each repetition would keep the window busy.
    mutating func noteAnswer(_ cookie: UInt32, at now: Instant) {
        guard case .on(let station, _) = radio, let peer = station.outbox.receiver(ofAuthentication: cookie),
            let attempt = peers[peer]?.attempt, var responder = attempt.responder
        else { return }
        responder.sent(at: now)
        peers[peer]?.attempt = attempt.with(responder)
    }

    /// Tells a peer at once that it need not go on; unless it is one that has proved itself or is about to, for then
    /// the request may be somebody else's.
    private mutating func turnAway(
        _ peer: MACAddress, _ publish: UInt8, _ reason: String, at now: Instant
    ) -> [Action] {
        let body = PASNResponder.refusal(status: .refused, offer: PairingOffer(publish: publish))
        let refusal = refuse(peer, "authentication: \(reason)", at: now)
        if case .verification? = peers[peer]?.attempt { return refusal }
        guard peers[peer]?.isAssociated != true else { return refusal }
        let isStranger = isStranger(peer)
        return refusal
            + withStation { $0.outbox.send(authentication: body, to: peer, asCourtesy: isStranger) }
    }

    mutating func perform(_ actions: [PASNAction], for peer: MACAddress, at now: Instant) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .install(let key):
                // A live association keeps its key until the peer has proved itself: anybody can claim its address.
                guard peers[peer]?.isAssociated == false else { break }
                leaving[peer] = nil
                result.append(.radio(.addPeer(peer)))
                if let schedule = peers[peer]?.schedule {
                    result.append(.radio(.setPeerSchedule(peer, schedule)))
                }
                result.append(.radio(.installPairingKey(peer, key)))
            case .uninstall:
                guard peers[peer]?.isAssociated == false else { break }
                result.append(.radio(.removePeer(peer)))
            case .send(let body):
                result += withStation { $0.outbox.send(authentication: body, to: peer) }
            case .authenticated(let keys):
                result += authenticated(peer, keys, at: now)
            case .failed(let refusal):
                result += failed(peer, refusal, at: now)
            }
        }
        return result
    }

    private mutating func authenticated(_ peer: MACAddress, _ keys: PairingKeys, at now: Instant) -> [Action]
    {
        var actions: [Action] = []
        if peers[peer]?.isAssociated == true {
            actions += endPaths(of: peer, .stopped)
            peers[peer]?.association = nil
            actions += [
                .radio(.removePeer(peer)), .radio(.addPeer(peer)),
                .radio(.installPairingKey(peer, keys.nmTK)),
            ]
        }
        peers[peer]?.heard = now
        switch peers[peer]?.attempt {
        case .setup(_, let asked):
            let offer = IdentityKeyOffer(identity: identity, publish: asked.context.own)
            peers[peer]?.attempt = .exchanging(
                Peer.Exchange(
                    responder: IdentityKeyResponder(keys: keys, offer: offer, at: now), keys: keys,
                    asked: asked))
        case .verification(_, let id):
            peers[peer]?.attempt = nil
            actions += recognised(peer, id, keys, at: now)
        case .asked, .exchanging, nil:
            die("authenticated without an attempt")
        }
        return actions
    }

    private mutating func recognised(
        _ peer: MACAddress, _ id: String, _ keys: PairingKeys, at now: Instant
    ) -> [Action] {
        var actions = dropOtherAddresses(of: id, but: peer)
        guard let device = devices.device(id) else { return dropPeer(peer, .stopped) }
        peers[peer]?.association = Peer.Association(device: id, keys: keys)
        if let touched = devices.touch(id, date: date) { actions.append(.save(touched)) }
        return actions + [.tell(.recognised(device: id, name: device.name.text, address: peer))]
    }

    mutating func failed(_ peer: MACAddress, _ refusal: PairingRefusal, at now: Instant) -> [Action] {
        switch peers[peer]?.attempt {
        case .setup(_, let asked):
            return attemptFailed(peer, asked, "\(refusal)", at: now)
        case .exchanging(let exchange):
            return [.radio(.removePeer(peer))] + attemptFailed(peer, exchange.asked, "\(refusal)", at: now)
        case .verification:
            peers[peer]?.attempt = nil
            return refuse(peer, "authentication: \(refusal)", at: now)
        case .asked, nil:
            return []
        }
    }

    private mutating func attemptFailed(
        _ peer: MACAddress, _ asked: Peer.Asked, _ reason: String, at now: Instant
    ) -> [Action] {
        peers[peer]?.attempt = nil
        let name = asked.name.pairingName.isEmpty ? peer.description : asked.name.pairingName
        notice = Notice(.refused(name.printable, reason: reason), ends: now + Notice.resultTime)
        return refuse(peer, name: asked.name.pairingName, "pairing: \(reason)", at: now)
            + perform(window.fail(by: peer, at: now), at: now)
    }
}
