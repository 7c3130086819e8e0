import Aware
import Frames
import Ports
import Wire

extension Accessory {
    /// Takes a frame in, if it is one for us at all.
    mutating func receive(_ received: ReceivedFrame, at now: Instant) -> [Action] {
        guard case .on(let station) = radio else { return [] }
        let header: ManagementHeader
        let body: [UInt8]
        do throws(WireError) {
            var reader = FrameReader(received.octets.span.bytes)
            header = try ManagementHeader(parsing: &reader)
            body = reader.rest()
        } catch {
            refusals.add("frame: malformed header")
            return []
        }
        guard header.receiver == station.profile.address || header.receiver == .nanNetwork else { return [] }
        guard !header.transmitter.isMulticast, header.transmitter != station.profile.address else {
            refusals.add("frame: impossible transmitter")
            return []
        }
        guard header.cluster == station.outbox.cluster else {
            refusals.add("frame: another cluster's")
            return []
        }
        switch header.subtype {
        case .action: return receiveAction(body, header, station, at: now)
        case .authentication: return authenticate(body, from: header.transmitter, at: now)
        default: return []
        }
    }

    private mutating func receiveAction(
        _ body: [UInt8], _ header: ManagementHeader, _ station: Station, at now: Instant
    ) -> [Action] {
        let received: ReceivedAction
        do throws(DataPathRefusal) {
            received = try ReceivedAction(parsing: body, isEncrypted: header.isProtected)
        } catch {
            return refuse(header.transmitter, "action frame: \(error)", at: now)
        }
        if received.isProtected {
            guard peers[header.transmitter]?.isTrusted == true else {
                return refuse(header.transmitter, "action frame: protected by nobody we know", at: now)
            }
            peers[header.transmitter]?.heard = now
        }
        switch received.frame.kind {
        case .serviceDiscovery: return discover(received, from: header.transmitter, station, at: now)
        case .action: return receiveDataPath(received, from: header.transmitter, at: now)
        }
    }

    private mutating func discover(
        _ received: ReceivedAction, from peer: MACAddress, _ station: Station, at now: Instant
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
        return withStation { station in
            var actions: [Action] = []
            for attributes in publisher.answers(
                to: question, from: station.profile, identity: station.resolution)
            {
                actions += station.send(
                    ActionFrame(kind: .serviceDiscovery, isProtectedDual: isProtected, attributes: attributes),
                    to: peer)
            }
            return actions
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
