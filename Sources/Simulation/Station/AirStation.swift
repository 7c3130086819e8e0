public import Crypto
public import Ports
public import Wire

/// One station of the simulated air: what the kernel, the firmware and the antenna do for a real one.
///
/// It is told the time and given datagrams, and answers each call with everything that has to be done. It keeps to
/// the contract of ``Ports/Radio``; a real radio, or a process's sockets, or a world in memory carry its datagrams.
public struct AirStation {
    /// The only NAN channel at 2.4 GHz, channel 6, in MHz.
    public static let frequency: UInt16 = 2437

    private let entropy: any Entropy
    private let epoch: UInt64
    private var active: ActiveStation?
    private var past = AirCounters()

    /// - Parameter epoch: what has to be added to instants, in microseconds and modulo 2⁶⁴, to get the air's time.
    public init(entropy: any Entropy, epoch: UInt64 = 0) {
        self.entropy = entropy
        self.epoch = epoch
    }

    /// What was refused and lost since the beginning.
    public var counters: AirCounters { active?.counters ?? past }

    /// When ``advance(to:)`` next has something to do. Nil while stopped.
    public var deadline: Instant? { active?.deadline }

    /// Its data interface's address. Nil while stopped.
    public var dataInterface: MACAddress? { active?.dataInterface }

    /// Does what is asked, or says why not.
    ///
    /// The answer to ``RadioRequest/openDataPath(_:key:)`` is the caller's to report: only it knows the addresses
    /// that programs use.
    public mutating func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) -> [AirAction] {
        switch request {
        case .start(let configuration): return try start(configuration, at: now)
        case .stop:
            stop()
            return []
        case .send, .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey, .openDataPath, .closeDataPath:
            guard active != nil else { throw RadioError(.notRunning, "the radio is not started") }
            try active?.perform(request, at: now)
            return active?.takeActions() ?? []
        }
    }

    /// Takes in all datagrams of other stations that have arrived by now, then lets time pass: an acknowledgement
    /// that waited for a busy process is not late.
    public mutating func receive(_ datagrams: [AirDatagram], at now: Instant) -> [AirAction] {
        for datagram in datagrams { active?.accept(datagram, at: now) }
        return advance(to: now)
    }

    /// Counts what came and was no datagram of a station.
    public mutating func refuseMalformed() {
        guard active != nil else {
            past.malformed += 1
            return
        }
        active?.counters.malformed += 1
    }

    /// Sends a program's datagram over an open data path. Where there is no room or no path, it is counted.
    public mutating func send(_ datagram: PathDatagram, at now: Instant) -> [AirAction] {
        active?.send(datagram, at: now)
        return active?.takeActions() ?? []
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [AirAction] {
        active?.advance(to: now)
        return active?.takeActions() ?? []
    }

    private mutating func start(
        _ configuration: RadioConfiguration, at now: Instant
    ) throws(RadioError) -> [AirAction] {
        try configuration.check()
        guard configuration.bands == .lower else {
            throw RadioError(.malformed, "the simulated air has 2.4 GHz alone: bands = 2.4")
        }
        stop()
        let station = ActiveStation(
            configuration, counters: past, entropy: entropy, epoch: epoch, at: now)
        active = station
        return [
            .report(
                .started(
                    dataInterface: station.dataInterface,
                    interfaceIdentifier: station.dataInterface.interfaceIdentifier,
                    capabilities: .simulated))
        ]
    }

    private mutating func stop() {
        past = counters
        active = nil
    }
}

/// What a station wants to be done.
public enum AirAction: Sendable {
    /// Send to all other stations.
    case transmit(AirDatagram)
    case report(RadioEvent)
    /// A datagram arrived over a data path.
    case deliver(PathDatagram)
}

/// A UDP datagram on a data path.
public struct PathDatagram: Equatable, Sendable {
    /// The data interface at the other end.
    public var peer: MACAddress
    public var sourcePort: UInt16
    public var destinationPort: UInt16
    /// At most 1452 octets.
    public var payload: [UInt8]

    public init(peer: MACAddress, sourcePort: UInt16, destinationPort: UInt16, payload: [UInt8]) {
        self.peer = peer
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.payload = payload
    }
}

/// What a station did not take, and what it could not get through.
public struct AirCounters: Equatable, Sendable {
    /// No datagram, or no frame in it.
    public var malformed = 0
    /// Sent at another time: its sender's clock or ours stood still.
    public var stale = 0
    /// Sent on a channel or in a cluster where this station is not.
    public var elsewhere = 0
    /// Frames of a kind that nobody asked for.
    public var unwanted = 0
    /// Repetitions of what was received.
    public var duplicates = 0
    /// Encrypted with another key, changed on the way, or without a key here.
    public var undecryptable = 0
    /// Encrypted, with a packet number that was used before.
    public var replayed = 0
    /// In clear where it has to be encrypted.
    public var unprotected = 0
    /// Frames that nobody acknowledged.
    public var unacknowledged = 0
    /// Datagrams of programs that found no room, no path or no common slots.
    public var dropped = 0

    public init() {}
}

extension MACAddress {
    /// The modified EUI-64 of an address.
    ///
    /// - Spec: RFC 4291, appendix A.
    public var interfaceIdentifier: UInt64 {
        let high = (rawValue >> 24) ^ 0x02_0000
        return high << 40 | 0xfffe << 24 | rawValue & 0xff_ffff
    }
}
