import Ports
import SystemBus
import Wire

/// A controller as bluetoothd tells of it.
struct DaemonAdapter: Equatable {
    let path: String
    let address: BluetoothAddress
    var isPowered: Bool
    var alias: String

    /// Nil for one that cannot be a peripheral.
    init?(_ path: String, _ interfaces: BusValue) {
        guard let properties = interfaces[BusNames.adapter], interfaces[BusNames.gattManager] != nil,
            interfaces[BusNames.advertisingManager] != nil, let address = BluetoothAddress(properties)
        else { return nil }
        self.path = path
        self.address = address
        isPowered = properties["Powered"]?.flag ?? false
        alias = properties["Alias"]?.text ?? ""
    }
}

/// A phone or anything else that bluetoothd knows.
struct DaemonDevice: Equatable {
    var address: BluetoothAddress
    var isConnected: Bool
    var isPaired: Bool

    init?(_ properties: BusValue) {
        guard let address = BluetoothAddress(properties) else { return nil }
        self.address = address
        isConnected = properties["Connected"]?.flag ?? false
        isPaired = properties["Paired"]?.flag ?? false
    }

    mutating func change(_ properties: BusValue) {
        if let text = properties["Address"]?.text, let octets = MACAddress(text) { address.octets = octets }
        if let type = properties["AddressType"]?.text { address.isRandom = type == "random" }
        if let flag = properties["Connected"]?.flag { isConnected = flag }
        if let flag = properties["Paired"]?.flag { isPaired = flag }
    }
}

/// Everything that bluetoothd has, out of its answer to GetManagedObjects.
struct DaemonObjects {
    /// The first that fits, in the order of their paths.
    var adapter: DaemonAdapter?
    var devices: [(path: String, device: DaemonDevice)] = []

    /// Of the adapter with this name, as in `hci0`; of the first for nil.
    init(_ answer: BusValue, adapter wanted: String?) {
        guard let objects = answer.elements else { return }
        for case .entry(let key, let interfaces) in objects {
            guard let path = key.text else { continue }
            if let adapter = DaemonAdapter(path, interfaces),
                wanted.map({ path.hasSuffix("/" + $0) }) ?? true,
                self.adapter.map({ path < $0.path }) ?? true
            {
                self.adapter = adapter
            }
            if let properties = interfaces[BusNames.device], let device = DaemonDevice(properties) {
                devices.append((path, device))
            }
        }
    }
}

extension BluetoothAddress {
    /// Of an adapter or a device.
    init?(_ properties: BusValue) {
        guard let text = properties["Address"]?.text, let octets = MACAddress(text) else { return nil }
        self.init(octets, isRandom: properties["AddressType"]?.text == "random")
    }
}
