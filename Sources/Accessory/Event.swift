public import Ports
public import Wire

/// What happened, for the journal and for those who watch. Never a key, never a PIN.
public enum Event: Equatable, Sendable {
    case started(address: MACAddress)
    case clusterJoined(MACAddress)
    case published([String])
    case withdrawn
    case radioLost(String)
    /// The radio's channel is needed for something else: no data path can be.
    case channelLost
    case channelRegained

    case pairingOpened(seconds: UInt32)
    case pairingClosed
    /// A PIN is shown for the peer.
    case attempt(peer: MACAddress, name: String)
    case paired(device: String, name: String)
    case locked(seconds: UInt32)
    /// A paired device has proved itself again, at what may be a new address.
    case recognised(device: String, name: String, address: MACAddress)
    case forgotten(device: String, name: String)
    /// The device was to be forgotten, and is until the next start: its record cannot be removed.
    case recordStays(device: String, name: String, reason: String)

    case connected(device: String, name: String, service: String)
    case disconnected(device: String, name: String, service: String, reason: String)

    case buttonPressed
    /// A person holds a button: in so many seconds every device is forgotten.
    case forgettingBegan(seconds: UInt32)
    /// The button was released in time.
    case forgettingStopped
    case forgettingCompleted(devices: Int)

    /// A panel or the buttons do not work. The accessory goes on without.
    case partFailed(part: String, reason: String)
    case partRecovered(part: String)

    /// Bluetooth can be used, at this address.
    case bluetoothReady(BluetoothAddress)
    case bluetoothUnavailable(String)
    case bluetoothConnected(BluetoothAddress)
    /// A passkey is shown for a client that pairs over Bluetooth.
    case passkeyShown
    case bonded(BluetoothAddress)
    case bondFailed(BluetoothAddress, reason: String)
    /// Of no paired device: by the owner, or because there were too many.
    case bondForgotten(BluetoothAddress)
    /// Any bond that was to be forgotten, and is until the next start: what is kept of it cannot be removed.
    case bondStays(BluetoothAddress, reason: String)
    /// A paired device and a bond are the same phone's.
    case tied(device: String, name: String, address: BluetoothAddress)
    /// Panels say which accessory this is, for somebody who asked over Bluetooth.
    case identified
    /// The board was put into an ordinary network over Bluetooth.
    case networkJoined
    case networkFailed(String)

    /// A peer did not get what it wanted.
    case refused(peer: MACAddress, name: String, reason: String)
}

extension Event {
    /// The event's name in `awared watch`.
    public var name: String {
        switch self {
        case .started: "started"
        case .clusterJoined: "cluster_joined"
        case .published: "published"
        case .withdrawn: "withdrawn"
        case .radioLost: "radio_lost"
        case .channelLost: "channel_lost"
        case .channelRegained: "channel_regained"
        case .pairingOpened: "pairing_opened"
        case .pairingClosed: "pairing_closed"
        case .attempt: "attempt"
        case .paired: "paired"
        case .locked: "locked"
        case .recognised: "recognised"
        case .forgotten: "forgotten"
        case .recordStays: "record_stays"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .buttonPressed: "button_pressed"
        case .forgettingBegan: "forgetting_began"
        case .forgettingStopped: "forgetting_stopped"
        case .forgettingCompleted: "forgetting_completed"
        case .partFailed: "part_failed"
        case .partRecovered: "part_recovered"
        case .bluetoothReady: "bluetooth_ready"
        case .bluetoothUnavailable: "bluetooth_unavailable"
        case .bluetoothConnected: "bluetooth_connected"
        case .passkeyShown: "passkey_shown"
        case .bonded: "bonded"
        case .bondFailed: "bond_failed"
        case .bondForgotten: "bond_forgotten"
        case .bondStays: "bond_stays"
        case .tied: "tied"
        case .identified: "identified"
        case .networkJoined: "network_joined"
        case .networkFailed: "network_failed"
        case .refused: "refused"
        }
    }

    /// One object, for `awared watch --json`.
    public var json: String {
        JSONWriter.object { document in
            document.member("event", name)
            switch self {
            case .started(let address): document.member("address", address.description)
            case .clusterJoined(let cluster): document.member("cluster", cluster.description)
            case .published(let services): document.member("services", services)
            case .withdrawn, .channelLost, .channelRegained, .pairingClosed, .buttonPressed,
                .forgettingStopped, .passkeyShown, .identified, .networkJoined:
                break
            case .radioLost(let reason), .bluetoothUnavailable(let reason), .networkFailed(let reason):
                document.member("reason", reason)
            case .pairingOpened(let seconds), .locked(let seconds), .forgettingBegan(let seconds):
                document.member("seconds", seconds)
            case .attempt(let peer, let name):
                document.member("peer", peer.description)
                document.member("name", name)
            case .paired(let device, let name), .forgotten(let device, let name):
                document.member("device", device)
                document.member("name", name)
            case .recordStays(let device, let name, let reason):
                document.member("device", device)
                document.member("name", name)
                document.member("reason", reason)
            case .recognised(let device, let name, let address):
                document.member("device", device)
                document.member("name", name)
                document.member("address", address.description)
            case .connected(let device, let name, let service):
                document.member("device", device)
                document.member("name", name)
                document.member("service", service)
            case .disconnected(let device, let name, let service, let reason):
                document.member("device", device)
                document.member("name", name)
                document.member("service", service)
                document.member("reason", reason)
            case .forgettingCompleted(let devices): document.member("devices", devices)
            case .partFailed(let part, let reason):
                document.member("part", part)
                document.member("reason", reason)
            case .partRecovered(let part): document.member("part", part)
            case .bluetoothReady(let address), .bluetoothConnected(let address), .bonded(let address),
                .bondForgotten(let address):
                document.member("address", address.octets.description)
            case .bondFailed(let address, let reason), .bondStays(let address, let reason):
                document.member("address", address.octets.description)
                document.member("reason", reason)
            case .tied(let device, let name, let address):
                document.member("device", device)
                document.member("name", name)
                document.member("address", address.octets.description)
            case .refused(let peer, let name, let reason):
                document.member("peer", peer.description)
                document.member("name", name)
                document.member("reason", reason)
            }
        }
    }
}

extension Event: CustomStringConvertible {
    /// One line, for the journal.
    public var description: String {
        switch self {
        case .started(let address): "radio started as \(address)"
        case .clusterJoined(let cluster): "joined the cluster \(cluster)"
        case .published(let services): "published " + services.joined(separator: ", ")
        case .withdrawn: "withdrew every service"
        case .radioLost(let reason): "lost the radio: \(reason)"
        case .channelLost: "the radio is needed on another channel: no data paths for now"
        case .channelRegained: "data paths are possible again"
        case .pairingOpened(let seconds): "pairing is open for \(seconds) s"
        case .pairingClosed: "pairing is closed"
        case .attempt(let peer, let name): "\(Self.label(name, peer)) asks to pair: the PIN is shown"
        case .paired(let device, let name): "paired \(name.printable) (\(device))"
        case .locked(let seconds): "pairing is locked for \(seconds) s"
        case .recognised(let device, let name, let address):
            "recognised \(name.printable) (\(device)) at \(address)"
        case .forgotten(let device, let name): "forgot \(name.printable) (\(device))"
        case .recordStays(let device, let name, let reason):
            "forgot \(name.printable) (\(device)) until the next start only: \(reason.printable)"
        case .connected(let device, let name, let service):
            "connected \(name.printable) (\(device)) to \(service)"
        case .disconnected(let device, let name, let service, let reason):
            "disconnected \(name.printable) (\(device)) from \(service): \(reason)"
        case .buttonPressed: "the button was pressed"
        case .forgettingBegan(let seconds): "a button is held: every device is forgotten in \(seconds) s"
        case .forgettingStopped: "the button was released: no device is forgotten"
        case .forgettingCompleted(let devices): "the button was held: forgetting \(devices) devices"
        case .partFailed(let part, let reason): "cannot use \(part.printable): \(reason.printable)"
        case .partRecovered(let part): "\(part.printable) can be used again"
        case .bluetoothReady(let address): "Bluetooth can be used, as \(address)"
        case .bluetoothUnavailable(let reason): "Bluetooth cannot be used: \(reason.printable)"
        case .bluetoothConnected(let address): "\(address) connected over Bluetooth"
        case .passkeyShown: "a phone pairs over Bluetooth: the passkey is shown"
        case .bonded(let address): "\(address) paired over Bluetooth"
        case .bondFailed(let address, let reason):
            "\(address) did not pair over Bluetooth: \(reason.printable)"
        case .bondForgotten(let address): "forgot \(address), paired over Bluetooth"
        case .bondStays(let address, let reason):
            "forgot \(address), paired over Bluetooth, until the next start only: \(reason.printable)"
        case .tied(let device, let name, let address):
            "\(name.printable) (\(device)) is \(address) over Bluetooth"
        case .identified: "somebody asks over Bluetooth which accessory this is"
        case .networkJoined: "joined a network, as asked over Bluetooth"
        case .networkFailed(let reason): "could not join a network: \(reason.printable)"
        case .refused(let peer, let name, let reason): "refused \(Self.label(name, peer)): \(reason)"
        }
    }

    private static func label(_ name: String, _ peer: MACAddress) -> String {
        name.isEmpty ? peer.description : "\(name.printable) (\(peer))"
    }
}
