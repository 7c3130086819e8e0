import BluetoothLE
import Ports
import SystemBus
import Wire

/// A peripheral that lets bluetoothd do the radio's part, as one value: what the bus says goes in with its time, what is
/// to be done comes out.
///
/// bluetoothd forgets everything of us when it ends or we do, so there is nothing to clean up, and when it is back
/// everything is registered anew.
struct SharedPeripheral {
    /// Legal transitions: absent → seeking, at the start; seeking → absent | surveying; absent ⇄ surveying → idle |
    /// registering, idle → surveying, registering → registered | idle. From everywhere to absent, when bluetoothd goes.
    enum Registration: Equatable {
        case absent
        /// The bus was asked whether bluetoothd runs, and has until then to say so. Nil where that is over; it still may.
        case seeking(until: Instant?)
        /// It was asked what it has, and has until then to say so.
        case surveying(until: Instant)
        /// It cannot be used as it is, and is looked at again at that time, or when it has a new controller.
        case idle(reason: String, retry: Instant?)
        case registering(DaemonAdapter, until: Instant)
        case registered(DaemonAdapter)
    }

    struct Advertised {
        let number: UInt32
        let advertisement: BluetoothAdvertisement
        let object: ExportedObject
        var isTaken = false
    }

    struct Passkey {
        var device: String
        var digits: [UInt8]
        var until: Instant
    }

    static let retry = TimeUnits.seconds(10)
    static let patience = TimeUnits.seconds(20)
    /// The Security Manager gives up after 30 s without a step.
    static let patienceForPairing = TimeUnits.seconds(40)
    static let mostDevices = 256
    static let mostClients = 16

    let configuration: BluetoothConfiguration
    let adapterName: String?
    let tree: ServiceTree
    /// The unique name of bluetoothd on the bus: nobody else is listened to.
    var daemon = ""
    var registration = Registration.absent
    var devices: [String: DaemonDevice] = [:]
    var clients: [(path: String, client: BluetoothClient)] = []
    var nextClient: UInt64 = 1
    var passkey: Passkey?
    var admission = PairingAdmission()
    /// Whose bonds are to be removed as soon as that can be.
    var forgotten: [BluetoothAddress] = []
    var wanted: [BluetoothAdvertisement] = []
    var advertised: [Advertised] = []
    var nextAdvertisement: UInt32 = 0
    /// Why an advertisement is missing, and when it is tried again.
    var advertisingTrouble: (reason: String, retry: Instant)?
    /// What was said last.
    var reported: BluetoothEvent?

    init(_ configuration: BluetoothConfiguration, adapter: String?) {
        self.configuration = configuration
        adapterName = adapter
        tree = ServiceTree(configuration.services)
    }

    var deadline: Instant? {
        let earliest = Instant.earliest(passkey?.until, advertisingTrouble?.retry)
        switch registration {
        case .absent, .registered: return earliest
        case .seeking(let until): return Instant.earliest(earliest, until)
        case .idle(_, let retry): return Instant.earliest(earliest, retry)
        case .surveying(let until), .registering(_, let until): return Instant.earliest(earliest, until)
        }
    }

    // MARK: What the program wants

    /// Once, over a new connection.
    mutating func start(at now: Instant) -> [SharedAction] {
        registration = .seeking(until: now + Self.patience)
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
            "type='signal',sender='org.bluez',interface='\(BusNames.objectManager)'",
            "type='signal',sender='org.bluez',member='PropertiesChanged',arg0='\(BusNames.adapter)'",
            "type='signal',sender='org.bluez',member='PropertiesChanged',arg0='\(BusNames.device)'",
        ]
        var actions: [SharedAction] = []
        for rule in rules { actions.append(.call(.ofBus("AddMatch", [.string(rule)]), .courtesy)) }
        return actions + [.call(.ofBus("GetNameOwner", [.string(BusNames.daemon)]), .findDaemon)]
    }

    /// Takes back what outlives the connection, or would not end at once.
    func stop() -> [SharedAction] {
        guard case .registered(let adapter) = registration else { return [] }
        var actions: [SharedAction] = []
        for own in advertised {
            actions.append(.call(.unregister(own.object.path, from: adapter.path), .courtesy))
        }
        for (path, _) in clients { actions.append(.call(.disconnect(path), .courtesy)) }
        if adapter.alias != configuration.name {
            actions.append(.call(.set("Alias", .string(adapter.alias), at: adapter.path), .courtesy))
        }
        return actions
    }

    mutating func advertise(_ advertisements: [BluetoothAdvertisement], at now: Instant) -> [SharedAction] {
        wanted = advertisements
        return advertiseWanted(at: now) + reportChange()
    }

    func notify(_ id: GATTCharacteristic.ID, _ value: [UInt8]) -> [SharedAction] {
        guard case .registered = registration, let path = tree.path(of: id) else { return [] }
        return [.tell(.dictionary([("Value", .octets(value))]), path: path, daemon: daemon)]
    }

    /// Not those who have paired, with us or with others of the board, nor who has used nothing of ours.
    func disconnectStrangers() -> [SharedAction] {
        var actions: [SharedAction] = []
        for (path, _) in clients where devices[path]?.isPaired != true {
            actions.append(.call(.disconnect(path), .courtesy))
        }
        return actions
    }

    /// While bluetoothd is away the bond stays, and is forgotten once it is back.
    mutating func removeBond(_ address: BluetoothAddress) -> [SharedAction] {
        guard case .registered(let adapter) = registration else {
            if forgotten.count < Self.mostDevices { forgotten.append(address) }
            return []
        }
        var actions: [SharedAction] = []
        for (path, device) in devices where device.address == address && path.hasPrefix(adapter.path + "/") {
            let call = BusCall(
                "RemoveDevice", of: BusNames.adapter, at: adapter.path, on: BusNames.daemon, [.path(path)])
            actions.append(.call(call, .courtesy))
        }
        return actions
    }

    // MARK: Time

    mutating func advance(to now: Instant) -> [SharedAction] {
        var actions: [SharedAction] = []
        if let shown = passkey, now >= shown.until {
            actions += endPairing(failure: "it was not completed in time")
        }
        switch registration {
        case .seeking(let until?) where now >= until: registration = .seeking(until: nil)
        case .idle(_, let retry?) where now >= retry: actions += survey(at: now)
        case .surveying(let until) where now >= until: registration = .silent(at: now)
        case .registering(_, let until) where now >= until: registration = .silent(at: now)
        case .absent, .seeking, .idle, .surveying, .registering, .registered: break
        }
        if let trouble = advertisingTrouble, now >= trouble.retry {
            advertisingTrouble = nil
            actions += advertiseWanted(at: now)
        }
        return actions + reportChange()
    }

    // MARK: What holds

    /// Says whether it can be found, when that has changed.
    mutating func reportChange() -> [SharedAction] {
        let news: BluetoothEvent
        switch registration {
        case .absent: news = .unavailable("bluetoothd does not run")
        case .seeking(nil): news = .unavailable("the message bus does not answer")
        case .seeking, .surveying, .registering: return []
        case .idle(let reason, _): news = .unavailable(reason)
        case .registered(let adapter):
            if !adapter.isPowered {
                news = .unavailable("Bluetooth is switched off")
            } else if let advertisingTrouble {
                news = .unavailable(advertisingTrouble.reason)
            } else {
                news = .ready(adapter.address)
            }
        }
        guard news != reported else { return [] }
        reported = news
        return [.report(news)]
    }
}

extension SharedPeripheral.Registration {
    static func silent(at now: Instant) -> Self {
        .idle(reason: "bluetoothd does not answer", retry: now + SharedPeripheral.retry)
    }
}

extension BusCall {
    static func ofBus(_ member: String, _ body: [BusValue]) -> BusCall {
        BusCall(member, of: SystemBus.busName, at: "/org/freedesktop/DBus", on: SystemBus.busName, body)
    }

    static func set(_ property: String, _ value: BusValue, at adapter: String) -> BusCall {
        BusCall(
            "Set", of: BusNames.properties, at: adapter, on: BusNames.daemon,
            [.string(BusNames.adapter), .string(property), .variant(value)])
    }

    static func disconnect(_ device: String) -> BusCall {
        BusCall("Disconnect", of: BusNames.device, at: device, on: BusNames.daemon)
    }

    static func unregister(_ advertisement: String, from adapter: String) -> BusCall {
        BusCall(
            "UnregisterAdvertisement", of: BusNames.advertisingManager, at: adapter, on: BusNames.daemon,
            [.path(advertisement)])
    }
}
