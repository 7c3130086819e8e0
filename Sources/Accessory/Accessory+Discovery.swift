import Aware
import Frames
import Ports
import Wire

extension Accessory {
    /// Takes a frame in, if it is one for us at all.
    mutating func receive(_ received: ReceivedFrame, at now: Instant) -> [Action] {
        guard case .on(let station, _) = radio else { return [] }
        do throws(Station.Refusal) {
            guard let accepted = try station.accept(received) else { return [] }
            switch accepted.header.subtype {
            case .action: return receiveAction(accepted, at: now)
            case .authentication:
                return authenticate(accepted.body, from: accepted.header.transmitter, at: now)
            default: return []
            }
        } catch {
            refusals.add("frame: \(error)")
            return []
        }
    }

    private mutating func receiveAction(_ accepted: Station.Accepted, at now: Instant) -> [Action] {
        let peer = accepted.header.transmitter
        let received: ReceivedAction
        do throws(DataPathRefusal) {
            received = try ReceivedAction(parsing: accepted.body, isEncrypted: accepted.header.isProtected)
        } catch {
            return refuse(peer, "action frame: \(error)", at: now)
        }
        if received.isProtected {
            guard peers[peer]?.isTrusted == true else {
                return refuse(peer, "action frame: protected by nobody we know", at: now)
            }
            peers[peer]?.heard = now
        }
        switch received.frame.kind {
        case .serviceDiscovery: return discover(received, from: peer, at: now)
        case .action: return receiveDataPath(received, from: peer, at: now)
        }
    }

    private mutating func discover(
        _ received: ReceivedAction, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        var actions: [Action] = []
        for descriptor in received.frame.serviceDescriptors {
            switch descriptor.kind {
            case .publish: break
            case .subscribe: actions += answer(descriptor, from: peer)
            case .followUp: actions += followUp(descriptor, received, from: peer, at: now)
            }
        }
        return actions
    }

    private mutating func answer(_ question: ServiceDescriptor, from peer: MACAddress) -> [Action] {
        let publisher = self.publisher
        let isProtected = peers[peer]?.isAssociated == true
        let isStranger = isStranger(peer)
        return withStation { station in
            var requests: [RadioRequest] = []
            for attributes in publisher.answers(
                to: question, from: station.profile, identity: station.resolution)
            {
                requests += station.send(
                    discovery: attributes, to: peer, isProtected: isProtected, asCourtesy: isStranger)
            }
            return requests
        }
    }

    private mutating func followUp(
        _ descriptor: ServiceDescriptor, _ received: ReceivedAction, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        guard let publication = publisher.publication(descriptor.requestor),
            publication.name.identifier == descriptor.service
        else { return refuse(peer, "follow-up: not to a service of ours", at: now) }
        let context = FollowUp.Context(
            service: descriptor.service, own: publication.instance, peer: descriptor.instance)

        if let request = received.frame.pairingBootstrapping {
            return bootstrap(request, context, received, from: peer, at: now)
        }
        if let descriptor = received.frame.sharedKeyDescriptor {
            return exchangeIdentity(descriptor, received, from: peer, at: now)
        }
        return []
    }
}
