import BluetoothLE
import Ports
import SystemBus
import Wire

/// An advertisement as the properties from which bluetoothd makes it again.
///
/// It puts the name into the scan response, and everything else into the advertisement itself; the order is its own.
///
/// - Spec: BlueZ 5.66, doc/advertising-api.txt.
struct AdvertisementProperties {
    private var services: [BusValue] = []
    private var serviceData: [BusValue] = []
    private var manufacturerData: [BusValue] = []
    private var other: [BusValue] = []
    private var name: String?
    private var hasPower = false
    private let interval: UInt32

    /// - Throws: What does not follow the format.
    init(_ advertisement: BluetoothAdvertisement) throws(WireError) {
        interval = UInt32(advertisement.interval)
        for octets in [advertisement.data, advertisement.scanResponse] {
            for element in try AdvertisingData(parsing: octets).elements { try add(element) }
        }
    }

    var dictionary: [(name: String, value: BusValue)] {
        var fields: [(name: String, value: BusValue)] = [
            ("Type", .string("peripheral")), ("Discoverable", .boolean(true)),
            ("MinInterval", .uint32(interval)), ("MaxInterval", .uint32(interval)),
        ]
        if !services.isEmpty { fields.append(("ServiceUUIDs", .array(of: "s", services))) }
        if !serviceData.isEmpty { fields.append(("ServiceData", .array(of: "{sv}", serviceData))) }
        if !manufacturerData.isEmpty {
            fields.append(("ManufacturerData", .array(of: "{qv}", manufacturerData)))
        }
        if !other.isEmpty { fields.append(("Data", .array(of: "{yv}", other))) }
        if let name { fields.append(("LocalName", .string(name))) }
        if hasPower { fields.append(("Includes", .array(of: "s", [.string("tx-power")]))) }
        return fields
    }

    private mutating func add(_ element: AdvertisingData.Element) throws(WireError) {
        switch element {
        // bluetoothd makes them of "Discoverable".
        case .flags: break
        case .services(let uuids, _):
            for uuid in uuids { services.append(.string(uuid.description)) }
        case .name(let octets, _): name = String(decoding: octets, as: UTF8.self)
        case .transmitPower: hasPower = true
        case .serviceData(let uuid, let data):
            serviceData.append(.entry(.string(uuid.description), .variant(.octets(data))))
        case .manufacturer(let company, let data):
            manufacturerData.append(.entry(.uint16(company), .variant(.octets(data))))
        default:
            let octets = try AdvertisingData([element]).octets(limit: AdvertisingData.legacyLimit)
            other.append(.entry(.octet(octets[1]), .variant(.octets(Array(octets.dropFirst(2))))))
        }
    }
}
