import Aware
import Ports
import Wire

/// The table of peers: who is in it, who makes room, and how somebody leaves it.
extension Accessory {
    /// A good-bye leaves in the next common slot, or in a discovery window.
    private static let farewellWindows = 4

    /// Makes sure that there is an entry for the peer, in place of an older one if need be.
    mutating func makeRoom(for peer: MACAddress, at now: Instant, _ actions: inout [Action]) -> Bool {
        if peers[peer] == nil, peers.count >= Self.peerLimit {
            guard let oldest = oldestPeer else { return false }
            actions += dropPeer(oldest, .stopped)
        }
        peers[peer, default: Peer(heard: now)].heard = now
        return true
    }

    /// Whether ``makeRoom(for:at:_:)`` would find room.
    func hasRoom(for peer: MACAddress) -> Bool {
        peers[peer] != nil || peers.count < Self.peerLimit || oldestPeer != nil
    }

    /// The peer heard longest ago of those with which nothing is going on.
    private var oldestPeer: MACAddress? {
        var oldest: MACAddress?
        for (address, known) in peers
        where known.attempt == nil && known.association?.paths.isEmpty != false {
            if let found = oldest, let other = peers[found], other.heard <= known.heard { continue }
            oldest = address
        }
        return oldest
    }

    /// Ends everything with a peer at this address, and forgets the address.
    mutating func dropPeer(_ peer: MACAddress, _ ending: DataPathEnding) -> [Action] {
        let actions = endPaths(of: peer, ending)
        guard peers.removeValue(forKey: peer) != nil else { return actions }
        guard case .on(let station, _) = radio else { return actions }
        guard station.outbox.isWaiting(for: peer) else { return actions + [.radio(.removePeer(peer))] }
        leaving[peer] = Self.farewellWindows
        return actions
    }

    /// The radio forgets a peer, and the key with it, when what we had to say to it has left.
    mutating func removeLeavers(afterWindow: Bool = false) -> [Action] {
        guard !leaving.isEmpty, case .on(let station, _) = radio else { return [] }
        var actions: [Action] = []
        for (peer, windows) in leaving {
            let left = afterWindow ? windows - 1 : windows
            leaving[peer] = left
            if left <= 0 || !station.outbox.isWaiting(for: peer) {
                leaving[peer] = nil
                actions.append(.radio(.removePeer(peer)))
            }
        }
        return actions
    }

    /// A device has one address at a time.
    mutating func dropOtherAddresses(of id: String, but peer: MACAddress) -> [Action] {
        var actions: [Action] = []
        for (address, known) in peers where address != peer && known.association?.device == id {
            actions += dropPeer(address, .stopped)
        }
        return actions
    }

    /// What is due with the peer.
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
