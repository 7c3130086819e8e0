import Crypto
import Ports
import Wire

extension ActiveRadio {
    private static let pathLimit = 16
    private static let peerLimit = 64
    private static let pendingLimit = 64
    /// A management frame: its header of 24 octets and the start of a body.
    private static let frameRange = 26...24 + FrameWriter.managementLimit
    private static let availabilityLimit = 1024
    private static let keyCount = 16

    /// Does what is asked of a running radio.
    func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) -> [RadioEvent] {
        switch request {
        case .start, .stop: die("a running radio is asked to start or stop")
        case .send(let frame, let cookie): try send(frame, cookie)
        case .setLocalSchedule(let schedule): try setLocalSchedule(schedule)
        case .addPeer(let peer): try add(peer)
        case .setPeerSchedule(let peer, let schedule): try setSchedule(schedule, of: peer)
        case .removePeer(let peer): try remove(peer)
        case .installPairingKey(let peer, let key): try install(key, for: peer)
        case .removePairingKey(let peer):
            try require(peer)
            try link.owner.ask(link.requests.removePairwiseKey(for: peer, at: device))
            peers[peer]?.hasKey = false
        case .openDataPath(let peer, let key): return [try open(peer, key, at: now)]
        case .closeDataPath(let interface):
            guard paths[interface] != nil else {
                throw RadioError(.unknownPeer, "no data path to \(interface)")
            }
            try close(interface)
        }
        return []
    }

    // MARK: Frames

    private func send(_ frame: [UInt8], _ cookie: UInt32) throws(RadioError) {
        guard cluster != nil else { throw RadioError(.notRunning, "no cluster was joined yet") }
        guard Self.frameRange ~= frame.count else {
            throw RadioError(.malformed, "not a management frame of this station")
        }
        let receiver = MACAddress(of: frame, at: 4)
        let transmitter = MACAddress(of: frame, at: 10)
        let sender: WirelessDevice
        switch transmitter {
        case address: sender = device
        case dataInterface.address: sender = dataInterface.device
        default: throw RadioError(.malformed, "not a management frame of this station")
        }
        let isAction = frame[0] == Self.action
        guard isAction || frame[0] == Self.authentication else {
            throw RadioError(.malformed, "only authentication and action frames are sent on request")
        }
        if isAction, frame[24] == Self.protectedDual {
            guard peers[receiver]?.hasKey == true || paths[receiver] != nil else {
                throw RadioError(.unknownPeer, "no key for a protected frame to \(receiver)")
            }
        }
        guard pending.count < Self.pendingLimit else { throw RadioError(.noRoom, "too many frames wait") }
        let replies = try link.owner.ask(link.requests.send(frame, isAction: isAction, from: sender))
        guard let reply = replies.first, let kernelCookie = try? WirelessReply.cookie(reply) else {
            throw RadioError(.malformed, "the kernel gives a frame no cookie")
        }
        pending.append(
            Pending(kernelCookie: kernelCookie, cookie: cookie, isMulticast: receiver.isMulticast))
    }

    /// First octets of frames, and the category of protected dual action frames.
    private static let action: UInt8 = 0xd0
    private static let authentication: UInt8 = 0xb0
    private static let protectedDual: UInt8 = 9

    // MARK: Schedules

    private func setLocalSchedule(_ schedule: LocalSchedule) throws(RadioError) {
        guard 1...Self.availabilityLimit ~= schedule.availability.count else {
            throw RadioError(.malformed, "a schedule without its availability attribute")
        }
        guard let channel = ScheduleChannel(frequency: schedule.frequency, receiveStreams: receiveStreams)
        else {
            throw RadioError(.malformed, "\(schedule.frequency) MHz is no channel of the 2.4 GHz band")
        }
        // Linux 7.3 takes none without slots: the attribute would have to be empty, and have three octets. Where it has
        // left the channel by itself there is nothing to be told.
        guard schedule.slots != 0 else {
            self.channel = nil
            return
        }
        try link.owner.ask(link.requests.setLocalSchedule(schedule, channel: channel, of: device))
        self.channel = channel
    }

    private func setSchedule(_ schedule: PeerSchedule, of peer: MACAddress) throws(RadioError) {
        try require(peer)
        try link.owner.ask(
            link.requests.setPeerSchedule(schedule, of: peer, channel: channel, at: device))
    }

    // MARK: Peers and their keys

    private func require(_ peer: MACAddress) throws(RadioError) {
        guard peers[peer] != nil else { throw RadioError(.unknownPeer, "no station \(peer)") }
    }

    private func add(_ peer: MACAddress) throws(RadioError) {
        guard peers[peer] == nil else { return }
        guard !peer.isMulticast, peer != address else {
            throw RadioError(.malformed, "\(peer) is no station's address")
        }
        guard peers.count < Self.peerLimit else { throw RadioError(.noRoom, "too many peers") }
        try link.owner.ask(
            link.requests.addStation(peer, flags: [.authenticated, .associated], at: device))
        peers[peer] = Peer()
    }

    /// What the kernel does not want to do here would be done with the station anyway.
    private func remove(_ peer: MACAddress) throws(RadioError) {
        try require(peer)
        for (interface, path) in paths where path.peer.management == peer { _ = try? close(interface) }
        peers[peer] = nil
        _ = try? link.owner.ask(link.requests.removePeerSchedule(of: peer, at: device))
        try link.owner.ask(link.requests.removeStation(peer, at: device))
    }

    /// Management frames are protected from the moment of the key, not before: authentication goes in clear.
    private func install(_ key: Key, for peer: MACAddress) throws(RadioError) {
        try require(peer)
        try check(key)
        try link.owner.ask(
            link.requests.setStation(
                peer, set: .protectsManagement, of: .protectsManagement, at: device))
        try link.owner.ask(link.requests.installPairwiseKey(key, for: peer, at: device))
        peers[peer]?.hasKey = true
    }

    private func check(_ key: Key) throws(RadioError) {
        guard key.secret.count == Self.keyCount else {
            throw RadioError(.malformed, "a CCMP-128 key has 16 octets")
        }
    }

    // MARK: Data paths

    private func open(_ peer: DataPeer, _ key: Key?, at now: Instant) throws(RadioError) -> RadioEvent {
        try require(peer.management)
        if let key { try check(key) }
        try check(peer)
        if paths[peer.address] != nil { try close(peer.address) }
        guard paths.count < Self.pathLimit else { throw RadioError(.noRoom, "too many data paths") }
        try authorize(peer)
        do throws(RadioError) {
            try addStation(of: peer, key)
            try route.ask(
                RouteRequests.addNeighbour(
                    peer.interfaceIdentifier, at: peer.address, on: dataInterface.index))
        } catch {
            removeStation(of: peer)
            throw error
        }
        let check = peer.idlePeriod == 0 ? nil : now + TimeUnits.seconds(UInt32(peer.idlePeriod))
        paths[peer.address] = Path(peer: peer, check: check)
        let scope = dataInterface.index
        return .dataPathOpened(
            peer.address, own: .linkLocal(identifier: dataInterface.identifier, scope: scope),
            peer: .linkLocal(identifier: peer.interfaceIdentifier, scope: scope))
    }

    /// A peer chooses its addresses: those of another or our own would take their traffic.
    private func check(_ peer: DataPeer) throws(RadioError) {
        guard !peer.address.isMulticast, peer.address != dataInterface.address, peers[peer.address] == nil
        else { throw RadioError(.malformed, "\(peer.address) is no data interface's address") }
        if let known = paths[peer.address], known.peer.management != peer.management {
            throw RadioError(.malformed, "\(peer.address) is another peer's data interface")
        }
        guard peer.interfaceIdentifier != dataInterface.identifier else {
            throw RadioError(.malformed, "a peer with our own interface identifier")
        }
        for (address, path) in paths
        where address != peer.address && path.peer.interfaceIdentifier == peer.interfaceIdentifier {
            throw RadioError(.malformed, "two peers with one interface identifier")
        }
    }

    /// Before the first path to a peer the kernel has to know what its receiver can do.
    private func authorize(_ peer: DataPeer) throws(RadioError) {
        guard peers[peer.management]?.isAuthorized == false else { return }
        try link.owner.ask(
            link.requests.setStation(
                peer.management, set: .authorized, of: .authorized,
                htCapabilities: peer.htCapabilities.count == Self.htCount ? peer.htCapabilities : [],
                vhtCapabilities: peer.vhtCapabilities.count == Self.vhtCount ? peer.vhtCapabilities : [],
                at: device))
        peers[peer.management]?.isAuthorized = true
    }

    /// Lengths of the elements' bodies.
    private static let htCount = 26
    private static let vhtCount = 12

    /// With a key nothing flows before it is installed.
    private func addStation(of peer: DataPeer, _ key: Key?) throws(RadioError) {
        let requests = link.requests
        let interface = dataInterface.device
        var flags: Wireless.StationFlags = [.authenticated, .associated]
        flags.insert(key == nil ? .authorized : .protectsManagement)
        try link.owner.ask(
            requests.addStation(peer.address, flags: flags, management: peer.management, at: interface))
        guard let key else { return }
        try link.owner.ask(requests.installPairwiseKey(key, for: peer.address, at: interface))
        try link.owner.ask(
            requests.setStation(peer.address, set: .authorized, of: .authorized, at: interface))
    }

    private func close(_ interface: MACAddress) throws(RadioError) {
        guard let path = paths.removeValue(forKey: interface) else { return }
        removeStation(of: path.peer)
    }

    /// First nothing flows any more, then the key goes with the station.
    private func removeStation(of peer: DataPeer) {
        let requests = link.requests
        let interface = dataInterface.device
        _ = try? link.owner.ask(
            requests.setStation(peer.address, set: [], of: .authorized, at: interface))
        _ = try? link.owner.ask(requests.removeStation(peer.address, at: interface))
        _ = try? route.ask(RouteRequests.removeNeighbour(peer.interfaceIdentifier, on: dataInterface.index))
    }
}

extension MACAddress {
    /// The caller has made sure that six octets are there.
    fileprivate init(of frame: [UInt8], at place: Int) {
        self.init(rawValue: frame[place..<place + 6].reduce(0) { $0 << 8 | UInt64($1) })
    }
}
