import CShim
public import Crypto
public import Ports
public import Wire

/// A radio whose air is a directory of this machine: every process with a socket in it hears every other.
///
/// Instants must be those of CLOCK_MONOTONIC, on which all processes agree. It wakes once a window while idle.
public final class AirRadio: Radio {
    /// What waits for the owner, at most; then datagrams stay in the socket, and unacknowledged.
    private static let eventLimit = 128

    public var capture: (any AirCapture)?

    private let directory: AirDirectory
    private let interface: DataInterface
    private var station: AirStation
    private var running: Running?
    private var events = EventQueue<RadioEvent>()

    private struct Running {
        var socket: AirSocket
        /// The names of the other stations, as of the window `listed`.
        var neighbours: [String] = []
        var listed: UInt64?
    }

    /// - Parameters:
    ///   - directory: Where the stations meet. It is made where there is none, with mode 0700.
    ///   - network: Where the data interface's sockets come from.
    public init(directory: String, network: any Network, entropy: any Entropy) throws(RadioError) {
        self.directory = try AirDirectory(directory)
        interface = DataInterface(network: network)
        station = AirStation(entropy: entropy)
    }

    /// What was refused and lost since the beginning.
    public var counters: AirCounters { station.counters }

    public var deadline: Instant? {
        events.isEmpty ? station.deadline : Instant(microseconds: 0)
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        guard let running else { return }
        set.add(running.socket.descriptor)
        interface.addDescriptors(to: &set)
    }

    public func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        switch request {
        case .start(let configuration): try start(configuration, at: now)
        case .stop: stop(at: now)
        case .openDataPath(let peer, _): try open(peer, request, at: now)
        case .closeDataPath(let address):
            try forward(request, at: now)
            interface.close(address)
        case .removePeer(let address):
            try forward(request, at: now)
            interface.closePaths(to: address)
        case .send, .setLocalSchedule, .addPeer, .setPeerSchedule, .installPairingKey, .removePairingKey:
            try forward(request, at: now)
        }
    }

    public func nextEvent(at now: Instant) -> RadioEvent? {
        if events.isEmpty { turn(at: now) }
        return events.next()
    }

    private func turn(at now: Instant) {
        carryOut(station.receive(listen(), at: now), at: now)
        for datagram in interface.receive() { carryOut(station.send(datagram, at: now), at: now) }
    }

    /// What other stations sent. Never more at a time than the owner will be told of.
    private func listen() -> [AirDatagram] {
        guard let socket = running?.socket else { return [] }
        var datagrams: [AirDatagram] = []
        var count = events.count
        while count < Self.eventLimit, let (octets, sender) = socket.receive() {
            count += 1
            meet(sender)
            guard let datagram = try? AirDatagram(parsing: octets) else {
                station.refuseMalformed()
                continue
            }
            capture?.capture(datagram, isSent: false)
            datagrams.append(datagram)
        }
        return datagrams
    }

    private func start(_ configuration: RadioConfiguration, at now: Instant) throws(RadioError) {
        stop(at: now)
        let actions = try station.perform(.start(configuration), at: now)
        do throws(RadioError) {
            let name = String(hex: configuration.managementAddress.octets)
            running = Running(socket: try directory.socket(named: name))
        } catch {
            stop(at: now)
            throw error
        }
        carryOut(actions, at: now)
    }

    private func stop(at now: Instant) {
        _ = try? station.perform(.stop, at: now)
        interface.closeAll()
        running = nil
        events.removeAll()
    }

    private func open(_ peer: DataPeer, _ request: RadioRequest, at now: Instant) throws(RadioError) {
        guard let own = station.dataInterface else {
            throw RadioError(.notRunning, "the radio is not started")
        }
        try forward(request, at: now)
        do throws(RadioError) {
            let addresses = try interface.open(peer, own: own)
            events.append(.dataPathOpened(peer.address, own: .v4(addresses.own), peer: .v4(addresses.peer)))
        } catch {
            try forward(.closeDataPath(peer.address), at: now)
            throw error
        }
    }

    private func forward(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        carryOut(try station.perform(request, at: now), at: now)
    }

    private func carryOut(_ actions: [AirAction], at now: Instant) {
        for action in actions {
            switch action {
            case .transmit(let datagram): transmit(datagram, at: now)
            case .report(let event): events.append(event)
            case .deliver(let datagram): interface.deliver(datagram)
            }
        }
    }

    private func transmit(_ datagram: AirDatagram, at now: Instant) {
        capture?.capture(datagram, isSent: true)
        guard let octets = try? datagram.octets() else { die("a station sends a frame that is too long") }
        look(at: now)
        guard let running else { return }
        var hasStale = false
        for name in running.neighbours where running.socket.send(octets, to: name) == .stale {
            running.socket.removeStale(name)
            hasStale = true
        }
        if hasStale { self.running?.listed = nil }
    }

    /// Finds out who is there, once a window.
    private func look(at now: Instant) {
        let window = WindowTime(clusterTime: now.microseconds).index
        guard let own = running?.socket.name, running?.listed != window else { return }
        running?.listed = window
        running?.neighbours = directory.stations().filter { $0 != own }
    }

    /// A station that was heard can be spoken to, even if it came after the last look.
    private func meet(_ sender: String) {
        guard let running, !running.neighbours.contains(sender) else { return }
        self.running?.listed = nil
    }
}

extension RadioCapabilities {
    /// Those of the kernel's simulated radio, which phones' implementations are tested with.
    public static let simulated = RadioCapabilities(
        operationMode: 0x17, antennas: 0x22, channelSwitchTime: 0, capabilities: 0,
        htCapabilities: [
            0x72, 0x10, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ],
        vhtCapabilities: [0xfa, 0x04, 0x80, 0x03, 0xaa, 0xaa, 0, 0, 0xaa, 0xaa, 0, 0])
}
