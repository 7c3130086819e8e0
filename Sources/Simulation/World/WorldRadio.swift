import Crypto
public import Ports
public import Wire

/// A station in a ``World``.
public final class WorldRadio: Radio {

    /// Out of everybody's reach: nothing is heard, nothing arrives.
    public var isAway = false
    /// Stations of different groups do not hear each other.
    public var group = 0

    /// Datagrams that came over data paths, oldest first. The oldest are forgotten when there are very many.
    public private(set) var arrived: [PathDatagram] = []

    private static let arrivedLimit = 1024

    private var station: AirStation
    private var events = EventQueue<RadioEvent>()
    private var inbox = EventQueue<Arrival>()
    /// What the world has not carried to the others yet.
    private var outbox: [AirDatagram] = []

    private struct Arrival {
        var time: Instant
        var datagram: AirDatagram
    }

    init(entropy: any Entropy) {
        station = AirStation(entropy: entropy)
    }

    public var counters: AirCounters { station.counters }
    /// Its data interface's address. Nil while stopped.
    public var dataInterface: MACAddress? { station.dataInterface }

    public var deadline: Instant? { events.isEmpty ? airDeadline : Instant(microseconds: 0) }

    public func addDescriptors(to set: inout DescriptorSet) {}

    public func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        switch request {
        case .start, .stop:
            events.removeAll()
            inbox.removeAll()
            carryOut(try station.perform(request, at: now))
        case .openDataPath(let peer, _):
            guard let own = station.dataInterface else {
                throw RadioError(.notRunning, "the radio is not started")
            }
            carryOut(try station.perform(request, at: now))
            events.append(
                .dataPathOpened(
                    peer.address, own: .v4(LoopbackAddress.own(own)),
                    peer: .v4(LoopbackAddress.alias(of: peer.address, at: own))))
        case .send, .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey, .closeDataPath:
            carryOut(try station.perform(request, at: now))
        }
    }

    public func nextEvent(at now: Instant) -> RadioEvent? {
        if events.isEmpty, isDue(at: now) { turn(at: now) }
        return events.next()
    }

    /// Sends as a program on this station would.
    public func send(_ datagram: PathDatagram, at now: Instant) {
        carryOut(station.send(datagram, at: now))
    }

    /// The radio goes away, as when it is pulled out. It can be started again.
    public func breakDown(at now: Instant) {
        _ = try? station.perform(.stop, at: now)
        inbox.removeAll()
        events.append(.stopped(RadioError(.gone, "the radio went away")))
    }

    /// Takes what arrived out of ``arrived``.
    public func takeArrived() -> [PathDatagram] {
        let taken = arrived
        arrived = []
        return taken
    }

    /// When the air has something for it, whether or not its owner has taken its events.
    var airDeadline: Instant? {
        outbox.isEmpty ? .earliest(station.deadline, inbox.first?.time) : Instant(microseconds: 0)
    }

    func takeOutbox() -> [AirDatagram] {
        guard !outbox.isEmpty else { return [] }
        let taken = outbox
        outbox = []
        return taken
    }

    func isDue(at now: Instant) -> Bool {
        if let time = airDeadline { time <= now } else { false }
    }

    func arrive(_ datagram: AirDatagram, at time: Instant) {
        guard station.deadline != nil else { return }
        inbox.insert(Arrival(time: time, datagram: datagram), comesBefore: { $0.time <= $1.time })
    }

    func turn(at now: Instant) {
        var datagrams: [AirDatagram] = []
        while let arrival = inbox.first, arrival.time <= now {
            _ = inbox.next()
            datagrams.append(arrival.datagram)
        }
        carryOut(station.receive(datagrams, at: now))
    }

    private func carryOut(_ actions: [AirAction]) {
        for action in actions {
            switch action {
            case .transmit(let datagram): outbox.append(datagram)
            case .report(let event): events.append(event)
            case .deliver(let datagram):
                if arrived.count == Self.arrivedLimit { arrived.removeFirst() }
                arrived.append(datagram)
            }
        }
    }
}
