import Crypto
import Ports
import Wire

/// What a controller can do, or does.
///
/// - Spec: BlueZ, doc/mgmt-api.txt, Read Controller Information Command.
struct ControllerSettings: OptionSet, Equatable, Sendable {
    let rawValue: UInt32

    static let powered = ControllerSettings(rawValue: 1 << 0)
    static let connectable = ControllerSettings(rawValue: 1 << 1)
    static let bondable = ControllerSettings(rawValue: 1 << 4)
    static let classic = ControllerSettings(rawValue: 1 << 7)
    static let lowEnergy = ControllerSettings(rawValue: 1 << 9)
    static let secureConnections = ControllerSettings(rawValue: 1 << 11)
    static let staticAddress = ControllerSettings(rawValue: 1 << 15)
}

/// How the kernel answered a command.
///
/// - Spec: BlueZ, doc/mgmt-api.txt, Command Status Event.
struct ManagementStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let success = ManagementStatus(rawValue: 0x00)
    static let unknownCommand = ManagementStatus(rawValue: 0x01)
    static let failed = ManagementStatus(rawValue: 0x03)
    static let authenticationFailed = ManagementStatus(rawValue: 0x05)
    static let busy = ManagementStatus(rawValue: 0x0a)
    static let rejected = ManagementStatus(rawValue: 0x0b)
    static let invalidIndex = ManagementStatus(rawValue: 0x11)
    static let permissionDenied = ManagementStatus(rawValue: 0x14)

    /// For an operator.
    var words: String {
        switch self {
        case .success: "done"
        case .unknownCommand: "the kernel does not know that"
        case .failed: "it failed"
        case .authenticationFailed: "wrong passkey"
        case ManagementStatus(rawValue: 0x08): "timed out"
        case .busy: "the controller is busy"
        case .rejected: "rejected"
        case ManagementStatus(rawValue: 0x0c): "not supported"
        case ManagementStatus(rawValue: 0x0d): "invalid parameters"
        case ManagementStatus(rawValue: 0x0e): "disconnected"
        case ManagementStatus(rawValue: 0x0f): "not powered"
        case ManagementStatus(rawValue: 0x10): "cancelled"
        case .invalidIndex: "there is no such controller"
        case ManagementStatus(rawValue: 0x12): "blocked by rfkill"
        case .permissionDenied: "permission denied"
        default: "status \(rawValue)"
        }
    }
}

/// The kind of an address in management messages; also that of an L2CAP socket's address.
enum AddressKind {
    static let classic: UInt8 = 0
    static let lowEnergyPublic: UInt8 = 1
    static let lowEnergyRandom: UInt8 = 2
}

/// Writes the parameters of a command, or a record.
///
/// The room is reserved at once, so that keys which are written leave no copies where an array grew: the caller erases
/// the one array that there is.
struct ManagementWriter {
    private(set) var octets: [UInt8] = []

    init(room: Int) { octets.reserveCapacity(room) }

    mutating func octet(_ value: UInt8) { octets.append(value) }
    mutating func number16(_ value: UInt16) { number(UInt64(value), count: 2) }
    mutating func number32(_ value: UInt32) { number(UInt64(value), count: 4) }
    mutating func number64(_ value: UInt64) { number(value, count: 8) }
    mutating func append(_ more: [UInt8]) { octets += more }

    mutating func key(_ key: Key) { key.secret.withOctets { octets.append(contentsOf: $0) } }

    /// An address as Bluetooth sends it, the last octet of its text first.
    mutating func deviceAddress(_ address: MACAddress) { octets += address.octets.reversed() }

    mutating func peer(_ address: BluetoothAddress) {
        deviceAddress(address.octets)
        octet(address.isRandom ? AddressKind.lowEnergyRandom : AddressKind.lowEnergyPublic)
    }

    /// What is written as a secret; the array that it was in is erased.
    consuming func secret() -> Secret {
        defer { octets.erase() }
        return Secret(octets)
    }

    private mutating func number(_ value: UInt64, count: Int) {
        for place in 0..<count { octets.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
    }
}

extension FrameReader {
    mutating func deviceAddress(_ purpose: StaticString) throws(WireError) -> MACAddress {
        let octets = try octets(6, purpose)
        var value: UInt64 = 0
        for octet in octets.reversed() { value = value << 8 | UInt64(octet) }
        return MACAddress(rawValue: value)
    }

    /// An address over Bluetooth LE. Nil for one over classic Bluetooth, which is not ours.
    mutating func peer(_ purpose: StaticString) throws(WireError) -> BluetoothAddress? {
        let octets = try deviceAddress(purpose)
        switch try octet(purpose) {
        case AddressKind.classic: return nil
        case AddressKind.lowEnergyPublic: return BluetoothAddress(octets, isRandom: false)
        case AddressKind.lowEnergyRandom: return BluetoothAddress(octets, isRandom: true)
        case let kind: throw .unexpected("address kind", value: UInt64(kind))
        }
    }
}
