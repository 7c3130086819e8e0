import Aware
import Frames
import Ports
import Wire

extension Accessory {
    mutating func perform(_ actions: [PairingWindow.Action], at now: Instant) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .opened(let seconds):
                notice = nil
                if !publisher.isPairingOn { result.append(.tell(.pairingOpened(seconds: seconds))) }
            case .closed:
                bluetooth.claims = []
                bluetooth.opener = nil
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
    mutating func stopAttempts() -> [Action] {
        var actions: [Action] = []
        for address in peers.keys.sorted() { actions += stopAttempt(of: address) }
        return actions
    }

    /// Drops attempts that the window has given up.
    mutating func stopStaleAttempts(_ actions: inout [Action]) {
        for address in peers.keys.sorted() where !window.isAttempt(of: address) {
            actions += stopAttempt(of: address)
            if peers[address]?.attempt == nil, peers[address]?.association == nil { peers[address] = nil }
        }
    }

    private mutating func stopAttempt(of peer: MACAddress) -> [Action] {
        switch peers[peer]?.attempt {
        case .asked:
            peers[peer]?.attempt = nil
            return []
        case .setup, .exchanging:
            peers[peer]?.attempt = nil
            return peers[peer]?.isAssociated == false ? [.radio(.removePeer(peer))] : []
        case .verification, nil:
            return []
        }
    }
}
