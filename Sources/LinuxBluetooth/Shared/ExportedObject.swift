import SystemBus

/// An object of ours as bluetoothd sees it: one interface, and properties that never change.
struct ExportedObject {
    var path: String
    var interface: String
    var properties: BusValue

    init(_ path: String, _ interface: String, _ properties: [(name: String, value: BusValue)]) {
        self.path = path
        self.interface = interface
        self.properties = .dictionary(properties)
    }

    /// The answer to GetManagedObjects at a path: what is there and below.
    static func listing(_ objects: [ExportedObject], at path: String) -> BusValue {
        var entries: [BusValue] = []
        for object in objects where object.path == path || object.path.hasPrefix(path + "/") {
            let interfaces = BusValue.array(
                of: "{sa{sv}}", [.entry(.string(object.interface), object.properties)])
            entries.append(.entry(.path(object.path), interfaces))
        }
        return .array(of: "{oa{sa{sv}}}", entries)
    }
}

/// The names that are used on the bus.
enum BusNames {
    static let daemon = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let agentManager = "org.bluez.AgentManager1"
    static let service = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let agent = "org.bluez.Agent1"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"

    static let agentPath = "/awared/agent"
    static let advertisements = "/awared/advertisement"
    static let services = "/awared/services"
}
