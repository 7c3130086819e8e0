import BluetoothLE
public import Ports
public import Wire

/// Bluetooth without a controller: phones of the same process find the accessory, connect and send octets.
public final class SimulatedBluetooth: Bluetooth {
    public static let address = BluetoothAddress(MACAddress(rawValue: 0xc655_4433_2211), isRandom: true)
    public static let passkey: [UInt8] = [1, 2, 3, 4, 5, 6]

    public var answerer: (any GATTAnswerer)?
    /// What phones find now.
    public private(set) var advertisements: [BluetoothAdvertisement] = []
    /// How often that has changed.
    public private(set) var advertisingChanges = 0
    /// Whether strangers could pair when advertising last changed.
    public private(set) var mightPair = false
    public private(set) var bonds: [BluetoothAddress] = []
    /// Why no record of a bond can be removed.
    public var lock: StoreError?
    private var memories: [BluetoothAddress: ClientMemory] = [:]
    private var configuration: BluetoothConfiguration?
    private var obstacle: String?
    private var mayPair = false
    private var events = EventQueue<BluetoothEvent>()
    private var connections: [Connection] = []
    private var sent: [(client: UInt64, pdu: [UInt8])] = []
    private var connected: UInt64 = 0

    /// One phone's connection, and what lies ready for it.
    private final class Connection: CharacteristicValues {
        let bluetooth: SimulatedBluetooth
        var client: BluetoothClient
        var server: ATTServer
        var isPairing = false
        /// What has arrived at the phone.
        var inbox: [[UInt8]] = []
        /// The phone takes nothing in.
        var isStalled = false

        init(_ bluetooth: SimulatedBluetooth, _ client: BluetoothClient, _ server: ATTServer) {
            self.bluetooth = bluetooth
            self.client = client
            self.server = server
        }

        func read(_ characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError) -> [UInt8] {
            guard let answerer = bluetooth.answerer else { throw .unlikely }
            return try answerer.read(characteristic, by: client, at: now)
        }

        func write(
            _ value: [UInt8], to characteristic: GATTCharacteristic.ID, at now: Instant
        ) throws(ATTError) {
            guard let answerer = bluetooth.answerer else { throw .unlikely }
            try answerer.write(value, to: characteristic, by: client, at: now)
        }

        func drain(at now: Instant) {
            while !isStalled, let pdu = server.outgoing {
                inbox.append(pdu)
                server.sent(at: now)
            }
        }

        func secure(_ security: LinkSecurity) {
            client.security = security
            server.security = security
            server.isBonded = true
        }
    }

    public init() {}

    // MARK: The port

    public var deadline: Instant? {
        events.isEmpty && sent.isEmpty ? nil : Instant(microseconds: 0)
    }

    public func addDescriptors(to set: inout DescriptorSet) {}

    public func perform(_ request: BluetoothRequest, at now: Instant) {
        switch request {
        case .start(let configuration):
            letGo()
            self.configuration = configuration
            mayPair = false
            events.append(obstacle.map { .unavailable($0) } ?? .ready(Self.address))
        case .stop:
            letGo()
            configuration = nil
            mayPair = false
            advertisements = []
        case .advertise(let advertisements):
            self.advertisements = advertisements
            advertisingChanges += 1
            mightPair = mayPair
        case .notify(let id, let value):
            for connection in connections {
                connection.server.notify(id, value)
                connection.drain(at: now)
            }
        case .disconnectStrangers:
            for connection in connections where connection.client.security < .authenticated {
                disconnect(connection.client.id)
            }
        case .allowPairing(let given): mayPair = given != nil
        }
    }

    public func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {
        bonds.removeAll { $0 == address }
        memories[address] = nil
        for connection in connections where connection.client.address == address {
            disconnect(connection.client.id)
        }
        if let lock { throw lock }
    }

    public func nextEvent(at now: Instant) -> BluetoothEvent? {
        while !sent.isEmpty {
            let next = sent.removeFirst()
            guard let connection = connection(next.client) else { continue }
            connection.server.receive(next.pdu, from: connection, at: now)
            connection.drain(at: now)
        }
        return events.next()
    }

    // MARK: The controller

    /// Switches Bluetooth off, and says why.
    public func fail(_ reason: String) {
        obstacle = reason
        letGo()
        events.append(.unavailable(reason))
    }

    public func recover() {
        obstacle = nil
        if configuration != nil { events.append(.ready(Self.address)) }
    }

    private func letGo() {
        for connection in connections { disconnect(connection.client.id) }
    }

    private func connection(_ client: UInt64) -> Connection? { connections.first { $0.client.id == client } }

    // MARK: Phones

    /// Connects, where the accessory can be found. A phone that is bonded encrypts at once.
    public func connect(from address: BluetoothAddress) -> UInt64? {
        guard let configuration, obstacle == nil, !advertisements.isEmpty else { return nil }
        connected += 1
        let connection = Connection(
            self, BluetoothClient(id: connected, address: address, security: .open),
            ATTServer(
                AttributeDatabase(name: configuration.name, services: configuration.services),
                recalling: memories[address]))
        if bonds.contains(address) { connection.secure(.authenticated) }
        connections.append(connection)
        events.append(.connected(connection.client))
        return connected
    }

    public func disconnect(_ client: UInt64) {
        guard let connection = connection(client) else { return }
        if bonds.contains(connection.client.address) {
            memories[connection.client.address] = connection.server.memory
        }
        connections.removeAll { $0.client.id == client }
        events.append(.disconnected(client: client))
    }

    public func send(_ pdu: [UInt8], from client: UInt64) { sent.append((client, pdu)) }

    /// The next PDU for the phone; nil while there is none.
    public func receive(for client: UInt64) -> [UInt8]? {
        guard let connection = connection(client), !connection.inbox.isEmpty else { return nil }
        return connection.inbox.removeFirst()
    }

    /// From now on the phone takes nothing in, or does again.
    public func stall(_ client: UInt64, _ isStalled: Bool, at now: Instant) {
        connection(client)?.isStalled = isStalled
        connection(client)?.drain(at: now)
    }

    /// The phone wants to pair; false where the accessory does not.
    public func startPairing(_ client: UInt64) -> Bool {
        guard let connection = connection(client), configuration?.pairing == .passkey, mayPair else {
            return false
        }
        connection.isPairing = true
        events.append(.passkey(Self.passkey))
        return true
    }

    /// A person types what the accessory shows.
    public func type(_ passkey: [UInt8], on client: UInt64) {
        guard let connection = connection(client), connection.isPairing else { return }
        connection.isPairing = false
        events.append(.passkeyOver)
        let address = connection.client.address
        guard passkey == Self.passkey else {
            return events.append(.pairingFailed(address, reason: "wrong passkey"))
        }
        bonds.removeAll { $0 == address }
        bonds.append(address)
        connection.secure(.authenticated)
        events.append(.bonded(address))
    }
}
