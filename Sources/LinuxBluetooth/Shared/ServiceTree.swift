import BluetoothLE
import SystemBus

/// The accessory's services as the tree of objects that bluetoothd reads when they are registered.
///
/// - Spec: BlueZ 5.66, doc/gatt-api.txt, "GATT-based services and profiles".
struct ServiceTree {
    private struct Place {
        var path: String
        var characteristic: GATTCharacteristic
    }

    let objects: [ExportedObject]
    private let places: [Place]

    init(_ services: [GATTService]) {
        var objects: [ExportedObject] = []
        var places: [Place] = []
        for (number, service) in services.enumerated() {
            let path = "\(BusNames.services)/service\(number)"
            objects.append(
                ExportedObject(
                    path, BusNames.service,
                    [("UUID", .string(service.uuid.description)), ("Primary", .boolean(true))]))
            for (index, characteristic) in service.characteristics.enumerated() {
                let place = Place(path: "\(path)/characteristic\(index)", characteristic: characteristic)
                places.append(place)
                objects.append(
                    ExportedObject(
                        place.path, BusNames.characteristic,
                        [
                            ("UUID", .string(characteristic.uuid.description)),
                            ("Service", .path(path)),
                            ("Flags", .array(of: "s", Self.flags(characteristic))),
                        ]))
            }
        }
        self.objects = objects
        self.places = places
    }

    func characteristic(at path: String) -> GATTCharacteristic? {
        places.first { $0.path == path }?.characteristic
    }

    func path(of id: GATTCharacteristic.ID) -> String? {
        places.first { $0.characteristic.id == id }?.path
    }

    /// What may be done, and behind a dash-separated prefix what the link has to be like for it: bluetoothd checks that
    /// before it calls.
    static func flags(_ characteristic: GATTCharacteristic) -> [BusValue] {
        let prefix =
            switch characteristic.access {
            case .open: ""
            case .encrypted: "encrypt-"
            case .authenticated: "secure-"
            }
        var flags: [BusValue] = []
        if characteristic.properties.contains(.read) { flags.append(.string(prefix + "read")) }
        if characteristic.properties.contains(.write) { flags.append(.string(prefix + "write")) }
        if characteristic.properties.contains(.writeWithoutResponse) {
            flags.append(.string("write-without-response"))
            // The property has no protected form of its own: the permission comes with the other's.
            if characteristic.access > .open, !characteristic.properties.contains(.write) {
                flags.append(.string(prefix + "write"))
            }
        }
        if characteristic.properties.contains(.notify) {
            flags.append(.string("notify"))
            if characteristic.access > .open { flags.append(.string(prefix + "notify")) }
        }
        if characteristic.properties.contains(.indicate) {
            flags.append(.string("indicate"))
            if characteristic.access > .open { flags.append(.string(prefix + "indicate")) }
        }
        return flags
    }
}
