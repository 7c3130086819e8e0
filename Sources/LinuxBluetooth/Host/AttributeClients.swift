import BluetoothLE
import CShim
import Ports
import Wire

/// Everybody who is connected, and the door.
final class AttributeClients {
    static let most = 4
    /// For a new one, one who has been silent for so long has to go.
    private static let silence: UInt64 = 30_000_000

    private var listener: Int32?
    private var clients: [AttributeClient] = []
    private var database = AttributeDatabase(name: "", services: [])
    private var nextNumber: UInt64 = 1

    deinit { closeListener() }

    /// What those who come from now on find.
    func offer(_ database: AttributeDatabase) { self.database = database }

    /// Opens the door, in place of the one that was open.
    func listen(at address: MACAddress?, isRandom: Bool) throws(BluetoothObstacle) {
        closeListener()
        let octets: [UInt8] = (address ?? MACAddress(rawValue: 0)).octets.reversed()
        let opened = shim_bluetooth_listen(octets, isRandom ? 1 : 0, Int32(Self.most))
        guard opened >= 0 else {
            throw BluetoothObstacle("Bluetooth takes no connections: " + reason(opened))
        }
        listener = opened
    }

    func close() -> [BluetoothEvent] {
        closeListener()
        defer { clients = [] }
        var events: [BluetoothEvent] = []
        for client in clients { events.append(.disconnected(client: client.client.id)) }
        return events
    }

    private func closeListener() {
        if let listener { shim_close(listener) }
        listener = nil
    }

    var deadline: Instant? {
        var earliest: Instant?
        for client in clients { earliest = Instant.earliest(earliest, client.deadline) }
        return earliest
    }

    func addDescriptors(to set: inout DescriptorSet) {
        if let listener { set.add(listener) }
        for client in clients { client.addDescriptors(to: &set) }
    }

    /// Everybody's turn; what happened.
    func turn(
        for answerer: (any GATTAnswerer)?, isBonded: (BluetoothAddress) -> Bool, at now: Instant
    ) -> [BluetoothEvent] {
        var events = accept(isBonded: isBonded, at: now)
        var index = 0
        while index < clients.count {
            if clients[index].turn(for: answerer, at: now) {
                index += 1
            } else {
                events.append(.disconnected(client: clients[index].client.id))
                clients.remove(at: index)
            }
        }
        return events
    }

    func notify(_ id: GATTCharacteristic.ID, _ value: [UInt8]) {
        for client in clients { client.notify(id, value) }
    }

    func disconnect(_ id: UInt64) -> [BluetoothEvent] {
        guard let index = clients.firstIndex(where: { $0.client.id == id }) else { return [] }
        clients.remove(at: index)
        return [.disconnected(client: id)]
    }

    func rename(_ old: BluetoothAddress, _ new: BluetoothAddress) {
        for client in clients where client.client.address == old { client.rename(new) }
    }

    func setBonded(_ address: BluetoothAddress, _ isBonded: Bool) {
        for client in clients where client.client.address == address { client.setBonded(isBonded) }
    }

    private func accept(isBonded: (BluetoothAddress) -> Bool, at now: Instant) -> [BluetoothEvent] {
        var events: [BluetoothEvent] = []
        while let listener, let (socket, address) = nextConnection(listener) {
            if clients.count >= Self.most {
                guard let silent = mostSilent(at: now) else {
                    shim_close(socket)
                    continue
                }
                events.append(.disconnected(client: clients[silent].client.id))
                clients.remove(at: silent)
            }
            let client = BluetoothClient(id: nextNumber, address: address, security: .open)
            nextNumber += 1
            var server = ATTServer(database)
            server.isBonded = isBonded(address)
            clients.append(AttributeClient(socket, client, server, at: now))
            events.append(.connected(client))
        }
        return events
    }

    private func nextConnection(_ listener: Int32) -> (Int32, BluetoothAddress)? {
        var octets = [UInt8](repeating: 0, count: 6)
        var isRandom: Int32 = 0
        let socket = shim_bluetooth_accept(listener, &octets, &isRandom)
        guard socket >= 0 else { return nil }
        let address = MACAddress(rawValue: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        return (socket, BluetoothAddress(address, isRandom: isRandom != 0))
    }

    private func mostSilent(at now: Instant) -> Int? {
        var found: Int?
        for (index, client) in clients.enumerated()
        where now.microseconds(since: client.lastHeard) >= Self.silence {
            if let other = found, clients[other].lastHeard <= client.lastHeard { continue }
            found = index
        }
        return found
    }
}
