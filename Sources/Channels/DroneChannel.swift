public import MAVLink
public import Ports
public import Wire

/// The drone service: carries MAVLink between a vehicle and the paired devices that reach it.
///
/// One endpoint stands for each device, under the device's identity, however often its address changes. What the
/// vehicle says goes to all of them, what a device says goes to the vehicle, and no device hears another. Datagrams
/// from anybody else are dropped and counted. Nothing is said in a ground station's name, so that a vehicle whose
/// devices are all gone notices, and comes down.
///
/// Every device may command the vehicle: a lease that gives control to one of them is not there yet.
public final class DroneChannel: ServiceChannel {
    /// A device is forgotten to listen when it says nothing for so long; ground stations speak every second.
    private static let idleLimit = TimeUnits.seconds(15)
    /// The address of a data interface that has just come up cannot be bound for a moment.
    private static let bindingRetry = TimeUnits.milliseconds(250)
    /// So that a flood on one socket does not keep the loop from everything else.
    private static let datagramsPerTurn = 64

    public let service: String
    /// Datagrams from addresses that are no paired device's.
    public private(set) var strangers: UInt64 = 0

    private let network: any Network
    private let journal: any Journal
    private var vehicle: SimulatedVehicle
    private var sockets: [BoundSocket] = []
    private var endpoints: [Endpoint] = []
    private var datagram: [UInt8] = []

    /// - Parameter service: As in `_drone-service._udp`.
    public init(service: String, vehicle: SimulatedVehicle, network: any Network, journal: any Journal) {
        self.service = service
        self.vehicle = vehicle
        self.network = network
        self.journal = journal
    }

    /// The devices that can reach the vehicle now, and how much they have said and heard.
    public var devices: [DroneDevice] {
        var devices: [DroneDevice] = []
        for endpoint in endpoints { devices.append(endpoint.report) }
        return devices
    }

    // MARK: Paths

    public func opened(_ path: ServicePath, at now: Instant) {
        if let known = index(of: path.device) {
            endpoints[known].move(to: path)
        } else {
            endpoints.append(Endpoint(path: path))
        }
        arrangeSockets(at: now)
        turn(at: now)
    }

    public func closed(_ path: ServicePath, at now: Instant) {
        // A device that has come back on a new path is not gone with the old one.
        guard let known = index(of: path.device), endpoints[known].path == path else { return }
        endpoints.remove(at: known)
        arrangeSockets(at: now)
        restVehicle(at: now)
    }

    private func index(of device: String) -> Int? {
        for index in endpoints.indices where endpoints[index].path.device == device { return index }
        return nil
    }

    /// One socket for every address that a path has, and no other.
    private func arrangeSockets(at now: Instant) {
        var kept: [BoundSocket] = []
        for endpoint in endpoints where !kept.contains(where: { $0.address == endpoint.path.own }) {
            if let socket = sockets.first(where: { $0.address == endpoint.path.own }) {
                kept.append(socket)
            } else {
                kept.append(BoundSocket(address: endpoint.path.own, state: .waiting(until: now)))
            }
        }
        sockets = kept
    }

    private func bindWaitingSockets(at now: Instant) {
        for index in sockets.indices {
            guard case .waiting(let until) = sockets[index].state, until <= now else { continue }
            do {
                sockets[index].state = .bound(try network.datagramSocket(boundTo: sockets[index].address))
            } catch {
                if !sockets[index].hasFailed { journal.write(.warning, "\(service): \(error.explanation)") }
                sockets[index].hasFailed = true
                sockets[index].state = .waiting(until: now + Self.bindingRetry)
            }
        }
    }

    // MARK: The loop

    public var deadline: Instant? {
        var earliest = vehicle.deadline
        for socket in sockets {
            if case .waiting(let until) = socket.state { earliest = Instant.earliest(earliest, until) }
        }
        for endpoint in endpoints {
            if case .heard(_, let at) = endpoint.contact {
                earliest = Instant.earliest(earliest, at + Self.idleLimit)
            }
        }
        return earliest
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        for socket in sockets {
            if case .bound(let bound) = socket.state { set.add(bound.descriptor) }
        }
    }

    public func turn(at now: Instant) {
        bindWaitingSockets(at: now)
        var said: [MAVLinkFrame] = []
        for socket in sockets {
            if case .bound(let bound) = socket.state {
                listen(on: bound, own: socket.address, at: now, into: &said)
            }
        }
        said += vehicle.advance(to: now)
        forgetSilentDevices(at: now)
        spread(said)
    }

    private func listen(
        on socket: any DatagramSocket, own: SocketAddress, at now: Instant, into said: inout [MAVLinkFrame]
    ) {
        for _ in 0..<Self.datagramsPerTurn {
            guard let sender = socket.receive(into: &datagram) else { return }
            guard
                let index = endpoints.firstIndex(where: {
                    $0.path.own == own && $0.path.peer == sender.address
                })
            else {
                strangers += 1
                continue
            }
            let (frames, isNew) = endpoints[index].receive(datagram, from: sender, at: now)
            if isNew {
                journal.write(.notice, "\(service): \(endpoints[index].path.name) is talking to the vehicle")
                said += vehicle.start(at: now)
            }
            for frame in frames { said += vehicle.receive(frame, at: now) }
        }
    }

    private func forgetSilentDevices(at now: Instant) {
        for index in endpoints.indices {
            guard case .heard(_, let at) = endpoints[index].contact, at + Self.idleLimit <= now else {
                continue
            }
            endpoints[index].contact = .silent
            journal.write(.notice, "\(service): \(endpoints[index].path.name) has fallen silent")
            restVehicle(at: now)
        }
    }

    private func restVehicle(at now: Instant) {
        for endpoint in endpoints {
            if case .heard = endpoint.contact { return }
        }
        vehicle.stop(at: now)
    }

    private func spread(_ frames: [MAVLinkFrame]) {
        guard !frames.isEmpty else { return }
        for frame in frames { note(frame) }
        let datagrams = Coalescing.datagrams(of: frames)
        for index in endpoints.indices {
            guard case .heard(let address, _) = endpoints[index].contact,
                let socket = socket(boundTo: endpoints[index].path.own)
            else { continue }
            for datagram in datagrams {
                endpoints[index].count(socket.send(datagram.octets, to: address), of: datagram)
            }
        }
    }

    private func socket(boundTo address: SocketAddress) -> (any DatagramSocket)? {
        for socket in sockets where socket.address == address {
            if case .bound(let bound) = socket.state { return bound }
        }
        return nil
    }

    /// What the vehicle tells its pilot stands in the journal as well.
    private func note(_ frame: MAVLinkFrame) {
        guard let text = frame.read(StatusText.self) else { return }
        journal.write(.notice, "vehicle: \(String(decoding: text.text, as: UTF8.self))")
    }
}

private struct BoundSocket {
    enum State {
        case waiting(until: Instant)
        case bound(any DatagramSocket)
    }

    var address: SocketAddress
    var state: State
    /// One line in the journal is enough.
    var hasFailed = false
}
