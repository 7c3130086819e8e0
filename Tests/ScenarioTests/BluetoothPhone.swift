import BluetoothLE
import Ports
import Simulation
import Wire

/// A phone's Bluetooth in the virtual world. It speaks the attribute protocol by itself, without our server's code.
final class BluetoothPhone {
    let world: World
    let bluetooth: SimulatedBluetooth
    let address: BluetoothAddress
    private(set) var connection: UInt64?
    private(set) var notifications: [UInt16: [[UInt8]]] = [:]
    private(set) var indications: [[UInt8]] = []
    private var answers: [[UInt8]] = []

    init(in world: World, with bluetooth: SimulatedBluetooth, number: UInt64 = 1) {
        self.world = world
        self.bluetooth = bluetooth
        address = BluetoothAddress(MACAddress(rawValue: 0xc0ff_ee00_0000 + number), isRandom: true)
    }

    func connect() -> Bool {
        connection = bluetooth.connect(from: address)
        world.run(for: .milliseconds(10))
        return connection != nil
    }

    func disconnect() {
        if let connection { bluetooth.disconnect(connection) }
        connection = nil
        world.run(for: .milliseconds(10))
    }

    /// What the accessory answers at once; nil where it does not.
    func ask(_ pdu: [UInt8]) -> [UInt8]? {
        guard let connection else { return nil }
        bluetooth.send(pdu, from: connection)
        _ = world.run(within: .seconds(2)) {
            listen()
            return !answers.isEmpty
        }
        return answers.isEmpty ? nil : answers.removeFirst()
    }

    /// Takes what lies ready.
    func listen() {
        guard let connection else { return }
        while let pdu = bluetooth.receive(for: connection) {
            if pdu[0] == 0x1b {
                notifications[UInt16(pdu[1]) | UInt16(pdu[2]) << 8, default: []].append(Array(pdu[3...]))
            } else if pdu[0] == 0x1d {
                indications.append(pdu)
                bluetooth.send([0x1e], from: connection)
            } else {
                answers.append(pdu)
            }
        }
    }

    /// The handle of a characteristic's value, found as phones find it.
    func handle(of uuid: BluetoothUUID) -> UInt16? {
        var first: UInt16 = 1
        while let answer = ask([0x08] + octets(first) + [0xff, 0xff, 0x03, 0x28]), answer[0] == 0x09 {
            let size = Int(answer[1])
            for start in stride(from: 2, to: answer.count, by: size) {
                let value = UInt16(answer[start + 3]) | UInt16(answer[start + 4]) << 8
                let name = Array(answer[(start + 5)..<(start + size)])
                if Array(String(hex: Array(name.reversed())).utf8) == digits(of: uuid) { return value }
                first = value
            }
        }
        return nil
    }

    private func digits(of uuid: BluetoothUUID) -> [UInt8] {
        Array(uuid.description.utf8).filter { $0 != UInt8(ascii: "-") }
    }

    private func octets(_ number: UInt16) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

    /// The whole value, or the error's code.
    func read(_ uuid: BluetoothUUID) -> (value: [UInt8], error: UInt8) {
        guard let handle = handle(of: uuid) else { return ([], 0xff) }
        var value: [UInt8] = []
        while true {
            guard let answer = ask([0x0c] + octets(handle) + octets(UInt16(value.count))) else {
                return (value, 0xff)
            }
            guard answer[0] == 0x0d else { return ([], answer[4]) }
            value += answer[1...]
            if answer.count < 23 { return (value, 0) }
        }
    }

    /// Nil where it was taken, or the error's code.
    func write(_ value: [UInt8], to uuid: BluetoothUUID) -> UInt8? {
        guard let handle = handle(of: uuid), let answer = ask([0x12] + octets(handle) + value) else {
            return 0xff
        }
        return answer[0] == 0x13 ? nil : answer[4]
    }

    func subscribe(to uuid: BluetoothUUID) -> Bool {
        guard let handle = handle(of: uuid) else { return false }
        return ask([0x12] + octets(handle + 1) + [1, 0])?[0] == 0x13
    }

    /// What was notified of a characteristic so far.
    func notified(_ uuid: BluetoothUUID) -> [[UInt8]] {
        listen()
        return handle(of: uuid).flatMap { notifications[$0] } ?? []
    }

    /// Pairs with a passkey, reading it off the panel in `read`.
    func pair(_ read: () -> [UInt8]?) -> Bool {
        guard let connection, bluetooth.startPairing(connection) else { return false }
        world.run(for: .milliseconds(100))
        guard let passkey = read() else { return false }
        bluetooth.type(passkey, on: connection)
        world.run(for: .milliseconds(100))
        return bluetooth.bonds.contains(address)
    }

    // The service as config/README.md describes it.
    static let information = uuid(0x34)
    static let aware = uuid(0x35)
    static let progress = uuid(0x36)
    static let control = uuid(0x37)
    static let result = uuid(0x38)

    private static func uuid(_ last: UInt64) -> BluetoothUUID {
        .custom(0x832e_b559_5af9_4d93, 0x8623_bdef_d811_a000 + last)
    }
}
