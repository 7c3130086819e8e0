import Aware
import Crypto
import Frames
import Ports
import Wire

extension Accessory {
    private static let pathLimit = 4

    /// A frame about a data path. Only a paired device that has proved itself gets anything but a no.
    mutating func receiveDataPath(
        _ received: ReceivedAction, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        guard let name = DataPathName(of: received.frame) else {
            return receiveSchedule(received, from: peer, at: now)
        }
        guard let association = peers[peer]?.association else {
            return refuse(peer, "data path: \(DataPathRefusal.unpaired)", at: now)
                + reject(received, .securityPolicy, peer)
        }
        // There is a key with the peer, so that this is somebody else's, who could crowd the peer's data paths out.
        guard received.isProtected else {
            return refuse(peer, "data path: \(DataPathRefusal.unprotected)", at: now)
        }
        guard let path = association.paths.first(where: { $0.responder.name == name }) else {
            return beginPath(name, association, received, from: peer, at: now)
        }
        return receive(received, path, from: peer, at: now)
    }

    private mutating func beginPath(
        _ name: DataPathName, _ association: Peer.Association, _ received: ReceivedAction,
        from peer: MACAddress,
        at now: Instant
    ) -> [Action] {
        guard case .on(let station, _) = radio else { return [] }
        guard received.subtype == .dataPathRequest else {
            return refuse(peer, "data path: not one that is known", at: now)
        }
        // A no would end the peer's endeavour; it asks again.
        if case .lost = channel {
            return refuse(peer, "data path: the radio is needed on another channel", at: now)
        }
        guard association.paths.count < Self.pathLimit else {
            return refuse(peer, "data path: too many", at: now) + reject(received, .noResources, peer)
        }
        guard let service = publisher.publication(Self.publish(in: received.frame)) else {
            return refuse(peer, "data path: publish id is not ours", at: now)
                + reject(received, .invalidParameters, peer)
        }
        let services = publisher.publications.map {
            DataPathService(
                publish: $0.instance, identifier: $0.name.identifier, port: $0.port,
                transport: $0.name.transport)
        }
        let responder = DataPathResponder(
            name: name, peer: peer, own: station.end, services: services, master: association.keys.ndPMK,
            entropy: entropy)
        return receive(
            received,
            Peer.Path(
                responder: responder, service: service, stage: .negotiating),
            from: peer, at: now)
    }

    /// The service that a request names; zero, which is nobody's, where it names none.
    private static func publish(in frame: ActionFrame) -> UInt8 {
        (frame.dataPathExtension?.head ?? frame.dataPath?.head)?.publish ?? 0
    }

    /// Feeds a path's machine and keeps the path, unless its first frame is refused.
    private mutating func receive(
        _ received: ReceivedAction, _ path: Peer.Path, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        var path = path
        do throws(DataPathRefusal) {
            let actions = try path.responder.receive(received, besides: paths(but: peer), at: now)
            keep(path, of: peer)
            return perform(actions, path.responder.name, of: peer)
        } catch {
            let no = error.reason.map { reject(received, $0, peer) } ?? []
            return refuse(peer, "data path: \(error)", at: now) + no
        }
    }

    private mutating func reject(_ received: ReceivedAction, _ reason: Reason, _ peer: MACAddress) -> [Action]
    {
        let isStranger = isStranger(peer)
        return withStation { station in
            guard let body = DataPathResponder.rejection(of: received, reason: reason, as: station.end) else {
                return []
            }
            return station.outbox.send(body, to: peer, asCourtesy: isStranger)
        }
    }

    private mutating func perform(
        _ actions: [DataPathAction], _ name: DataPathName, of peer: MACAddress
    ) -> [Action] {
        var result: [Action] = []
        var reason = "asked for anew"
        for case .ended(let ending) in actions { reason = "\(ending)" }
        for action in actions {
            switch action {
            case .send(let body):
                result += withStation { $0.outbox.send(body, to: peer) }
            case .setPeerSchedule(let schedule):
                result.append(.radio(.setPeerSchedule(peer, schedule)))
            case .open(let dataPeer, let key):
                result += endPaths(of: peer, at: dataPeer.address, but: name)
                setStage(.opening(dataPeer.address), name, of: peer)
                result.append(.radio(.openDataPath(dataPeer, key: key)))
            case .established:
                break
            case .close(let address):
                result += closed(name, of: peer, reason)
                result.append(.radio(.closeDataPath(address)))
            case .ended:
                result += closed(name, of: peer, reason)
                remove(name, of: peer)
            }
        }
        return result
    }

    /// The radio lets data through: the service may be told.
    mutating func dataPathOpened(
        _ address: MACAddress, own: InternetAddress, peer internet: InternetAddress
    ) -> [Action] {
        for (peer, known) in peers {
            for path in known.association?.paths ?? [] {
                guard case .opening(address) = path.stage, let id = known.association?.device,
                    let device = devices.device(id)
                else { continue }
                let open = ServicePath(
                    device: id, name: device.name.text,
                    own: SocketAddress(address: own, port: path.service.port), peer: internet)
                setStage(.open(address, open), path.responder.name, of: peer)
                let service = path.service.name.text
                return [
                    .open(service: service, open),
                    .tell(.connected(device: id, name: device.name.text, service: service)),
                ]
            }
        }
        return [.radio(.closeDataPath(address))]
    }

    /// The peer believes that it is connected: it is told otherwise, so that it asks again.
    mutating func cannotOpen(_ dataPeer: DataPeer) -> [Action] {
        for path in peers[dataPeer.management]?.association?.paths ?? [] {
            guard case .opening(dataPeer.address) = path.stage else { continue }
            return endPath(path.responder.name, of: dataPeer.management, .stopped)
        }
        return []
    }

    mutating func dataPathIdle(_ address: MACAddress) -> [Action] {
        for (peer, known) in peers {
            for path in known.association?.paths ?? []
            where path.responder.facts?.peerDataInterface == address {
                return endPath(path.responder.name, of: peer, .idle)
            }
        }
        return []
    }

    mutating func advancePaths(of peer: MACAddress, to now: Instant) -> [Action] {
        var actions: [Action] = []
        for path in peers[peer]?.association?.paths ?? [] {
            guard let deadline = path.responder.deadline, deadline <= now else { continue }
            var path = path
            let due = path.responder.advance(to: now)
            keep(path, of: peer)
            actions += perform(due, path.responder.name, of: peer)
        }
        return actions
    }

    mutating func endPaths(of peer: MACAddress, _ ending: DataPathEnding) -> [Action] {
        var actions: [Action] = []
        for path in peers[peer]?.association?.paths ?? [] {
            actions += endPath(path.responder.name, of: peer, ending)
        }
        return actions
    }

    mutating func endPath(_ name: DataPathName, of peer: MACAddress, _ ending: DataPathEnding) -> [Action] {
        guard var path = peers[peer]?.association?.paths.first(where: { $0.responder.name == name }) else {
            return []
        }
        let actions = path.responder.stop(ending)
        keep(path, of: peer)
        return perform(actions, name, of: peer)
    }

    /// A peer that has forgotten its data path may ask for another one at the same interface.
    private mutating func endPaths(
        of peer: MACAddress, at interface: MACAddress, but name: DataPathName
    ) -> [Action] {
        var actions: [Action] = []
        for path in peers[peer]?.association?.paths ?? []
        where path.responder.name != name && path.responder.facts?.peerDataInterface == interface {
            actions += endPath(path.responder.name, of: peer, .stopped)
        }
        return actions
    }

    /// The data paths of all other devices.
    private func paths(but peer: MACAddress) -> [DataPathFacts] {
        var facts: [DataPathFacts] = []
        for (address, known) in peers where address != peer {
            for path in known.association?.paths ?? [] {
                if let found = path.responder.facts { facts.append(found) }
            }
        }
        return facts
    }

    private mutating func keep(_ path: Peer.Path, of peer: MACAddress) {
        var paths = peers[peer]?.association?.paths ?? []
        if let index = paths.firstIndex(where: { $0.responder.name == path.responder.name }) {
            paths[index] = path
        } else {
            paths.append(path)
        }
        peers[peer]?.association?.paths = paths
    }

    private mutating func remove(_ name: DataPathName, of peer: MACAddress) {
        peers[peer]?.association?.paths.removeAll { $0.responder.name == name }
    }

    private mutating func setStage(_ stage: Peer.Path.Stage, _ name: DataPathName, of peer: MACAddress) {
        guard var path = peers[peer]?.association?.paths.first(where: { $0.responder.name == name }) else {
            return
        }
        path.stage = stage
        keep(path, of: peer)
    }

    /// The service loses a path that was open.
    private mutating func closed(_ name: DataPathName, of peer: MACAddress, _ reason: String) -> [Action] {
        guard let path = peers[peer]?.association?.paths.first(where: { $0.responder.name == name }),
            case .open(_, let open) = path.stage
        else { return [] }
        setStage(.negotiating, name, of: peer)
        let service = path.service.name.text
        return [
            .close(service: service, open),
            .tell(
                .disconnected(
                    device: open.device, name: open.name, service: service, reason: reason)),
        ]
    }
}

// MARK: Schedules

extension Accessory {
    /// A peer with a data path changes when it is there.
    private mutating func receiveSchedule(
        _ received: ReceivedAction, from peer: MACAddress, at now: Instant
    ) -> [Action] {
        guard case .on(let station, _) = radio else { return [] }
        guard peers[peer]?.association?.paths.isEmpty == false else {
            return refuse(peer, "schedule: there is no data path", at: now)
        }
        do throws(DataPathRefusal) {
            let outcome = try ScheduleExchange.receive(
                received, as: station.profile, isPaired: true, cluster: MACAddress(random: entropy.number64())
            )
            return [.radio(.setPeerSchedule(peer, outcome.schedule))] + send(outcome.answer, to: peer)
        } catch {
            var no: [UInt8]?
            if received.isProtected, let reason = error.reason {
                no = ScheduleExchange.rejection(of: received, reason: reason, as: station.profile)
            }
            return refuse(peer, "schedule: \(error)", at: now) + send(no, to: peer)
        }
    }

    private mutating func send(_ body: [UInt8]?, to peer: MACAddress) -> [Action] {
        guard let body else { return [] }
        return withStation { $0.outbox.send(body, to: peer) }
    }
}
