import Crypto
import Foundation
import Ports
import Testing
import Wire

@testable import LinuxBluetooth

/// The octets are those of BlueZ's doc/mgmt-api.txt, worked out by hand.
struct ManagementTests {
    static let phone = BluetoothAddress(MACAddress(rawValue: 0xf0f1_f2f3_f4f5), isRandom: true)
    static let bond = Bond(
        address: phone,
        key: LongTermKey(
            kind: 3, isCentral: false, size: 16, diversifier: 0x0201, random: 0x0a09_0807_0605_0403,
            value: Key(Secret([UInt8](0x10...0x1f)))), identityKey: Key(Secret([UInt8](0x20...0x2f))))

    static let commands: [(ManagementCommand, String)] = [
        // Opcode, controller, length; parameters.
        (.readIndexList(), "0300 ffff 0000"),
        (.readInformation(0), "0400 0000 0000"),
        (.setPowered(1, true), "0500 0100 0100 01"),
        (.setPowered(0, false), "0500 0000 0100 00"),
        (.setConnectable(0, true), "0700 0000 0100 01"),
        (.setBondable(0, true), "0900 0000 0100 01"),
        (.setLowEnergy(0, true), "0d00 0000 0100 01"),
        (.setClassic(0, false), "2a00 0000 0100 00"),
        (.allowSecureConnections(0), "2d00 0000 0100 01"),
        (.setIOCapability(0, .displayOnly), "1800 0000 0100 00"),
        (.setIOCapability(0, .noInputNoOutput), "1800 0000 0100 03"),
        (.setStaticAddress(0, MACAddress(rawValue: 0xc655_4433_2211)), "2b00 0000 0600 1122334455c6"),
        // Address and its kind; the key's kind, role, size, diversifier, random number, value.
        (
            .loadLongTermKeys(0, [bond]),
            "1300 0000 2600 0100 f5f4f3f2f1f0 02 03 00 10 0102 030405060708090a 101112131415161718191a1b1c1d1e1f"
        ),
        (.loadLongTermKeys(0, []), "1300 0000 0200 0000"),
        (
            .loadIdentityKeys(0, [bond]),
            "3000 0000 1900 0100 f5f4f3f2f1f0 02 202122232425262728292a2b2c2d2e2f"
        ),
        (.disconnect(0, phone), "1400 0000 0700 f5f4f3f2f1f0 02"),
        (.unpair(0, phone), "1b00 0000 0800 f5f4f3f2f1f0 02 01"),
        (.startDiscovery(0), "2300 0000 0100 06"),
        (.stopDiscovery(0), "2400 0000 0100 06"),
        (.readAdvertisingFeatures(0), "3d00 0000 0000"),
        (.removeAdvertising(0, instance: 0), "3f00 0000 0100 00"),
        // Instance; flags: connectable, discoverable, interval; no duration, no end; 160 and 170 times 625 µs; any power.
        (
            .addAdvertisingParameters(0, instance: 5, interval: 100),
            "5400 0000 1200 05 03400000 0000 0000 a0000000 aa000000 7f"
        ),
        (
            .addAdvertisingParameters(0, instance: 5, interval: 1),
            "5400 0000 1200 05 03400000 0000 0000 20000000 22000000 7f"
        ),
        (
            .addAdvertisingParameters(0, instance: 5, interval: 65_535),
            "5400 0000 1200 05 03400000 0000 0000 00400000 00400000 7f"
        ),
        (
            .addAdvertisingData(0, instance: 5, data: [2, 10, 4], scanResponse: [3, 9, 0x68, 0x69]),
            "5500 0000 0a00 05 03 04 020a04 03096869"
        ),
    ]

    @Test func `commands have the octets of the kernel's interface`() {
        for (command, expected) in Self.commands {
            #expect(
                String(hex: command.octets) == expected.replacing(" ", with: ""), "to \(command.name)")
        }
    }

    @Test func `a long name is cut where a character ends`() {
        let short = ManagementCommand.setLocalName(0, "Drone")
        #expect(short.octets.count == 6 + 260)
        #expect(short.octets[6..<12] == [0x44, 0x72, 0x6f, 0x6e, 0x65, 0])
        let long = ManagementCommand.setLocalName(0, String(repeating: "é", count: 200))
        #expect(long.octets.count == 6 + 260)
        #expect(long.octets[6 + 246..<6 + 250] == [0xc3, 0xa9, 0, 0])
    }

    static let messages = [
        // Event, controller, length; the rest.
        "0100 0000 0800 0d00 00 0002000000",  // Command Complete: Set LE, done, settings.
        "0200 0000 0300 0500 03",  // Command Status: Set Powered, failed.
        "0400 0100 0000",  // Index Added: hci1.
        "0500 0100 0000",  // Index Removed.
        "0600 0000 0400 01020000",  // New Settings: powered, LE.
        // Local Name Changed: 249 octets of name, 11 of short name.
        "0800 0000 0401 " + String(repeating: "00", count: 260),
        "0a00 0000 2500 01 f5f4f3f2f1f0 02 03 00 10 0102 030405060708090a 101112131415161718191a1b1c1d1e1f",
        "0b00 0000 0d00 f5f4f3f2f1f0 02 00000000 0000",  // Device Connected.
        "0c00 0000 0800 f5f4f3f2f1f0 02 03",  // Device Disconnected, by the device.
        "0f00 0000 0c00 f5f4f3f2f1f0 02 01 00000000",  // User Confirmation Request.
        "1100 0000 0800 f5f4f3f2f1f0 02 05",  // Authentication Failed.
        "1200 0000 1100 f5f4f3f2f1f0 02 d8 00000000 0300 020106",  // Device Found, -40 dBm.
        "1300 0000 0200 06 01",  // Discovering.
        "1600 0000 0700 f5f4f3f2f1f0 02",  // Device Unpaired.
        "1700 0000 0c00 f5f4f3f2f1f0 02 40e20100 00",  // Passkey Notify: 123456.
        "1800 0000 1e00 01 010203040546 f5f4f3f2f1f0 02 202122232425262728292a2b2c2d2e2f",  // New IRK.
        "2400 0000 0100 05",  // Advertising Removed.
        "0b00 0000 0d00 f5f4f3f2f1f0 00 00000000 0000",  // Device Connected over classic Bluetooth.
        "2600 0000 0100 05",  // Something else.
    ]

    static func octets(_ text: String) throws -> [UInt8] {
        try #require([UInt8](hex: text.replacing(" ", with: "")))
    }

    @Test func `events are understood`() throws {
        var seen: [String] = []
        for text in Self.messages {
            let message = try ManagementMessage(parsing: try Self.octets(text))
            seen.append("\(message.index) \(Self.words(message.event))")
        }
        #expect(
            seen == [
                "0 answer 13 0 0002000000", "0 answer 5 3 ", "1 added", "1 removed", "0 settings 513",
                "0 name changed",
                "0 ltk true f0:f1:f2:f3:f4:f5 3 false 16 513 723118041428460547",
                "0 connected f0:f1:f2:f3:f4:f5", "0 disconnected f0:f1:f2:f3:f4:f5",
                "0 confirmation f0:f1:f2:f3:f4:f5",
                "0 failed f0:f1:f2:f3:f4:f5 wrong passkey", "0 found f0:f1:f2:f3:f4:f5 -40 020106",
                "0 discovering true", "0 unpaired f0:f1:f2:f3:f4:f5", "0 passkey f0:f1:f2:f3:f4:f5 123456",
                "0 irk true 46:05:04:03:02:01 f0:f1:f2:f3:f4:f5", "0 removed 5", "0 other 11", "0 other 38",
            ])
    }

    static func words(_ event: ManagementMessage.Event) -> String {
        switch event {
        case .answer(let opcode, let status, let octets):
            "answer \(opcode.rawValue) \(status.rawValue) \(String(hex: octets))"
        case .controllerAdded: "added"
        case .controllerRemoved: "removed"
        case .settings(let settings): "settings \(settings.rawValue)"
        case .nameChanged: "name changed"
        case .newLongTermKey(let isToBeKept, let address, let key):
            "ltk \(isToBeKept) \(address.octets) \(key.kind) \(key.isCentral) \(key.size) \(key.diversifier) \(key.random)"
        case .newIdentityKey(let isToBeKept, let resolvable, let address, _):
            "irk \(isToBeKept) \(resolvable) \(address.octets)"
        case .passkey(let address, let number): "passkey \(address.octets) \(number)"
        case .confirmation(let address): "confirmation \(address.octets)"
        case .authenticationFailed(let address, let status): "failed \(address.octets) \(status.words)"
        case .connected(let address): "connected \(address.octets)"
        case .disconnected(let address): "disconnected \(address.octets)"
        case .unpaired(let address): "unpaired \(address.octets)"
        case .advertisingRemoved(let instance): "removed \(instance)"
        case .discovering(let isOn): "discovering \(isOn)"
        case .found(let device): "found \(device.address.octets) \(device.signal) \(String(hex: device.data))"
        case .other(let code): "other \(code)"
        }
    }

    @Test func `every prefix of an event is refused, every flipped bit is survived`() throws {
        for text in Self.messages {
            let whole = try Self.octets(text)
            for count in whole.indices {
                #expect(throws: WireError.self) { try ManagementMessage(parsing: Array(whole[..<count])) }
            }
            for bit in 0..<8 * whole.count {
                var flipped = whole
                flipped[bit / 8] ^= 1 << (bit % 8)
                _ = try? ManagementMessage(parsing: flipped)
            }
        }
    }

    @Test func `a passkey of more than six digits is refused`() throws {
        let octets = try Self.octets("1700 0000 0c00 f5f4f3f2f1f0 02 40420f00 00")
        #expect(throws: WireError.self) { try ManagementMessage(parsing: octets) }
    }

    @Test func `answers are understood, and their prefixes refused`() throws {
        #expect(try ManagementAnswers.indexList(try Self.octets("0200 0100 0000")) == [0, 1])
        #expect(throws: WireError.self) { try ManagementAnswers.indexList([2, 0, 0, 0, 1]) }
        let information = try Self.octets("0100 00cc bbaa 09 0200 ffbf0100 01020000")
        let controller = try ControllerInformation(parsing: information)
        #expect(controller.address == MACAddress(rawValue: 0xaabb_cc00_0001))
        #expect(controller.current == [.powered, .lowEnergy])
        #expect(controller.supported.isSuperset(of: [.classic, .staticAddress, .secureConnections]))
        for count in information.indices {
            #expect(throws: WireError.self) {
                try ControllerInformation(parsing: Array(information[..<count]))
            }
        }
        let features = try Self.octets("ffff0100 1f 1f 05 02 0105")
        #expect(try AdvertisingFeatures(parsing: features).most == 5)
        for count in 0..<7 {
            #expect(throws: WireError.self) { try AdvertisingFeatures(parsing: Array(features[..<count])) }
        }
    }

    @Test func `a bond's record is read again, and none of its prefixes`() throws {
        let record = Self.bond.record()
        let bond = try Bond(parsing: record)
        #expect(bond.address == Self.phone)
        let isSame = bond.record().isEqual(to: record)
        #expect(isSame)
        for count in 0..<record.count {
            let prefix = record.extracting(0..<count)
            #expect(throws: WireError.self) { try Bond(parsing: prefix) }
        }
        #expect(Bond.recordName(Self.phone) == "bond-f0f1f2f3f4f5-random")
    }

    /// Version, address and its kind; how many keys, each: kind, role, size, diversifier, random number, value; identity
    /// key; number; services and subscriptions.
    @Test func `a bond's record of today is read, and one of another number of keys refused by its number`()
        throws
    {
        let key = "03 00 10 0102 030405060708090a 101112131415161718191a1b1c1d1e1f"
        let end = "01 202122232425262728292a2b2c2d2e2f 00000000 00000000 00"
        func record(_ keys: [String]) throws -> Secret {
            Secret(
                try Self.octets(
                    "02 f5f4f3f2f1f0 02 0\(keys.count) " + keys.joined(separator: " ") + " " + end))
        }
        let isSame = Self.bond.record().isEqual(to: try record([key]))
        #expect(isSame)
        for count in [0, 2, 3] {
            let other = try record(Array(repeating: key, count: count))
            #expect(throws: WireError.unexpected("number of keys", value: UInt64(count))) {
                try Bond(parsing: other)
            }
        }
    }
}
