import Ports
import Wire

extension ActiveStation {
    /// Stations are in one room.
    static let signal: Int8 = -40
    /// The time from a frame to its acknowledgement, which is how a sender knows what is acknowledged.
    ///
    /// - Spec: 802.11-2020 §10.3.2.3.3 (SIFS).
    static let interframeSpace: UInt64 = 10

    /// Sends what may be sent now, in the order of the queue; to each receiver one frame at a time.
    ///
    /// After the leave-taking (`isClosed`) multicast waits for the next window, answers still use the rest of this.
    mutating func transmit(
        in time: WindowTime, of cluster: Cluster, isWindowOpen: Bool, isClosed: Bool, at now: Instant
    ) {
        guard !queue.isEmpty else { return }
        var busy: [MACAddress] = []
        var index = 0
        while index < queue.count {
            let frame = queue[index]
            let isDone: Bool
            if frame.receiver.isMulticast {
                isDone = isWindowOpen && !isClosed
                if isDone { sendOnce(frame, at: now) }
            } else {
                let mayBegin = !busy.contains(frame.receiver)
                let isHeard =
                    isWindowOpen && frame.usesWindows
                    || commonSlots(with: frame) >> UInt32(time.slot) & 1 == 1
                busy.append(frame.receiver)
                switch frame.progress {
                case .waiting: isDone = mayBegin && isHeard && !begin(index, at: now)
                case .onAir(let flight): isDone = !proceed(index, flight, isHeard: isHeard, at: now)
                }
            }
            if isDone { queue.remove(at: index) } else { index += 1 }
        }
    }

    /// The slots in which both ends listen to each other.
    func commonSlots(with frame: QueuedFrame) -> UInt32 {
        guard let schedule else { return 0 }
        let peer =
            switch frame.purpose {
            case .management: paths[frame.receiver]?.peer.management ?? frame.receiver
            case .data: paths[frame.receiver]?.peer.management ?? frame.receiver
            }
        return schedule.slots & (peers[peer]?.schedule?.slots ?? 0)
    }

    mutating func nextSequence() -> UInt16 {
        sequence = (sequence + 1) & 0x0fff
        return sequence
    }

    /// The air's time, later than that of any frame before.
    mutating func stamp(at now: Instant) -> UInt64 {
        lastSent = max(lastSent &+ 1, airTime(at: now))
        return lastSent
    }

    /// The station at the other end of an attempt has it.
    mutating func receiveAcknowledgement(_ datagram: AirDatagram) {
        let sent = datagram.time &- Self.interframeSpace
        for (index, frame) in queue.enumerated() {
            guard case .onAir(let flight) = frame.progress, flight.sent.contains(sent) else { continue }
            queue.remove(at: index)
            finish(frame, acknowledged: true)
            return
        }
    }

    mutating func acknowledge(_ head: FrameHead, _ datagram: AirDatagram) {
        guard let octets = try? FrameHead(acknowledgementTo: head.transmitter).octets() else {
            die("an acknowledgement cannot be written")
        }
        emit(octets, at: datagram.time &+ Self.interframeSpace)
    }

    private mutating func sendOnce(_ frame: QueuedFrame, at now: Instant) {
        var octets = frame.octets
        number(&octets)
        emit(octets, at: stamp(at: now))
        finish(frame, acknowledged: false)
    }

    /// The first attempt. False where the frame cannot be sent any more: its key is gone.
    private mutating func begin(_ index: Int, at now: Instant) -> Bool {
        let frame = queue[index]
        var octets = frame.octets
        number(&octets)
        guard let sealed = seal(octets, of: frame) else {
            finish(frame, acknowledged: false)
            return false
        }
        let time = stamp(at: now)
        emit(sealed, at: time)
        queue[index].progress = .onAir(
            QueuedFrame.Flight(
                octets: sealed, sent: [time], due: now + QueuedFrame.attemptInterval,
                verdict: now + QueuedFrame.patience))
        return true
    }

    /// Another attempt, where it is time for one. False where there was the last.
    private mutating func proceed(
        _ index: Int, _ current: QueuedFrame.Flight, isHeard: Bool, at now: Instant
    ) -> Bool {
        guard now >= current.due else { return true }
        guard now < current.verdict else {
            counters.unacknowledged += 1
            finish(queue[index], acknowledged: false)
            return false
        }
        var flight = current
        if isHeard, flight.sent.count < QueuedFrame.attemptLimit {
            flight.octets[1] |= FrameFlags.retry
            let time = stamp(at: now)
            flight.sent.append(time)
            flight.due = now + QueuedFrame.attemptInterval
            flight.verdict = now + QueuedFrame.patience
            emit(flight.octets, at: time)
        } else {
            flight.due = flight.verdict
        }
        queue[index].progress = .onAir(flight)
        return true
    }

    mutating func emit(_ octets: [UInt8], at time: UInt64) {
        put(
            .transmit(
                AirDatagram(time: time, frequency: AirStation.frequency, signal: Self.signal, frame: octets)))
    }

    private mutating func number(_ octets: inout [UInt8]) {
        let sequence = nextSequence()
        octets[22] = UInt8(truncatingIfNeeded: sequence << 4)
        octets[23] = UInt8(truncatingIfNeeded: sequence >> 4)
    }

    private mutating func seal(_ octets: [UInt8], of frame: QueuedFrame) -> [UInt8]? {
        switch frame.purpose {
        case .data:
            guard let path = paths[frame.receiver] else { return nil }
            guard path.link != nil else { return octets }
            return paths[frame.receiver]?.link?.seal(octets, headCount: FrameHead.dataCount)
        case .management:
            guard ActionCategory(of: octets) == .protectedDual else { return octets }
            if paths[frame.receiver] != nil {
                return paths[frame.receiver]?.link?.seal(octets, headCount: FrameHead.managementCount)
            }
            return peers[frame.receiver]?.link?.seal(octets, headCount: FrameHead.managementCount)
        }
    }

    private mutating func finish(_ frame: QueuedFrame, acknowledged: Bool) {
        switch frame.purpose {
        case .management(let cookie): report(.sent(cookie: cookie, acknowledged: acknowledged))
        case .data: if !acknowledged { counters.dropped += 1 }
        }
    }
}

/// The action frames that NAN stations exchange.
enum ActionCategory: UInt8 {
    case publicAction = 4
    case protectedDual = 9

    /// Nil for authentication frames and for what no NAN station sends.
    init?(of frame: [UInt8]) {
        guard frame.count > FrameHead.managementCount, frame[0] == 0xd0 else { return nil }
        self.init(rawValue: frame[FrameHead.managementCount])
    }
}
