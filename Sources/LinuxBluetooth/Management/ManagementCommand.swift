import Crypto
import Ports
import Wire

/// A command to the kernel's Bluetooth management channel.
///
/// - Spec: BlueZ, doc/mgmt-api.txt; numbers are sent with the least significant octet first.
struct ManagementCommand: Equatable, Sendable {
    struct Opcode: RawRepresentable, Hashable, Sendable {
        let rawValue: UInt16

        static let readIndexList = Opcode(rawValue: 0x0003)
        static let readInformation = Opcode(rawValue: 0x0004)
        static let setPowered = Opcode(rawValue: 0x0005)
        static let setConnectable = Opcode(rawValue: 0x0007)
        static let setBondable = Opcode(rawValue: 0x0009)
        static let setLowEnergy = Opcode(rawValue: 0x000d)
        static let setLocalName = Opcode(rawValue: 0x000f)
        static let loadLongTermKeys = Opcode(rawValue: 0x0013)
        static let disconnect = Opcode(rawValue: 0x0014)
        static let setIOCapability = Opcode(rawValue: 0x0018)
        static let unpair = Opcode(rawValue: 0x001b)
        static let refuseConfirmation = Opcode(rawValue: 0x001d)
        static let startDiscovery = Opcode(rawValue: 0x0023)
        static let stopDiscovery = Opcode(rawValue: 0x0024)
        static let setClassic = Opcode(rawValue: 0x002a)
        static let setStaticAddress = Opcode(rawValue: 0x002b)
        static let setSecureConnections = Opcode(rawValue: 0x002d)
        static let loadIdentityKeys = Opcode(rawValue: 0x0030)
        static let readAdvertisingFeatures = Opcode(rawValue: 0x003d)
        static let removeAdvertising = Opcode(rawValue: 0x003f)
        static let addAdvertisingParameters = Opcode(rawValue: 0x0054)
        static let addAdvertisingData = Opcode(rawValue: 0x0055)
    }

    /// Instead of a controller's number, in commands that concern none.
    static let noIndex: UInt16 = 0xffff
    private static let headCount = 6

    let opcode: Opcode
    /// The controller's number, or ``noIndex``.
    let index: UInt16
    /// For messages about a failure: what was to be done.
    let name: StaticString
    /// The whole message.
    private(set) var octets: [UInt8]

    /// - Parameters:
    ///   - index: the controller's number, as in `hci0`.
    ///   - room: at least what `write` writes.
    private init(
        _ name: StaticString, _ opcode: Opcode, _ index: UInt16, room: Int = 0,
        _ write: (inout ManagementWriter) -> Void = { _ in }
    ) {
        self.opcode = opcode
        self.index = index
        self.name = name
        var message = ManagementWriter(room: Self.headCount + room)
        message.number16(opcode.rawValue)
        message.number16(index)
        message.number16(UInt16(clamping: room))
        write(&message)
        guard message.octets.count == Self.headCount + room else {
            die("a Bluetooth command has another length than it says")
        }
        octets = message.octets
    }

    mutating func erase() { octets.erase() }

    static func == (one: ManagementCommand, other: ManagementCommand) -> Bool { one.octets == other.octets }
}

extension ManagementCommand {
    static func readIndexList() -> ManagementCommand {
        ManagementCommand("list the controllers", .readIndexList, noIndex)
    }

    static func readInformation(_ index: UInt16) -> ManagementCommand {
        ManagementCommand(readInformationName, .readInformation, index)
    }

    static let readInformationName: StaticString = "read what it can do"

    static func setPowered(_ index: UInt16, _ isOn: Bool) -> ManagementCommand {
        ManagementCommand(isOn ? "power on" : "power off", .setPowered, index, room: 1) {
            $0.octet(isOn ? 1 : 0)
        }
    }

    static func setConnectable(_ index: UInt16, _ isOn: Bool) -> ManagementCommand {
        ManagementCommand("make it connectable", .setConnectable, index, room: 1) { $0.octet(isOn ? 1 : 0) }
    }

    static func setBondable(_ index: UInt16, _ isOn: Bool) -> ManagementCommand {
        ManagementCommand("make it bondable", .setBondable, index, room: 1) { $0.octet(isOn ? 1 : 0) }
    }

    static func setLowEnergy(_ index: UInt16, _ isOn: Bool) -> ManagementCommand {
        ManagementCommand("switch Bluetooth LE on", .setLowEnergy, index, room: 1) { $0.octet(isOn ? 1 : 0) }
    }

    static func setClassic(_ index: UInt16, _ isOn: Bool) -> ManagementCommand {
        ManagementCommand("switch classic Bluetooth", .setClassic, index, room: 1) {
            $0.octet(isOn ? 1 : 0)
        }
    }

    /// Besides the older pairing, whose keys we refuse. Where the kernel is to demand secure connections it ends every
    /// encrypted connection over Bluetooth LE: it looks for what only classic Bluetooth has.
    static func allowSecureConnections(_ index: UInt16) -> ManagementCommand {
        ManagementCommand("allow secure connections", .setSecureConnections, index, room: 1) { $0.octet(1) }
    }

    enum IOCapability: UInt8 {
        case displayOnly = 0
        case noInputNoOutput = 3
    }

    static func setIOCapability(_ index: UInt16, _ capability: IOCapability) -> ManagementCommand {
        ManagementCommand("say what the board can show", .setIOCapability, index, room: 1) {
            $0.octet(capability.rawValue)
        }
    }

    static func setStaticAddress(_ index: UInt16, _ address: MACAddress) -> ManagementCommand {
        ManagementCommand("set the address", .setStaticAddress, index, room: 6) { $0.deviceAddress(address) }
    }

    /// A longer name is cut where a character ends.
    static func setLocalName(_ index: UInt16, _ name: String) -> ManagementCommand {
        let field = 249
        let short = 11
        return ManagementCommand("set the name", .setLocalName, index, room: field + short) { message in
            var octets: [UInt8] = []
            for character in name.unicodeScalars {
                let more = Array(String(character).utf8)
                // The last octet is the zero that ends it.
                guard octets.count + more.count < field else { break }
                octets += more
            }
            message.append(octets)
            for _ in octets.count..<field + short { message.octet(0) }
        }
    }

    static func loadLongTermKeys(_ index: UInt16, _ bonds: [Bond]) -> ManagementCommand {
        ManagementCommand(
            "load the bonds", .loadLongTermKeys, index, room: 2 + bonds.count * longTermKeyCount
        ) { message in
            message.number16(UInt16(clamping: bonds.count))
            for bond in bonds {
                message.peer(bond.address)
                bond.key.write(into: &message)
            }
        }
    }

    private static let longTermKeyCount = 36
    private static let identityKeyCount = 23

    static func loadIdentityKeys(_ index: UInt16, _ bonds: [Bond]) -> ManagementCommand {
        var known: [(BluetoothAddress, Key)] = []
        for bond in bonds {
            if let key = bond.identityKey { known.append((bond.address, key)) }
        }
        return ManagementCommand(
            "load the identities", .loadIdentityKeys, index, room: 2 + known.count * identityKeyCount
        ) { message in
            message.number16(UInt16(clamping: known.count))
            for (address, key) in known {
                message.peer(address)
                message.key(key)
            }
        }
    }

    static func disconnect(_ index: UInt16, _ address: BluetoothAddress) -> ManagementCommand {
        ManagementCommand("disconnect", .disconnect, index, room: 7) { $0.peer(address) }
    }

    /// Ends the connection too.
    static func unpair(_ index: UInt16, _ address: BluetoothAddress) -> ManagementCommand {
        ManagementCommand("forget a bond", .unpair, index, room: 8) {
            $0.peer(address)
            $0.octet(1)
        }
    }

    static func refuseConfirmation(_ index: UInt16, _ address: BluetoothAddress) -> ManagementCommand {
        ManagementCommand("refuse to compare numbers", .refuseConfirmation, index, room: 7) {
            $0.peer(address)
        }
    }

    /// For devices over Bluetooth LE, whatever the kind of their address.
    private static let lowEnergyKinds: UInt8 =
        1 << AddressKind.lowEnergyPublic | 1 << AddressKind.lowEnergyRandom

    static func startDiscovery(_ index: UInt16) -> ManagementCommand {
        ManagementCommand("look for devices", .startDiscovery, index, room: 1) { $0.octet(lowEnergyKinds) }
    }

    static func stopDiscovery(_ index: UInt16) -> ManagementCommand {
        ManagementCommand("stop looking", .stopDiscovery, index, room: 1) { $0.octet(lowEnergyKinds) }
    }

    static func readAdvertisingFeatures(_ index: UInt16) -> ManagementCommand {
        ManagementCommand("read what it can advertise", .readAdvertisingFeatures, index)
    }

    /// All advertisements, whosever they are, where the instance is ``allInstances``.
    static func removeAdvertising(_ index: UInt16, instance: UInt8) -> ManagementCommand {
        ManagementCommand("remove an advertisement", .removeAdvertising, index, room: 1) {
            $0.octet(instance)
        }
    }

    static let allInstances: UInt8 = 0

    /// Connectable, general discoverable, with an interval of its own.
    private static let advertisingFlags: UInt32 = 1 << 0 | 1 << 1 | 1 << 14
    /// In what the interval is counted, in microseconds.
    private static let intervalUnit: UInt32 = 625
    /// No preference.
    private static let anyPower: UInt8 = 127

    /// - Parameter interval: in milliseconds, 20 … 10240; what lies outside is the nearest of these.
    static func addAdvertisingParameters(_ index: UInt16, instance: UInt8, interval: UInt16)
        -> ManagementCommand
    {
        ManagementCommand("advertise", .addAdvertisingParameters, index, room: 18) { message in
            let units = UInt32(min(max(interval, 20), 10_240)) * 1000 / intervalUnit
            message.octet(instance)
            message.number32(advertisingFlags)
            // Neither a duration nor an end.
            message.number16(0)
            message.number16(0)
            // A little room, so that two advertisers do not stay in step.
            message.number32(units)
            message.number32(min(units + units / 16, 10_240 * 1000 / intervalUnit))
            message.octet(anyPower)
        }
    }

    static func addAdvertisingData(
        _ index: UInt16, instance: UInt8, data: [UInt8], scanResponse: [UInt8]
    ) -> ManagementCommand {
        guard data.count <= 28, scanResponse.count <= 31 else { die("an advertisement is too long") }
        return ManagementCommand(
            "advertise", .addAdvertisingData, index, room: 3 + data.count + scanResponse.count
        ) { message in
            message.octet(instance)
            message.octet(UInt8(clamping: data.count))
            message.octet(UInt8(clamping: scanResponse.count))
            message.append(data)
            message.append(scanResponse)
        }
    }
}
