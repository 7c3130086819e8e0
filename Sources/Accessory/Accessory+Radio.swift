import Aware
import Crypto
import Frames
public import Ports
public import Wire

/// The radio's life: how it starts, what it reports, how it is lost, and when it takes another address.
extension Accessory {
    mutating func startRadio() -> [Action] {
        let address = MACAddress(random: entropy.number64())
        radio = .starting(address, after: reasonForLoss)
        return [
            .radio(
                .start(
                    RadioConfiguration(
                        managementAddress: address, masterPreference: configuration.masterPreference,
                        bands: configuration.bands,
                        discoveryBeaconInterval: configuration.discoveryBeaconInterval)))
        ]
    }

    /// The radio could not do what it was asked.
    public mutating func failed(_ request: RadioRequest, _ error: RadioError, at now: Instant) -> [Action] {
        if case .start = request { return lose(error, at: now) }
        refusals.add("radio: \(error.cause.words)")
        switch request {
        case .send(_, let cookie):
            return withStation { station in
                station.outbox.refused(cookie)
                return []
            }
        case .openDataPath(let peer, _):
            return cannotOpen(peer)
        case .setLocalSchedule(let schedule) where schedule.slots != 0:
            return loseChannel(at: now)
        case .start, .stop, .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey, .closeDataPath:
            return []
        }
    }

    /// Takes in what the radio reports.
    public mutating func receive(_ event: RadioEvent, at now: Instant) -> [Action] {
        switch event {
        case .started(let dataInterface, let interfaceIdentifier, let capabilities):
            return started(dataInterface, interfaceIdentifier, capabilities, at: now)
        case .clusterJoined(let cluster, _):
            return withStation { station in station.outbox.joined(cluster) }
                + (news.allows(at: now) ? [.tell(.clusterJoined(cluster))] : [])
        case .windowDue:
            return windowDue(at: now)
        case .received(let frame):
            return receive(frame, at: now)
        case .sent(let cookie, let acknowledged):
            if acknowledged { noteAnswer(cookie, at: now) }
            return withStation { station in station.outbox.sent(cookie, acknowledged: acknowledged) }
                + removeLeavers()
        case .dataPathOpened(let address, let own, let peer):
            return dataPathOpened(address, own: own, peer: peer)
        case .dataPathIdle(let address):
            return dataPathIdle(address)
        case .channelLost:
            return loseChannel(at: now)
        case .stopped(let error):
            return lose(error, at: now)
        }
    }

    private mutating func started(
        _ dataInterface: MACAddress, _ interfaceIdentifier: UInt64, _ capabilities: RadioCapabilities,
        at now: Instant
    ) -> [Action] {
        guard case .starting(let address, _) = radio else { return [] }
        let profile = StationProfile(
            address: address, radio: capabilities, pairing: pairingCapabilities,
            availability: LocalAvailability(), bands: configuration.bands)
        radio = .on(
            Station(
                end: DataPathEnd(
                    profile: profile, dataInterface: dataInterface, interfaceIdentifier: interfaceIdentifier,
                    idlePeriod: configuration.idleSeconds),
                identity: identity, entropy: entropy), since: now)
        return [
            .tell(.started(address: address)), .radio(.setLocalSchedule(profile.localSchedule)),
            .tell(.published(publisher.publications.map { $0.name.text })),
        ]
    }

    // MARK: The channel of data paths

    /// Where data paths are, besides the discovery windows.
    enum Channel: Equatable {
        case ours
        /// The radio needs it for something else.
        case lost(retry: Instant)
        /// Asked for again within this window.
        case tried
    }

    private static let channelPause = TimeUnits.seconds(5)

    /// Peers are told that their data paths end, in the discovery windows, which stay; and frames say from now on that
    /// we are nowhere else.
    private mutating func loseChannel(at now: Instant) -> [Action] {
        guard case .on = radio else { return [] }
        let isNews = channel == .ours
        channel = .lost(retry: now + Self.channelPause)
        var actions: [Action] = isNews ? [.tell(.channelLost)] : []
        for address in peers.keys.sorted() { actions += endPaths(of: address, .stopped) }
        return actions + commit(to: 0)
    }

    /// Where the radio still needs the channel for something else it refuses, or leaves again.
    private mutating func retryChannel(at now: Instant) -> [Action] {
        switch channel {
        case .lost(let retry) where retry <= now:
            channel = .tried
            return commit(to: LocalAvailability.allButTheWindow)
        case .tried:
            channel = .ours
            return [.tell(.channelRegained)]
        case .lost, .ours:
            return []
        }
    }

    private mutating func commit(to slots: UInt32) -> [Action] {
        withStation { station in
            station.end.profile.availability.commit(to: slots)
            return [.setLocalSchedule(station.profile.localSchedule)]
        }
    }

    /// Why the radio is off, also while it is tried again.
    private var reasonForLoss: String? {
        switch radio {
        case .lost(_, let reason): reason
        case .starting(_, let reason): reason
        case .off, .on: nil
        }
    }

    private mutating func lose(_ error: RadioError, at now: Instant) -> [Action] {
        let isNews = reasonForLoss != error.explanation
        radio = .lost(retry: now + Self.radioRetry, reason: error.explanation)
        leaving = [:]
        channel = .ours
        var actions: [Action] = isNews ? [.tell(.radioLost(error.explanation))] : []
        for address in peers.keys.sorted() { actions += dropPeer(address, .stopped) }
        return actions + perform(window.abandon(at: now), at: now)
    }

    private mutating func windowDue(at now: Instant) -> [Action] {
        if isAddressOld(at: now) { return changeAddress() }
        var actions = retryChannel(at: now)
        for (address, peer) in peers where peer.heard + Self.peerMemory <= now {
            if peer.attempt == nil, peer.association?.paths.isEmpty != false {
                actions += dropPeer(address, .idle)
            }
        }
        let publisher = self.publisher
        return actions
            + withStation { station in
                station.outbox.windowPassed()
                var requests: [RadioRequest] = []
                for attributes in publisher.unsolicited(from: station.profile, identity: station.resolution) {
                    requests += station.send(discovery: attributes, to: .nanNetwork)
                }
                return requests
            } + removeLeavers(afterWindow: true)
    }

    // MARK: Another address

    /// Whoever was heard a moment ago may be about to ask for a data path.
    private static let addressQuiet = TimeUnits.seconds(60)

    /// Whether the address has served its time, and nobody counts on it: a phone in the middle of something, or that
    /// may have seen us just now because the owner lets it pair, would have to begin again.
    private func isAddressOld(at now: Instant) -> Bool {
        guard configuration.addressSeconds > 0, case .on(_, let since) = radio,
            since + TimeUnits.seconds(configuration.addressSeconds) <= now
        else { return false }
        guard !window.isOpen, leaving.isEmpty, !publisher.publications.isEmpty else { return false }
        for peer in peers.values {
            guard peer.attempt == nil, peer.association?.paths.isEmpty != false,
                peer.heard + Self.addressQuiet <= now
            else { return false }
        }
        return true
    }

    /// The radio starts again as somebody else. Paired devices find us by our identity, which only they can read.
    private mutating func changeAddress() -> [Action] {
        peers = [:]
        channel = .ours
        return startRadio()
    }
}

extension RadioError.Cause {
    /// For the counts, which would grow if each reason named its station.
    fileprivate var words: String {
        switch self {
        case .notRunning: "not running"
        case .unknownPeer: "unknown peer"
        case .malformed: "malformed request"
        case .noRoom: "no room"
        case .gone: "gone"
        case .system(let number): "system error \(number)"
        }
    }
}
