import BluetoothLE
import Ports
import SystemBus
import Wire

@testable import LinuxBluetooth

/// What bluetoothd says, as messages.
enum FakeDaemon {
    static let name = ":1.7"
    static let adapter = "/org/bluez/hci0"
    static let phone = "/org/bluez/hci0/dev_AA_BB_CC_00_00_02"
    static let address = BluetoothAddress(MACAddress(rawValue: 0xaabb_cc00_0001), isRandom: false)
    static let phoneAddress = BluetoothAddress(MACAddress(rawValue: 0xaabb_cc00_0002), isRandom: true)

    static func adapterInterfaces(isPowered: Bool = true) -> BusValue {
        interfaces([
            (
                BusNames.adapter,
                [
                    ("Address", .string("AA:BB:CC:00:00:01")), ("AddressType", .string("public")),
                    ("Powered", .boolean(isPowered)), ("Alias", .string("before")),
                ]
            ), (BusNames.gattManager, []), (BusNames.advertisingManager, []),
        ])
    }

    static func phoneInterfaces(isPaired: Bool = false, isConnected: Bool = true) -> BusValue {
        interfaces([
            (
                BusNames.device,
                [
                    ("Address", .string("AA:BB:CC:00:00:02")), ("AddressType", .string("random")),
                    ("Connected", .boolean(isConnected)), ("Paired", .boolean(isPaired)),
                ]
            )
        ])
    }

    static func interfaces(_ all: [(String, [(name: String, value: BusValue)])]) -> BusValue {
        .array(of: "{sa{sv}}", all.map { .entry(.string($0.0), .dictionary($0.1)) })
    }

    static func objects(_ objects: [(String, BusValue)]) -> BusValue {
        .array(of: "{oa{sa{sv}}}", objects.map { .entry(.path($0.0), $0.1) })
    }

    static func owner(_ new: String) -> BusMessage {
        BusMessage(
            .signal, from: SystemBus.busName, member: "NameOwnerChanged",
            [.string("org.bluez"), .string(""), .string(new)])
    }

    static func added(_ path: String, _ interfaces: BusValue) -> BusMessage {
        BusMessage(.signal, from: name, path: "/", member: "InterfacesAdded", [.path(path), interfaces])
    }

    static func changed(
        _ path: String, _ interface: String, _ properties: [(name: String, value: BusValue)]
    ) -> BusMessage {
        BusMessage(
            .signal, from: name, path: path, member: "PropertiesChanged",
            [.string(interface), .dictionary(properties), .array(of: "s", [])])
    }

    static func call(_ member: String, of interface: String, at path: String, _ body: [BusValue])
        -> BusMessage
    {
        BusMessage(.call, from: name, path: path, interface: interface, member: member, body)
    }

    static func read(
        _ path: String, by device: String = phone, offset: UInt16? = nil
    ) -> BusMessage {
        var options: [(name: String, value: BusValue)] = [("device", .path(device)), ("mtu", .uint16(23))]
        if let offset { options.append(("offset", .uint16(offset))) }
        return call("ReadValue", of: BusNames.characteristic, at: path, [.dictionary(options)])
    }
}
