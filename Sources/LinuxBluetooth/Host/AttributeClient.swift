import BluetoothLE
import CShim
import Ports
import Wire

/// Somebody who is connected, and the server of his own that answers him.
///
/// He is read only as far as what he is sent goes away, so that one who does not take it stops himself.
final class AttributeClient {
    /// The longest PDU that the kernel hands over on such a socket.
    private static let longest = 672
    /// In one turn, so that nobody keeps the others waiting.
    private static let mostPerTurn = 32
    /// So long nothing of what is sent may go away.
    static let patience = TimeUnits.seconds(30)

    private enum Outlet {
        case free
        case blocked(until: Instant)
    }

    private let descriptor: Int32
    private let level: (Int32) -> Int32
    private let values: ClientValues
    private var server: ATTServer
    private var outlet = Outlet.free
    private var room = [UInt8](repeating: 0, count: AttributeClient.longest)
    /// When he last asked something.
    private(set) var lastHeard: Instant
    private let begin: Instant

    /// - Parameters:
    ///   - descriptor: a connected socket, which it takes over.
    ///   - level: the kernel's level of the link behind it, negative where that is gone.
    init(
        _ descriptor: Int32, _ client: BluetoothClient, _ server: ATTServer,
        level: @escaping (Int32) -> Int32, at now: Instant
    ) {
        self.descriptor = descriptor
        self.level = level
        self.server = server
        values = ClientValues(client)
        lastHeard = now
        begin = now
    }

    deinit { shim_close(descriptor) }

    var client: BluetoothClient { values.client }

    /// He has turned out to be somebody who was known by another address.
    func rename(_ address: BluetoothAddress) { values.client.address = address }

    /// Whether he has proved to be somebody who was let in by the owner. The security is that of his last turn: a bond
    /// that was removed since then still counts in it.
    var isKnown: Bool { server.isBonded && server.security == .authenticated }

    /// How long a stranger may stay: he makes room for others then, however much he asks.
    func end(after stay: TimeUnits) -> Instant? { isKnown ? nil : begin + stay }

    func setBonded(_ isBonded: Bool) { server.isBonded = isBonded }

    /// What is to be kept of him, where he is bonded.
    var memory: ClientMemory? { server.memory }

    func notify(_ id: GATTCharacteristic.ID, _ value: [UInt8]) { server.notify(id, value) }

    var deadline: Instant? {
        switch outlet {
        case .free: server.deadline
        case .blocked(let until): Instant.earliest(until, server.deadline)
        }
    }

    func addDescriptors(to set: inout DescriptorSet) {
        switch outlet {
        case .free: set.add(descriptor)
        case .blocked: set.add(descriptor, readable: false, writable: true)
        }
    }

    /// Sends and receives what can be. Whether he is still there.
    func turn(for answerer: (any GATTAnswerer)?, at now: Instant) -> Bool {
        values.answerer = answerer
        defer { values.answerer = nil }
        server.advance(to: now)
        for _ in 0..<Self.mostPerTurn {
            guard !server.isOver, updateSecurity() else { return false }
            switch send(at: now) {
            case .done: break
            case .blocked: return !isLate(at: now)
            case .gone: return false
            }
            switch receive(at: now) {
            case .done: break
            case .blocked: return true
            case .gone: return false
            }
        }
        // He may wait for the last answer, and send nothing that would wake the loop before.
        return send(at: now) != .gone
    }

    private enum Progress {
        case done
        case blocked
        case gone
    }

    private func isLate(at now: Instant) -> Bool {
        if case .blocked(let until) = outlet { until <= now } else { false }
    }

    /// The kernel's levels: low, medium, high, and high with Secure Connections, without which whoever has listened to
    /// the pairing knows the key. A client is who it proves to be once there is a bond: its identity comes before that.
    private func updateSecurity() -> Bool {
        let level = level(descriptor)
        guard level >= 0 else { return false }
        server.security =
            switch level {
            case 4... where server.isBonded: .authenticated
            case 2...: .encrypted
            default: .open
            }
        values.client.security = server.security
        return true
    }

    private func send(at now: Instant) -> Progress {
        while let pdu = server.outgoing {
            let sent = pdu.withUnsafeBytes { shim_write(descriptor, $0.baseAddress, $0.count) }
            if sent == shim_error_again {
                if case .free = outlet { outlet = .blocked(until: now + Self.patience) }
                return .blocked
            }
            guard sent == pdu.count else { return .gone }
            outlet = .free
            server.sent(at: now)
        }
        outlet = .free
        return .done
    }

    private func receive(at now: Instant) -> Progress {
        let count = room.withUnsafeMutableBytes { shim_read(descriptor, $0.baseAddress, $0.count) }
        if count == shim_error_again { return .blocked }
        guard count > 0 else { return .gone }
        lastHeard = now
        server.receive([UInt8](room[..<count]), from: values, at: now)
        return .done
    }
}

/// The accessory's values as one client asks for them.
private final class ClientValues: CharacteristicValues {
    var client: BluetoothClient
    /// Only while he is answered.
    var answerer: (any GATTAnswerer)?

    init(_ client: BluetoothClient) {
        self.client = client
    }

    func read(_ characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError) -> [UInt8] {
        guard let answerer else { throw .unlikely }
        return try answerer.read(characteristic, by: client, at: now)
    }

    func write(_ value: [UInt8], to characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError) {
        guard let answerer else { throw .unlikely }
        try answerer.write(value, to: characteristic, by: client, at: now)
    }
}
