import Aware
import Crypto
import Frames
import Ports
import Wire

// MARK: Bootstrapping

extension Accessory {
    /// A stranger asks us to show a PIN.
    mutating func bootstrap(
        _ request: PairingBootstrapping, _ context: FollowUp.Context, _ received: ReceivedAction,
        from peer: MACAddress, at now: Instant
    ) -> [Action] {
        let names = Self.names(in: received.frame)
        let isForOurDisplay: Bool
        do throws(BootstrappingAnswer.Refusal) {
            isForOurDisplay = try BootstrappingAnswer.isForOurDisplay(request)
        } catch {
            return refuse(peer, "bootstrapping: not a request", at: now)
        }
        guard isForOurDisplay else {
            return refuse(
                peer, name: names.pairingName, "bootstrapping: only a PIN on our display will do", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        guard hasRoom(for: peer) else {
            return refuse(peer, name: names.pairingName, "bootstrapping: too many peers", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        guard devices.all.count < configuration.deviceLimit else {
            return refuse(
                peer, name: names.pairingName, "bootstrapping: as many devices are paired as may be", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        return showPIN(
            for: peer, Peer.Asked(request: request, name: names, context: context), received, at: now)
    }

    /// What the peer calls itself, in whichever of its descriptors.
    private static func names(in frame: ActionFrame) -> PairingInformation {
        for descriptor in frame.serviceDescriptorExtensions {
            if case .generic(let generic)? = descriptor.information?.content { return generic.pairing }
        }
        return PairingInformation(text: [])
    }

    private mutating func showPIN(
        for peer: MACAddress, _ asked: Peer.Asked, _ received: ReceivedAction, at now: Instant
    ) -> [Action] {
        let decision: BootstrappingAnswer.Decision
        var actions: [Action] = []
        do throws(PairingWindow.Refusal) {
            let begun = try window.begin(by: peer, entropy: entropy, at: now)
            guard makeRoom(for: peer, at: now, &actions) else { die("there was room for a peer") }
            actions += dropVerification(of: peer)
            peers[peer]?.attempt = .asked(asked)
            peers[peer]?.schedule = PeerAvailability(in: received.frame, on: .six)?.schedule
            if !begun.isEmpty { actions.append(.tell(.attempt(peer: peer, name: asked.name.pairingName))) }
            actions += perform(begun, at: now)
            decision = .accept
        } catch {
            actions += refuse(peer, name: asked.name.pairingName, "bootstrapping: \(error)", at: now)
            // A request that was late: the peer is about to prove itself, and must not hear a no now.
            if error == .alreadyGuessed { return actions }
            decision =
                switch error {
                case .wait(let until): .comeBack(after: Self.span(from: now, to: until))
                case .anotherAttemptRunning: .comeBack(after: Self.turn)
                case .windowClosed, .notAsked, .alreadyGuessed: .reject
                }
        }
        return actions + reply(BootstrappingAnswer.answer(asked.request, decision), asked.context, to: peer)
    }

    /// Who asks for a PIN does not wait to be recognised any more.
    private mutating func dropVerification(of peer: MACAddress) -> [Action] {
        guard case .verification? = peers[peer]?.attempt else { return [] }
        peers[peer]?.attempt = nil
        return peers[peer]?.isAssociated == true ? [] : [.radio(.removePeer(peer))]
    }

    /// When somebody whose turn it is not may ask again.
    private static let turn = TimeUnits.seconds(2)

    /// A peer can be sent away for 67 s at most, by the size of the field; it is then sent away once more.
    private static func span(from now: Instant, to until: Instant) -> TimeUnits {
        TimeUnits(UInt32(UInt16(clamping: until.microseconds(since: now) / TimeUnits.microseconds + 1)))
    }

    private mutating func reply(
        _ answer: PairingBootstrapping, _ context: FollowUp.Context, to peer: MACAddress
    ) -> [Action] {
        let followUp = FollowUp(context: context, purpose: .pairingBootstrapping(answer))
        let isStranger = isStranger(peer)
        return withStation { $0.send(followUp, to: peer, isProtected: false, asCourtesy: isStranger) }
    }
}

// MARK: Authentication

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
        guard case .on(let station) = radio, case .asked(let asked)? = peers[peer]?.attempt else {
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
        guard case .on(let station) = radio else { return [] }
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
        guard case .on(let station) = radio, let peer = station.outbox.receiver(ofAuthentication: cookie),
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

    private mutating func perform(_ actions: [PASNAction], for peer: MACAddress, at now: Instant) -> [Action]
    {
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
        guard let device = devices.touch(id, date: date) else { return dropPeer(peer, .stopped) }
        peers[peer]?.association = Peer.Association(device: id, keys: keys)
        actions += [
            .save(device), .tell(.recognised(device: id, name: device.name.text, address: peer)),
        ]
        return actions
    }

    private mutating func failed(_ peer: MACAddress, _ refusal: PairingRefusal, at now: Instant) -> [Action] {
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

// MARK: Identity keys

extension Accessory {
    mutating func exchangeIdentity(
        _ descriptor: SharedKeyDescriptor, _ received: ReceivedAction, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        guard received.isProtected else { return refuse(peer, "identity key: not protected", at: now) }
        do throws(PairingRefusal) {
            if case .exchanging(var exchange)? = peers[peer]?.attempt {
                let actions = try exchange.responder.receive(descriptor)
                peers[peer]?.attempt = .exchanging(exchange)
                return perform(actions, exchange, for: peer, at: now)
            }
            if var finished = peers[peer]?.association?.finished {
                let actions = try finished.responder.receive(descriptor)
                return perform(actions, finished, for: peer, at: now)
            }
        } catch {
            return refuse(peer, "identity key: \(error)", at: now)
        }
        return refuse(peer, "identity key: \(PairingRefusal.unexpected)", at: now)
    }

    mutating func perform(
        _ actions: [IdentityKeyAction], _ exchange: Peer.Exchange, for peer: MACAddress, at now: Instant
    ) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .send(let descriptor):
                let followUp = FollowUp(
                    context: exchange.asked.context, purpose: .sharedKeyDescriptor(descriptor))
                result += withStation { $0.send(followUp, to: peer, isProtected: true) }
            case .exchanged(let identity):
                result += paired(peer, exchange, identity, at: now)
            case .failed(let refusal):
                result += failed(peer, refusal, at: now)
            case .confirmAgain:
                die("a responder wants to confirm")
            }
        }
        return result
    }

    private mutating func paired(
        _ peer: MACAddress, _ exchange: Peer.Exchange, _ identity: PeerIdentity, at now: Instant
    ) -> [Action] {
        let names = exchange.asked.name
        let service = publisher.publication(exchange.asked.context.own)?.name.text ?? ""
        guard
            let device = PairedPeer(
                identity: identity.identity, npk: exchange.keys.npk, name: ShortText(names.pairingName),
                vendor: ShortText(names.vendorName), model: ShortText(names.modelName),
                services: [ShortText(service)],
                pairedAt: date, lastSeen: date, lifetime: identity.lifetime)
        else { die("a pairing's NPK has the wrong length") }
        devices.add(device)
        peers[peer]?.attempt = nil
        var actions = dropOtherAddresses(of: device.id, but: peer)
        peers[peer]?.association = Peer.Association(
            device: device.id, keys: exchange.keys, finished: exchange)
        let shown = names.pairingName.isEmpty ? device.id : names.pairingName.printable
        actions += [.save(device), .tell(.paired(device: device.id, name: names.pairingName))]
        actions += perform(window.succeed(by: peer), at: now)
        notice = Notice(.paired(shown), ends: now + Notice.resultTime)
        return actions
    }
}

// MARK: The window

extension Accessory {
    mutating func perform(_ actions: [PairingWindow.Action], at now: Instant) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .opened(let seconds):
                notice = nil
                if !publisher.isPairingOn { result.append(.tell(.pairingOpened(seconds: seconds))) }
            case .closed:
                result.append(.tell(.pairingClosed))
            case .asked:
                notice = nil
            case .locked(let seconds):
                result.append(.tell(.locked(seconds: seconds)))
            }
        }
        announcePairing()
        return result
    }

    private mutating func announcePairing() {
        publisher.isPairingOn = window.isOpen
        let pairing = pairingCapabilities
        _ = withStation { station in
            station.end.profile.pairing = pairing
            return []
        }
    }

    /// Ends every attempt to pair, because the owner closes the window.
    mutating func stopAttempts(at now: Instant) -> [Action] {
        var actions: [Action] = []
        for address in peers.keys.sorted() {
            switch peers[address]?.attempt {
            case .asked: peers[address]?.attempt = nil
            case .setup, .exchanging:
                peers[address]?.attempt = nil
                if peers[address]?.isAssociated == false { actions.append(.radio(.removePeer(address))) }
            case .verification, nil: break
            }
        }
        return actions
    }

    /// Drops attempts that the window has given up.
    mutating func stopStaleAttempts(_ actions: inout [Action]) {
        for address in peers.keys.sorted() where !window.isAttempt(of: address) {
            switch peers[address]?.attempt {
            case .asked: peers[address]?.attempt = nil
            case .setup, .exchanging:
                peers[address]?.attempt = nil
                if peers[address]?.isAssociated == false { actions.append(.radio(.removePeer(address))) }
            case .verification, nil: break
            }
            if peers[address]?.attempt == nil, peers[address]?.association == nil { peers[address] = nil }
        }
    }

    mutating func advance(_ address: MACAddress, to now: Instant) -> [Action] {
        guard let peer = peers[address], let deadline = peer.deadline, deadline <= now else { return [] }
        var actions: [Action] = []
        if let attempt = peer.attempt {
            if var responder = attempt.responder {
                let due = responder.advance(to: now)
                peers[address]?.attempt = attempt.with(responder)
                actions += perform(due, for: address, at: now)
            } else if case .exchanging(var exchange) = attempt {
                let due = exchange.responder.advance(to: now)
                peers[address]?.attempt = .exchanging(exchange)
                actions += perform(due, exchange, for: address, at: now)
            }
        }
        return actions + advancePaths(of: address, to: now)
    }
}
