import BluetoothLE
import SystemBus

/// The first Wi-Fi interface that NetworkManager has, and what it hears, out of its answer to GetManagedObjects.
///
/// - Spec: NetworkManager 1.42, D-Bus API: Device.Wireless, AccessPoint, NM80211ApFlags, NM80211ApSecurityFlags.
struct ManagerObjects {
    private static let isProtected: UInt64 = 1
    private static let psk: UInt64 = 0x100
    private static let sae: UInt64 = 0x400
    /// A device that it leaves alone.
    private static let unmanaged: UInt64 = 10

    var device: String?
    var found: [(network: WiFiNetwork, protection: Protection)] = []

    init(_ answer: BusValue?) {
        guard let objects = answer?.elements else { return }
        for case .entry(let key, let interfaces) in objects {
            guard let path = key.text, interfaces[ManagerNames.wireless] != nil,
                interfaces[ManagerNames.device]?["State"]?.number ?? 0 > Self.unmanaged,
                device.map({ path < $0 }) ?? true
            else { continue }
            device = path
        }
        for case .entry(_, let interfaces) in objects {
            guard let point = interfaces[ManagerNames.accessPoint] else { continue }
            add(point)
        }
    }

    private mutating func add(_ point: BusValue) {
        guard let name = point["Ssid"]?.octetString, let strength = point["Strength"]?.number else { return }
        let security = (point["WpaFlags"]?.number ?? 0) | (point["RsnFlags"]?.number ?? 0)
        let protection: Protection =
            if security & Self.psk != 0 { .psk } else if security & Self.sae != 0 { .sae } else { .none }
        let flags = point["Flags"]?.number ?? 0
        found.append(
            (
                // It makes percents of -100 … -50 dBm.
                WiFiNetwork(
                    name: name, signal: Int8(clamping: Int(min(strength, 100)) / 2 - 100),
                    isProtected: security != 0 || flags & Self.isProtected != 0),
                protection
            ))
    }
}

enum ManagerNames {
    static let daemon = "org.freedesktop.NetworkManager"
    static let device = "org.freedesktop.NetworkManager.Device"
    static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
    static let accessPoint = "org.freedesktop.NetworkManager.AccessPoint"
    static let connection = "org.freedesktop.NetworkManager.Settings.Connection"
}
