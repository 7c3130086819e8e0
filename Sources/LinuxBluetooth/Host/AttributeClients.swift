import BluetoothLE
import CShim
import Ports
import Wire

/// Everybody who is connected, and the door.
final class AttributeClients {
    static let most = 4
    /// For a new one, one who has been silent for so long has to go.
    private static let silence: UInt64 = 30_000_000
    /// So long nobody is let in after the system had no room for one.
    static let pause = TimeUnits.seconds(1)
    /// So long a stranger stays while others may want his place, and so long while nobody else can even find it.
    static let stay = TimeUnits.seconds(60)
    static let curtailedStay = TimeUnits.seconds(30)

    private enum Door {
        case closed
        case open(Int32)
        /// Somebody waits outside, of whom the loop would be told all the time.
        case shut(Int32, until: Instant)
    }

    private var door = Door.closed
    private var clients: [AttributeClient] = []
    private var database = AttributeDatabase(name: "", services: [])
    private var nextNumber: UInt64 = 1
    private let level: (Int32) -> Int32
    /// The controller does not advertise while these are connected.
    var isCurtailed = false
    private var left: [(address: BluetoothAddress, memory: ClientMemory)] = []

    /// - Parameter level: the kernel's level of the link behind a socket.
    init(level: @escaping (Int32) -> Int32 = shim_bluetooth_security) { self.level = level }

    deinit { closeDoor() }

    /// What those who come from now on find.
    func offer(_ database: AttributeDatabase) { self.database = database }

    /// Opens the door, in place of the one that was open.
    func listen(at address: BluetoothAddress) throws(BluetoothObstacle) {
        closeDoor()
        let opened = shim_bluetooth_listen(
            address.octets.octets.reversed(), address.isRandom ? 1 : 0, Int32(Self.most))
        guard opened >= 0 else {
            throw BluetoothObstacle("Bluetooth takes no connections: " + reason(opened))
        }
        door = .open(opened)
    }

    func close() -> [BluetoothEvent] {
        closeDoor()
        var events: [BluetoothEvent] = []
        while !clients.isEmpty { events.append(remove(at: 0)) }
        return events
    }

    private func remove(at index: Int) -> BluetoothEvent {
        let client = clients.remove(at: index)
        if let memory = client.memory { left.append((client.client.address, memory)) }
        return .disconnected(client: client.client.id)
    }

    /// What is to be kept of those bonded clients that have left since this was last asked.
    func takeMemories() -> [(address: BluetoothAddress, memory: ClientMemory)] {
        defer { left = [] }
        return left
    }

    private func closeDoor() {
        switch door {
        case .closed: break
        case .open(let listener), .shut(let listener, _): shim_close(listener)
        }
        door = .closed
    }

    var deadline: Instant? {
        var earliest: Instant?
        if case .shut(_, let until) = door { earliest = until }
        for client in clients {
            earliest = Instant.earliest(earliest, client.deadline)
            if let stay { earliest = Instant.earliest(earliest, client.end(after: stay)) }
        }
        return earliest
    }

    func addDescriptors(to set: inout DescriptorSet) {
        if case .open(let listener) = door { set.add(listener) }
        for client in clients { client.addDescriptors(to: &set) }
    }

    /// Everybody's turn; what happened.
    /// - Parameter recall: what is kept of a bonded client.
    func turn(
        for answerer: (any GATTAnswerer)?, recall: (BluetoothAddress) -> ClientMemory?, at now: Instant
    ) -> [BluetoothEvent] {
        var events = accept(recall: recall, at: now)
        var index = 0
        while index < clients.count {
            if clients[index].turn(for: answerer, at: now), !isOverdue(clients[index], at: now) {
                index += 1
            } else {
                events.append(remove(at: index))
            }
        }
        return events
    }

    func notify(_ id: GATTCharacteristic.ID, _ value: [UInt8]) {
        for client in clients { client.notify(id, value) }
    }

    func disconnectStrangers() -> [BluetoothEvent] {
        var events: [BluetoothEvent] = []
        for index in clients.indices.reversed() where !clients[index].isKnown {
            events.append(remove(at: index))
        }
        return events
    }

    /// How long strangers may stay. Nil while there is room for others.
    private var stay: TimeUnits? {
        isCurtailed ? Self.curtailedStay : clients.count >= Self.most ? Self.stay : nil
    }

    private func isOverdue(_ client: AttributeClient, at now: Instant) -> Bool {
        guard let stay, let end = client.end(after: stay) else { return false }
        return end <= now
    }

    func rename(_ old: BluetoothAddress, _ new: BluetoothAddress) {
        for client in clients where client.client.address == old { client.rename(new) }
    }

    func setBonded(_ address: BluetoothAddress, _ isBonded: Bool) {
        for client in clients where client.client.address == address { client.setBonded(isBonded) }
    }

    private func accept(recall: (BluetoothAddress) -> ClientMemory?, at now: Instant) -> [BluetoothEvent] {
        if case .shut(let listener, let until) = door, until <= now { door = .open(listener) }
        var events: [BluetoothEvent] = []
        while let (socket, address) = nextConnection(at: now) {
            events += admit(socket, from: address, memory: recall(address), at: now)
        }
        return events
    }

    /// Lets somebody in, where there is room or room can be made.
    ///
    /// - Parameters:
    ///   - socket: a connected one, which it takes over.
    ///   - memory: what is kept of him, where he is bonded.
    func admit(_ socket: Int32, from address: BluetoothAddress, memory: ClientMemory?, at now: Instant)
        -> [BluetoothEvent]
    {
        var events: [BluetoothEvent] = []
        if clients.count >= Self.most {
            guard let place = leaver(at: now) else {
                shim_close(socket)
                return []
            }
            events.append(remove(at: place))
        }
        let client = BluetoothClient(id: nextNumber, address: address, security: .open)
        nextNumber += 1
        let server = ATTServer(database, recalling: memory)
        clients.append(AttributeClient(socket, client, server, level: level, at: now))
        return events + [.connected(client)]
    }

    private func nextConnection(at now: Instant) -> (Int32, BluetoothAddress)? {
        guard case .open(let listener) = door else { return nil }
        var octets = [UInt8](repeating: 0, count: 6)
        var isRandom: Int32 = 0
        let socket = shim_bluetooth_accept(listener, &octets, &isRandom)
        guard socket >= 0 else {
            if socket != Int32(shim_error_again) { door = .shut(listener, until: now + Self.pause) }
            return nil
        }
        let address = MACAddress(rawValue: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        return (socket, BluetoothAddress(address, isRandom: isRandom != 0))
    }

    /// Who has to go for another: a stranger before anybody else, and of these the most silent.
    private func leaver(at now: Instant) -> Int? {
        var found: Int?
        for (index, client) in clients.enumerated()
        where isOverdue(client, at: now) || now.microseconds(since: client.lastHeard) >= Self.silence {
            if let found, !client.mayGoBefore(clients[found]) { continue }
            found = index
        }
        return found
    }
}

extension AttributeClient {
    fileprivate func mayGoBefore(_ other: AttributeClient) -> Bool {
        isKnown == other.isKnown ? lastHeard < other.lastHeard : !isKnown
    }
}
