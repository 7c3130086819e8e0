/// The attributes of an accessory with their handles, which are the same for every client and for as long as the
/// services are.
///
/// Generic Access and Generic Attribute come first, then the services in their order.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part G, 2.5 and 3.
public struct AttributeDatabase: Sendable {
    /// Attribute types.
    enum Declaration {
        static let primaryService = BluetoothUUID.assigned(0x2800)
        static let secondaryService = BluetoothUUID.assigned(0x2801)
        static let characteristic = BluetoothUUID.assigned(0x2803)
        static let clientConfiguration = BluetoothUUID.assigned(0x2902)
    }

    struct Attribute: Sendable {
        var type: BluetoothUUID
        var content: Content

        enum Content: Sendable {
            /// `end` is the handle of the service's last attribute.
            case service(BluetoothUUID, end: UInt16)
            case declaration(GATTCharacteristic)
            case value(GATTCharacteristic)
            /// The client's own choice: notifications, indications, or neither.
            case subscription(GATTCharacteristic)
        }
    }

    /// The attribute with handle 1 first.
    private(set) var attributes: [Attribute] = []
    private var constants: [GATTCharacteristic.ID: [UInt8]] = [:]

    /// Tells what clients find from what they found in another database.
    public private(set) var fingerprint: UInt32 = 0x811c_9dc5

    /// - Parameters:
    ///   - name: What Generic Access calls the device; octets beyond 248 are left out.
    ///   - appearance: What kind of device it is, 0 for unknown (Assigned Numbers, 2.6).
    public init(name: String, appearance: UInt16 = 0, services: [GATTService]) {
        constants[.deviceName] = Array(name.utf8.prefix(248))
        constants[.appearance] = [
            UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance >> 8),
        ]
        add(.genericAccess)
        add(.genericAttribute)
        for service in services { add(service) }
    }

    /// What does not change, and so is not asked for.
    func constant(_ id: GATTCharacteristic.ID) -> [UInt8]? { constants[id] }

    subscript(handle: UInt16) -> Attribute? {
        handle > 0 && Int(handle) <= attributes.count ? attributes[Int(handle) - 1] : nil
    }

    var last: UInt16 { UInt16(attributes.count) }

    /// The characteristic with this name, and the handle of its value.
    func characteristic(_ id: GATTCharacteristic.ID) -> (handle: UInt16, GATTCharacteristic)? {
        for index in attributes.indices {
            if case .value(let characteristic) = attributes[index].content, characteristic.id == id {
                return (UInt16(index + 1), characteristic)
            }
        }
        return nil
    }

    private mutating func add(_ service: GATTService) {
        let place = attributes.count
        attributes.append(
            Attribute(type: Declaration.primaryService, content: .service(service.uuid, end: 0)))
        for characteristic in service.characteristics {
            attributes.append(
                Attribute(type: Declaration.characteristic, content: .declaration(characteristic)))
            attributes.append(Attribute(type: characteristic.uuid, content: .value(characteristic)))
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                attributes.append(
                    Attribute(type: Declaration.clientConfiguration, content: .subscription(characteristic)))
            }
        }
        attributes[place].content = .service(service.uuid, end: UInt16(attributes.count))
        mix(service.uuid.octets)
        for characteristic in service.characteristics {
            mix(ATTServer.octets(characteristic.id.number) + [characteristic.properties.rawValue])
            mix(characteristic.uuid.octets)
        }
    }

    /// FNV-1a.
    private mutating func mix(_ octets: [UInt8]) {
        for octet in octets { fingerprint = (fingerprint ^ UInt32(octet)) &* 0x0100_0193 }
    }
}

// MARK: What every device has

extension GATTCharacteristic.ID {
    static let deviceName = GATTCharacteristic.ID(0xff00)
    static let appearance = GATTCharacteristic.ID(0xff01)
    static let serviceChanged = GATTCharacteristic.ID(0xff02)
}

extension GATTService {
    static var genericAccess: GATTService {
        var service = GATTService(.assigned(0x1800))
        service.add(.deviceName, .assigned(0x2a00), .read)
        service.add(.appearance, .assigned(0x2a01), .read)
        return service
    }

    static var genericAttribute: GATTService {
        var service = GATTService(.assigned(0x1801))
        service.add(.serviceChanged, .assigned(0x2a05), .indicate)
        return service
    }
}
