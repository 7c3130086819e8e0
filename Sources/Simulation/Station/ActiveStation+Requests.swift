import Crypto
import Ports
import Wire

extension ActiveStation {
    /// Management frames that wait, at most; and datagrams to one peer.
    static let managementLimit = 64
    static let dataLimit = 64

    mutating func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        switch request {
        case .start, .stop: die("a running station is asked to start or stop")
        case .send(let octets, let cookie):
            try enqueue(octets, cookie: cookie)
            work(at: now)
        case .setLocalSchedule(let schedule):
            guard !schedule.availability.isEmpty else {
                throw RadioError(.malformed, "a schedule without its availability attribute")
            }
            guard schedule.frequency == AirStation.frequency else {
                throw RadioError(.malformed, "the simulated air has channel 6 only")
            }
            self.schedule = schedule
            work(at: now)
        case .addPeer(let address):
            guard peers[address] == nil else { return }
            guard !address.isMulticast else {
                throw RadioError(.malformed, "\(address) is no station's address")
            }
            guard peers.count < Self.peerLimit else { throw RadioError(.noRoom, "too many peers") }
            peers[address] = Peer()
        case .setPeerSchedule(let address, let schedule):
            try require(address)
            peers[address]?.schedule = schedule
            work(at: now)
        case .removePeer(let address):
            try require(address)
            peers[address] = nil
            for (interface, path) in paths where path.peer.management == address { close(interface) }
        case .installPairingKey(let address, let key):
            try require(address)
            try check(key)
            let link = link(for: key, replacing: peers[address]?.link)
            peers[address]?.link = link
        case .removePairingKey(let address):
            try require(address)
            peers[address]?.link = nil
        case .openDataPath(let peer, let key): try open(peer, key: key, at: now)
        case .closeDataPath(let interface):
            guard paths[interface] != nil else {
                throw RadioError(.unknownPeer, "no data path to \(interface)")
            }
            close(interface)
        }
    }

    mutating func send(_ datagram: PathDatagram, at now: Instant) {
        guard case .joined(let cluster) = phase, let path = paths[datagram.peer] else {
            counters.dropped += 1
            return
        }
        let packet = PathPacket(
            source: dataInterface.interfaceIdentifier, destination: path.peer.interfaceIdentifier,
            sourcePort: datagram.sourcePort, destinationPort: datagram.destinationPort,
            payload: datagram.payload)
        let head = FrameHead(
            .data, receiver: datagram.peer, transmitter: dataInterface, cluster: cluster.id)
        var waiting = 0
        for frame in queue where !frame.usesWindows && frame.receiver == datagram.peer { waiting += 1 }
        guard waiting < Self.dataLimit, let header = try? head.octets(), let body = try? packet.octets()
        else {
            counters.dropped += 1
            return
        }
        let frame = QueuedFrame(purpose: .data, receiver: datagram.peer, octets: header + body)
        guard commonSlots(with: frame) != 0 else {
            counters.dropped += 1
            return
        }
        noteTraffic(with: datagram.peer, at: now)
        queue.append(frame)
        work(at: now)
    }

    private mutating func enqueue(_ octets: [UInt8], cookie: UInt32) throws(RadioError) {
        guard case .joined = phase else { throw RadioError(.notRunning, "no cluster was joined yet") }
        guard octets.count > FrameHead.managementCount,
            octets.count <= FrameHead.managementCount + FrameWriter.managementLimit,
            let head = try? FrameHead(parsing: octets), !head.isProtected,
            head.transmitter == configuration.managementAddress || head.transmitter == dataInterface
        else { throw RadioError(.malformed, "not a management frame of this station") }
        switch head.kind {
        case .authentication: break
        case .action:
            guard let category = ActionCategory(of: octets) else {
                throw RadioError(.malformed, "an action frame of a category that NAN does not have")
            }
            if category == .protectedDual { try requireKey(for: head.receiver) }
        case .beacon, .data, .acknowledgement, .other:
            throw RadioError(.malformed, "only authentication and action frames are sent on request")
        }
        var waiting = 0
        for frame in queue where frame.usesWindows { waiting += 1 }
        guard waiting < Self.managementLimit else { throw RadioError(.noRoom, "too many frames wait") }
        queue.append(
            QueuedFrame(purpose: .management(cookie: cookie), receiver: head.receiver, octets: octets))
    }

    private mutating func open(_ peer: DataPeer, key: Key?, at now: Instant) throws(RadioError) {
        try require(peer.management)
        if let key { try check(key) }
        guard !peer.address.isMulticast, peers[peer.address] == nil else {
            throw RadioError(.malformed, "\(peer.address) is no data interface's address")
        }
        guard paths[peer.address] != nil || paths.count < Self.pathLimit else {
            throw RadioError(.noRoom, "too many data paths")
        }
        let link: ProtectedLink? =
            if let key { self.link(for: key, replacing: paths[peer.address]?.link) } else { nil }
        paths[peer.address] = Path(peer: peer, link: link, used: now)
    }

    private mutating func close(_ interface: MACAddress) {
        paths[interface] = nil
        queue.removeAll { $0.receiver == interface && !$0.usesWindows }
    }

    private func require(_ peer: MACAddress) throws(RadioError) {
        guard peers[peer] != nil else { throw RadioError(.unknownPeer, "no station \(peer)") }
    }

    private func requireKey(for receiver: MACAddress) throws(RadioError) {
        guard peers[receiver]?.link != nil || paths[receiver]?.link != nil else {
            throw RadioError(.unknownPeer, "no key for a protected frame to \(receiver)")
        }
    }

    private func check(_ key: Key) throws(RadioError) {
        guard key.secret.count == CCMP.keyCount else {
            throw RadioError(.malformed, "a CCMP-128 key has 16 octets")
        }
    }

    /// A key that is installed again goes on counting: starting over would use packet numbers twice.
    private func link(for key: Key, replacing old: ProtectedLink?) -> ProtectedLink {
        if let old, old.key.secret.isEqual(to: key.secret) { return old }
        return ProtectedLink(key: key)
    }
}
