import BluetoothLE
import Crypto
import Ports
import SystemBus
import Wire

/// One thing that is asked of NetworkManager, as one value: what the bus says goes in, calls come out.
///
/// A network that could not be joined leaves nothing behind; NetworkManager goes back to those that it knows.
struct ManagerTask {
    enum Action: Equatable {
        case call(BusCall)
        case ended(WiFiProvisionerEvent)
    }

    private struct Target {
        var name: [UInt8]
        var credentials: Credentials
        var password: Key
    }

    private enum Step {
        case looking
        case startingScan(device: String, heard: [WiFiNetwork])
        case scanning(device: String)
        case readingScan
        case adding(device: String)
        case connecting(device: String, connection: String)
        case forgetting(WiFiProvisionerEvent)
    }

    private enum State {
        /// The network has let us in; addresses are yet to come.
        static let settingAddresses: UInt64 = 70
        static let activated: UInt64 = 100
        static let failed: UInt64 = 120
        static let reasonNoSecrets: UInt64 = 7
        static let reasonNotFound: UInt64 = 53
    }

    static let patienceForScan = TimeUnits.seconds(15)
    static let patienceForJoin = TimeUnits.seconds(45)
    private static let patienceForForgetting = TimeUnits.seconds(5)

    private(set) var deadline: Instant
    private let target: Target?
    private var step = Step.looking
    /// The unique name of NetworkManager, once it has answered.
    private var daemon = ""

    static func scan(at now: Instant) -> Self { Self(nil, until: now + patienceForScan) }

    static func join(
        _ name: [UInt8], _ credentials: Credentials, _ password: Key, at now: Instant
    ) -> Self {
        Self(
            Target(name: name, credentials: credentials, password: password), until: now + patienceForJoin)
    }

    private init(_ target: Target?, until deadline: Instant) {
        self.target = target
        self.deadline = deadline
    }

    func start() -> [Action] {
        [.call(.listObjects)]
    }

    /// The rules for what is to be told of; their answers do not matter.
    static var rules: [String] {
        let sender = "type='signal',sender='\(ManagerNames.daemon)',"
        return [
            sender + "interface='\(ManagerNames.device)',member='StateChanged'",
            sender + "member='PropertiesChanged',arg0='\(ManagerNames.wireless)'",
        ]
    }

    // MARK: Answers to the call under way

    mutating func receive(answer body: [BusValue], from sender: String, at now: Instant) -> [Action] {
        switch step {
        case .looking:
            daemon = sender
            return looked(ManagerObjects(body.first))
        case .startingScan(let device, _):
            step = .scanning(device: device)
            return []
        case .readingScan:
            return [.ended(.found(ManagerObjects(body.first).found.map { $0.network }.strongest()))]
        case .adding(let device):
            guard let connection = body.first?.text else {
                return [.ended(.failed("NetworkManager answers nonsense"))]
            }
            step = .connecting(device: device, connection: connection)
            return []
        case .forgetting(let outcome): return [.ended(outcome)]
        case .scanning, .connecting: return []
        }
    }

    mutating func receive(failure: BusFailure) -> [Action] {
        switch step {
        // It has just looked, or is about to: what it heard is fresh.
        case .startingScan(_, let heard): return [.ended(.found(heard))]
        case .forgetting(let outcome): return [.ended(outcome)]
        case .looking, .readingScan, .adding, .scanning, .connecting:
            return [.ended(target == nil ? .found([]) : .failed("NetworkManager refuses: " + failure.reason))]
        }
    }

    private mutating func looked(_ objects: ManagerObjects) -> [Action] {
        guard let device = objects.device else {
            return [.ended(target == nil ? .found([]) : .failed("NetworkManager has no Wi-Fi interface"))]
        }
        guard let target else {
            step = .startingScan(device: device, heard: objects.found.map { $0.network }.strongest())
            return [
                .call(.ofManager("RequestScan", of: ManagerNames.wireless, at: device, [.dictionary([])]))
            ]
        }
        step = .adding(device: device)
        let settings = Self.settings(target, objects.found)
        return [
            .call(
                .ofManager(
                    "AddAndActivateConnection", of: ManagerNames.daemon,
                    at: "/org/freedesktop/NetworkManager",
                    [settings, .path(device), .path("/")]))
        ]
    }

    private static func settings(
        _ target: Target, _ found: [(network: WiFiNetwork, protection: Protection)]
    ) -> BusValue {
        var sections: [BusValue] = []
        func add(_ section: String, _ fields: [(name: String, value: BusValue)]) {
            sections.append(.entry(.string(section), .dictionary(fields)))
        }
        let name = String(decoding: target.name, as: UTF8.self).printable
        add("connection", [("id", .string(name)), ("type", .string("802-11-wireless"))])
        // Hidden ones are looked for by name.
        let isHeard = found.contains { $0.network.name == target.name }
        add("802-11-wireless", [("ssid", .octets(target.name)), ("hidden", .boolean(!isHeard))])
        switch target.credentials {
        case .none: break
        case .passphrase, .key:
            let own = found.filter { $0.network.name == target.name }
            let needsSAE = own.contains { $0.protection == .sae } && !own.contains { $0.protection == .psk }
            add(
                "802-11-wireless-security",
                [
                    ("key-mgmt", .string(needsSAE ? "sae" : "wpa-psk")),
                    ("psk", .secret(BusSecret(target.password))),
                ])
        }
        return .array(of: "{sa{sv}}", sections)
    }

    // MARK: Signals

    mutating func receive(signal: BusMessage, at now: Instant) -> [Action] {
        guard !daemon.isEmpty, signal.sender == daemon else { return [] }
        switch step {
        case .scanning(let device):
            guard signal.path == device, signal.member == "PropertiesChanged", signal.body.count > 1,
                signal.body[1]["LastScan"] != nil
            else { return [] }
            return readScan()
        case .connecting(let device, let connection):
            guard signal.path == device, signal.member == "StateChanged", signal.body.count == 3,
                let state = signal.body[0].number, let reason = signal.body[2].number
            else { return [] }
            return changed(to: state, reason, connection, at: now)
        default: return []
        }
    }

    private mutating func readScan() -> [Action] {
        step = .readingScan
        return [.call(.listObjects)]
    }

    private mutating func changed(
        to state: UInt64, _ reason: UInt64, _ connection: String, at now: Instant
    ) -> [Action] {
        switch (state, reason) {
        case (State.settingAddresses...State.activated, _): [.ended(.joined)]
        case (State.failed, State.reasonNoSecrets):
            forget(connection, .failed("the password is wrong"), at: now)
        case (State.failed, State.reasonNotFound):
            forget(connection, .failed("the network is out of reach"), at: now)
        case (State.failed, _):
            forget(connection, .failed("NetworkManager gives up, reason \(reason)"), at: now)
        default: []
        }
    }

    private mutating func forget(
        _ connection: String, _ outcome: WiFiProvisionerEvent, at now: Instant
    ) -> [Action] {
        step = .forgetting(outcome)
        deadline = now + Self.patienceForForgetting
        return [.call(.ofManager("Delete", of: ManagerNames.connection, at: connection, []))]
    }

    /// The time is over.
    mutating func expire(at now: Instant) -> [Action] {
        switch step {
        case .scanning:
            deadline = now + Self.patienceForForgetting
            return readScan()
        case .connecting(_, let connection):
            return forget(connection, .failed("the network was not joined in time"), at: now)
        case .forgetting(let outcome): return [.ended(outcome)]
        case .looking, .startingScan, .readingScan, .adding:
            return [.ended(target == nil ? .found([]) : .failed("NetworkManager does not answer"))]
        }
    }
}

extension BusCall {
    static func ofManager(
        _ member: String, of interface: String, at path: String, _ body: [BusValue]
    ) -> BusCall {
        BusCall(member, of: interface, at: path, on: ManagerNames.daemon, body)
    }

    static var listObjects: BusCall {
        ofManager(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/org/freedesktop", [])
    }
}
