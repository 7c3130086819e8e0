import Wire

@testable import BluetoothLE

extension GATTCharacteristic.ID {
    static let open = GATTCharacteristic.ID(1)
    static let control = GATTCharacteristic.ID(2)
    static let protected = GATTCharacteristic.ID(3)
    static let encrypted = GATTCharacteristic.ID(4)
}

/// Values as a test sets them, and what was written.
final class Values: CharacteristicValues {
    var values: [GATTCharacteristic.ID: [UInt8]] = [
        .open: Array("open value".utf8), .protected: Array("secret".utf8), .encrypted: [9],
    ]
    var writes: [[UInt8]] = []
    var refusal: ATTError?

    func read(_ characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError) -> [UInt8] {
        if let refusal { throw refusal }
        return values[characteristic] ?? []
    }

    func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic.ID, at now: Instant
    ) throws(ATTError) {
        if let refusal { throw refusal }
        writes.append(value)
    }
}

/// A client that is answered at once.
struct Client {
    /// Handles: GAP 1…5, GATT 6…9, and the test's own service from 10:
    /// 10 service, 11–13 open (12 value, 13 subscription), 14–15 control, 16–18 protected, 19–20 encrypted.
    static let database = AttributeDatabase(
        name: "Board",
        services: [
            GATTService(
                .custom(0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00),
                [
                    GATTCharacteristic(.open, .assigned(0x2a29), [.read, .notify]),
                    GATTCharacteristic(
                        .control, .custom(0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff01),
                        [.write, .writeWithoutResponse]),
                    GATTCharacteristic(
                        .protected, .assigned(0x2a00), [.read, .notify, .indicate], access: .authenticated),
                    GATTCharacteristic(.encrypted, .assigned(0x2a29), [.read], access: .encrypted),
                ])
        ])

    var server = ATTServer(Client.database)
    let values = Values()
    var now = Instant(microseconds: 1_000_000)

    /// What comes back at once, as hexadecimal digits; empty for nothing.
    mutating func ask(_ hex: String) -> String {
        guard let pdu = [UInt8](hex: hex.filter { $0 != " " }) else { return "not hexadecimal" }
        server.receive(pdu, from: values, at: now)
        return next()
    }

    /// The next PDU from the server.
    mutating func next() -> String {
        guard let pdu = server.outgoing else { return "" }
        server.sent(at: now)
        return String(hex: pdu)
    }
}
