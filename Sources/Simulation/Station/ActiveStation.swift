import Crypto
import Ports
import Wire

/// A started station: its cluster, its peers, its queue.
///
/// Its parts are in files of their own: requests, cluster, transmission, reception.
struct ActiveStation {
    enum Phase {
        /// Listens for a cluster to join; founds one when nobody was heard until the end.
        case searching(until: Instant)
        case joined(Cluster)
    }

    struct Peer {
        var schedule: PeerSchedule?
        var link: ProtectedLink?
    }

    struct Path {
        var peer: DataPeer
        /// Nil on an open path.
        var link: ProtectedLink?
        var used: Instant
        var isIdleReported = false
    }

    /// A master beacons once a period, up to a window's length later than the time before.
    static let searchSpan = TimeUnits(512 + 16)
    static let peerLimit = 32
    static let pathLimit = 32

    let configuration: RadioConfiguration
    let dataInterface: MACAddress
    let rank: MasterRank
    let entropy: any Entropy
    let epoch: UInt64

    var phase: Phase
    var schedule: LocalSchedule?
    var peers: [MACAddress: Peer] = [:]
    var paths: [MACAddress: Path] = [:]
    var queue: [QueuedFrame] = []
    var duplicates = DuplicateFilter()
    var sequence: UInt16 = 0
    /// Frames are told apart by the time at which they were sent.
    var lastSent: UInt64 = 0
    var counters: AirCounters
    var deadline: Instant?

    private var actions: [AirAction] = []

    init(
        _ configuration: RadioConfiguration, counters: AirCounters, entropy: any Entropy, epoch: UInt64,
        at now: Instant
    ) {
        self.configuration = configuration
        self.counters = counters
        self.entropy = entropy
        self.epoch = epoch
        dataInterface = MACAddress(random: entropy.number64())
        rank = MasterRank(
            preference: configuration.masterPreference,
            randomFactor: UInt8(truncatingIfNeeded: entropy.number64()),
            address: configuration.managementAddress)
        let end = now + Self.searchSpan
        phase = .searching(until: end)
        deadline = end
    }

    mutating func report(_ event: RadioEvent) { actions.append(.report(event)) }
    mutating func put(_ action: AirAction) { actions.append(action) }

    mutating func takeActions() -> [AirAction] {
        guard !actions.isEmpty else { return [] }
        let taken = actions
        actions = []
        return taken
    }

    func airTime(at now: Instant) -> UInt64 { now.microseconds &+ epoch }

    /// Lets time pass: searches, takes part in windows, repeats what was not acknowledged.
    mutating func advance(to now: Instant) {
        if case .searching(let end) = phase, now >= end { found(at: now) }
        work(at: now)
    }

    /// Does what can be done now, and finds out when there is more. Ends every call from outside.
    mutating func work(at now: Instant) {
        guard case .joined(var cluster) = phase else { return }
        let time = cluster.time(at: airTime(at: now))
        if time.index > cluster.closed {
            takePart(in: time, of: &cluster, at: now)
        } else {
            transmit(
                in: time, of: cluster, isWindowOpen: time.position < WindowTime.window, isClosed: true,
                at: now)
        }
        phase = .joined(cluster)
        deadline = nextDeadline(of: cluster, time: time, at: now)
    }

    /// A turn in a window of which the station has not taken leave yet, or after windows that it slept through.
    private mutating func takePart(in time: WindowTime, of cluster: inout Cluster, at now: Instant) {
        var isDue = false
        if cluster.closed &+ 1 < time.index {
            cluster.closed = time.index &- 1
            isDue = true
        }
        let isOpen = time.position < WindowTime.window + WindowTime.lateness
        if isOpen {
            beacon(in: time, of: &cluster, at: now)
            transmit(in: time, of: cluster, isWindowOpen: true, isClosed: false, at: now)
        } else {
            transmit(in: time, of: cluster, isWindowOpen: false, isClosed: true, at: now)
        }
        if time.position >= WindowTime.masterClosing {
            cluster.closed = time.index
            cluster.review(in: time.index)
            isDue = true
        }
        guard isDue else { return }
        report(.windowDue)
        reportIdlePaths(at: now)
    }

    private mutating func reportIdlePaths(at now: Instant) {
        guard !paths.isEmpty else { return }
        for address in paths.keys.sorted() {
            guard let path = paths[address], path.peer.idlePeriod > 0, !path.isIdleReported else { continue }
            guard now >= path.used + .seconds(UInt32(path.peer.idlePeriod)) else { continue }
            paths[address]?.isIdleReported = true
            report(.dataPathIdle(address))
        }
    }

    private func nextDeadline(of cluster: Cluster, time: WindowTime, at now: Instant) -> Instant {
        let closing = cluster.master == nil ? WindowTime.masterClosing : WindowTime.closing
        var next = (cluster.closed &+ 1) &* WindowTime.period &+ closing
        var earliestRetry: Instant?
        var busy: [MACAddress] = []
        for frame in queue where !frame.receiver.isMulticast {
            if case .onAir(let flight) = frame.progress {
                busy.append(frame.receiver)
                earliestRetry = .earliest(earliestRetry, flight.due)
            } else if !busy.contains(frame.receiver) {
                busy.append(frame.receiver)
                if frame.usesWindows { next = min(next, (time.index &+ 1) &* WindowTime.period) }
                if let slot = time.nextSlot(of: commonSlots(with: frame)) { next = min(next, slot) }
            }
        }
        // Modulo 2⁶⁴ like all times of the air; what lies behind is due now.
        let ahead = Int64(bitPattern: next &- time.clusterTime)
        let scheduled = Instant(microseconds: now.microseconds &+ UInt64(max(ahead, 0)))
        return min(scheduled, earliestRetry ?? scheduled)
    }
}

/// Recognises the repetitions of a frame whose acknowledgement was lost.
///
/// - Spec: 802.11-2020 §10.3.2.14.
struct DuplicateFilter {
    /// Forgetting a station lets through one repetition at most.
    private static let limit = 64
    private var last: [MACAddress: UInt16] = [:]

    mutating func isRepetition(_ head: FrameHead) -> Bool {
        if head.isRetry, last[head.transmitter] == head.sequence { return true }
        if last.count >= Self.limit, last[head.transmitter] == nil { last.removeAll(keepingCapacity: true) }
        last[head.transmitter] = head.sequence
        return false
    }
}
