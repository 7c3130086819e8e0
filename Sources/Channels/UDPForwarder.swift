public import Ports
public import Wire

/// Lets programs that know nothing of Wi-Fi Aware use a published UDP service: they talk to a local address.
///
/// What they send goes to the service over the data path; what the service sends goes to the programs that have
/// spoken lately, and to nobody before. While there is no data path, what they send is dropped: a command that
/// arrives late is worse than one that does not arrive.
public final class UDPForwarder: Turnable {
    /// Whether datagrams get through.
    public enum State: Equatable, Sendable {
        /// No data path.
        case suspended
        /// There is one, but its own address cannot be bound yet.
        case waiting(NetworkError)
        case open
    }

    /// Datagrams.
    public struct Counters: Equatable, Sendable {
        public var toService: UInt64 = 0
        public var fromService: UInt64 = 0
        /// Because there was no data path, nobody to hear, or no room.
        public var dropped: UInt64 = 0
        /// From addresses that are not the service's.
        public var strangers: UInt64 = 0
    }

    private enum Path {
        case suspended
        case waiting(Target, until: Instant, NetworkError)
        case open(any DatagramSocket, Target)
    }

    private struct Target {
        var own: InternetAddress
        var peer: SocketAddress
    }

    private struct Program {
        var address: SocketAddress
        var heard: Instant
    }

    private static let programLimit = 4
    /// A program that says nothing for so long has ended.
    private static let idleLimit = TimeUnits.seconds(60)
    /// The address of a data interface that has just come up cannot be bound for a moment.
    private static let bindingRetry = TimeUnits.milliseconds(250)
    private static let datagramsPerTurn = 64

    /// Since the forwarder was made.
    public private(set) var counters = Counters()
    private let network: any Network
    private let local: any DatagramSocket
    private var path = Path.suspended
    private var programs: [Program] = []
    private var datagram: [UInt8] = []

    /// - Parameter address: Where local programs reach the service; port 0 lets the system choose.
    public init(listeningOn address: SocketAddress, network: any Network) throws(NetworkError) {
        self.network = network
        local = try network.datagramSocket(boundTo: address)
    }

    /// Where local programs reach the service, with the port that the system chose.
    public var localAddress: SocketAddress { local.localAddress }

    public var state: State {
        switch path {
        case .suspended: .suspended
        case .waiting(_, _, let error): .waiting(error)
        case .open: .open
        }
    }

    /// There is a data path now, or another one: sends from `own` to the service at `peer`.
    public func retarget(own: InternetAddress, peer: SocketAddress, at now: Instant) {
        open(Target(own: own, peer: peer), at: now)
    }

    /// The data path is gone.
    public func suspend() { path = .suspended }

    private func open(_ target: Target, at now: Instant) {
        do {
            let address = SocketAddress(address: target.own, port: 0)
            path = .open(try network.datagramSocket(boundTo: address), target)
        } catch {
            path = .waiting(target, until: now + Self.bindingRetry, error)
        }
    }

    // MARK: The loop

    public var deadline: Instant? {
        guard case .waiting(_, let until, _) = path else { return nil }
        return until
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        set.add(local.descriptor)
        if case .open(let socket, _) = path { set.add(socket.descriptor) }
    }

    public func turn(at now: Instant) {
        if case .waiting(let target, let until, _) = path, until <= now { open(target, at: now) }
        forwardToService(at: now)
        forwardToPrograms(at: now)
    }

    private func forwardToService(at now: Instant) {
        for _ in 0..<Self.datagramsPerTurn {
            guard let sender = local.receive(into: &datagram) else { return }
            remember(sender, at: now)
            guard case .open(let socket, let target) = path,
                socket.send(datagram, to: target.peer) == .handedOver
            else {
                counters.dropped += 1
                continue
            }
            counters.toService += 1
        }
    }

    private func forwardToPrograms(at now: Instant) {
        guard case .open(let socket, let target) = path else { return }
        programs.removeAll { $0.heard + Self.idleLimit <= now }
        for _ in 0..<Self.datagramsPerTurn {
            guard let sender = socket.receive(into: &datagram) else { return }
            guard sender == target.peer else {
                counters.strangers += 1
                continue
            }
            var reached = false
            for program in programs where local.send(datagram, to: program.address) == .handedOver {
                reached = true
            }
            if reached { counters.fromService += 1 } else { counters.dropped += 1 }
        }
    }

    /// The one that was silent for longest makes room.
    private func remember(_ sender: SocketAddress, at now: Instant) {
        for index in programs.indices where programs[index].address == sender {
            programs[index].heard = now
            return
        }
        if programs.count == Self.programLimit {
            var oldest = 0
            for index in programs.indices where programs[index].heard < programs[oldest].heard {
                oldest = index
            }
            programs.remove(at: oldest)
        }
        programs.append(Program(address: sender, heard: now))
    }
}
