import Aware
import Frames
import Ports
import Wire

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
            var device = PairedPeer(
                identity: identity.identity, npk: exchange.keys.npk, name: ShortText(names.pairingName),
                vendor: ShortText(names.vendorName), model: ShortText(names.modelName),
                services: [ShortText(service)],
                pairedAt: date, lastSeen: date, lifetime: identity.lifetime)
        else { die("a pairing's NPK has the wrong length") }
        let ties = tie(&device)
        devices.add(device)
        peers[peer]?.attempt = nil
        var actions = dropOtherAddresses(of: device.id, but: peer)
        peers[peer]?.association = Peer.Association(
            device: device.id, keys: exchange.keys, finished: exchange)
        let shown = names.pairingName.isEmpty ? device.id : names.pairingName.printable
        actions += [.save(device), .tell(.paired(device: device.id, name: names.pairingName))] + ties
        actions += perform(window.succeed(by: peer), at: now)
        notice = Notice(.paired(shown), ends: now + Notice.resultTime)
        return actions
    }
}
