import Crypto
import Ports
import Wire

/// What the kernel says on its Bluetooth management channel.
///
/// Octets after those that are known are passed over: kernels add fields.
///
/// - Spec: BlueZ, doc/mgmt-api.txt.
struct ManagementMessage: Sendable {
    enum Event: Sendable {
        /// The answer to a command: what it asked for, where it was done.
        case answer(ManagementCommand.Opcode, ManagementStatus, [UInt8])
        case controllerAdded
        case controllerRemoved
        case settings(ControllerSettings)
        /// Another program has given the controller a name.
        case nameChanged
        case newLongTermKey(isToBeKept: Bool, BluetoothAddress, LongTermKey)
        case newIdentityKey(isToBeKept: Bool, resolvable: MACAddress, BluetoothAddress, Key)
        case passkey(BluetoothAddress, UInt32)
        /// A device wants a person to compare numbers, or to say yes.
        case confirmation(BluetoothAddress)
        case authenticationFailed(BluetoothAddress, ManagementStatus)
        case connected(BluetoothAddress)
        case disconnected(BluetoothAddress)
        case unpaired(BluetoothAddress)
        case advertisingRemoved(UInt8)
        case discovering(Bool)
        case found(DeviceFound)
        /// Nothing that concerns us, by its number.
        case other(UInt16)
    }

    /// The controller's number, or ``ManagementCommand/noIndex``.
    var index: UInt16
    var event: Event
}

/// An advertisement that was heard.
struct DeviceFound: Equatable, Sendable {
    var address: BluetoothAddress
    /// In dBm; 127 where the controller did not say.
    var signal: Int8
    /// Advertising data and scan response.
    var data: [UInt8]
}

extension ManagementMessage {
    private enum Code {
        static let commandComplete: UInt16 = 0x0001
        static let commandStatus: UInt16 = 0x0002
        static let indexAdded: UInt16 = 0x0004
        static let indexRemoved: UInt16 = 0x0005
        static let newSettings: UInt16 = 0x0006
        static let nameChanged: UInt16 = 0x0008
        static let newLongTermKey: UInt16 = 0x000a
        static let connected: UInt16 = 0x000b
        static let disconnected: UInt16 = 0x000c
        static let confirmation: UInt16 = 0x000f
        static let authenticationFailed: UInt16 = 0x0011
        static let deviceFound: UInt16 = 0x0012
        static let discovering: UInt16 = 0x0013
        static let unpaired: UInt16 = 0x0016
        static let passkeyNotify: UInt16 = 0x0017
        static let newIdentityKey: UInt16 = 0x0018
        static let advertisingRemoved: UInt16 = 0x0024
    }

    init(parsing octets: [UInt8]) throws(WireError) {
        var frame = FrameReader(octets.span.bytes)
        let code = try frame.number16("event code")
        index = try frame.number16("controller index")
        let count = Int(try frame.number16("event length"))
        var body = try frame.slice(count, "event")
        try frame.end("event")
        event = try Self.event(code, &body)
    }

    private static func event(_ code: UInt16, _ body: inout FrameReader) throws(WireError) -> Event {
        switch code {
        case Code.commandComplete, Code.commandStatus:
            return .answer(
                ManagementCommand.Opcode(rawValue: try body.number16("opcode")),
                ManagementStatus(rawValue: try body.octet("status")), body.rest())
        case Code.indexAdded: return .controllerAdded
        case Code.indexRemoved: return .controllerRemoved
        case Code.newSettings: return .settings(ControllerSettings(rawValue: try body.number32("settings")))
        case Code.nameChanged: return .nameChanged
        case Code.newLongTermKey: return try longTermKey(&body)
        case Code.newIdentityKey: return try identityKey(&body)
        case Code.passkeyNotify:
            guard let peer = try body.peer("device address") else { return .other(code) }
            let passkey = try body.number32("passkey")
            guard passkey <= 999_999 else { throw .unexpected("passkey", value: 0) }
            return .passkey(peer, passkey)
        case Code.authenticationFailed:
            guard let peer = try body.peer("device address") else { return .other(code) }
            return .authenticationFailed(peer, ManagementStatus(rawValue: try body.octet("status")))
        case Code.connected, Code.disconnected, Code.unpaired, Code.confirmation:
            guard let peer = try body.peer("device address") else { return .other(code) }
            switch code {
            case Code.confirmation: return .confirmation(peer)
            case Code.connected: return .connected(peer)
            case Code.disconnected: return .disconnected(peer)
            default: return .unpaired(peer)
            }
        case Code.advertisingRemoved: return .advertisingRemoved(try body.octet("instance"))
        case Code.discovering:
            _ = try body.octet("address kinds")
            return .discovering(try body.octet("discovering") != 0)
        case Code.deviceFound: return try deviceFound(&body)
        default: return .other(code)
        }
    }

    private static func longTermKey(_ body: inout FrameReader) throws(WireError) -> Event {
        let isToBeKept = try body.octet("store hint") != 0
        let peer = try body.peer("device address")
        let key = try LongTermKey(parsing: &body)
        guard let peer else { return .other(Code.newLongTermKey) }
        return .newLongTermKey(isToBeKept: isToBeKept, peer, key)
    }

    private static func identityKey(_ body: inout FrameReader) throws(WireError) -> Event {
        let isToBeKept = try body.octet("store hint") != 0
        let resolvable = try body.deviceAddress("resolvable address")
        let peer = try body.peer("device address")
        let key = try body.key("identity key")
        guard let peer else { return .other(Code.newIdentityKey) }
        return .newIdentityKey(isToBeKept: isToBeKept, resolvable: resolvable, peer, key)
    }

    private static func deviceFound(_ body: inout FrameReader) throws(WireError) -> Event {
        let peer = try body.peer("device address")
        let signal = Int8(bitPattern: try body.octet("signal"))
        _ = try body.number32("flags")
        let count = Int(try body.number16("advertising data length"))
        let data = try body.octets(count, "advertising data")
        guard let peer else { return .other(Code.deviceFound) }
        return .found(DeviceFound(address: peer, signal: signal, data: data))
    }
}
