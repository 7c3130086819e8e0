import Ports
import SystemBus
import Wire

/// bluetoothd comes and goes, and so do its controllers; what came of our calls.
extension SharedPeripheral {
    /// The answer to a call of ours.
    mutating func receive(
        _ answer: Result<[BusValue], BusFailure>, for purpose: SharedPurpose, at now: Instant
    ) -> [SharedAction] {
        switch (purpose, answer) {
        case (.findDaemon, .success(let body)): return found(body.first?.text ?? "", at: now)
        case (.findDaemon, .failure):
            guard case .seeking = registration else { return [] }
            registration = .absent
            return reportChange()
        case (.survey, .success(let body)):
            guard case .surveying = registration else { return [] }
            return surveyed(body.first, at: now) + reportChange()
        case (.survey, .failure(let failure)):
            guard case .surveying = registration else { return [] }
            registration = .idle(reason: Self.words(for: failure), retry: now + Self.retry)
            return reportChange()
        // It is just being switched on or off by somebody else, of which bluetoothd tells.
        case (.powerOn, .failure(let failure)) where failure.name == "org.bluez.Error.Busy": return []
        case (.powerOn, .failure(let failure)): return refused("Bluetooth stays off", failure, at: now)
        case (.registerServices, .success): return registered(at: now)
        case (_, .failure(let failure)) where failure.name == "org.bluez.Error.AlreadyExists":
            return purpose == .registerServices ? registered(at: now) : []
        case (.registerServices, .failure(let failure)):
            return refused("bluetoothd refuses the services", failure, at: now)
        case (.registerAgent, .failure(let failure)):
            return refused("bluetoothd refuses the agent that shows passkeys", failure, at: now)
        case (.registerAdvertisement(let number), .success): return taken(number)
        case (.registerAdvertisement(let number), .failure(let failure)):
            return notTaken(number, failure, at: now)
        case (.powerOn, .success), (.registerAgent, .success), (.courtesy, _): return []
        }
    }

    /// A signal, from whoever the bus says that it is.
    mutating func receive(signal: BusMessage, at now: Instant) -> [SharedAction] {
        if signal.sender == SystemBus.busName, signal.member == "NameOwnerChanged" {
            guard signal.body.count == 3, signal.body[0].text == BusNames.daemon,
                let owner = signal.body[2].text
            else { return [] }
            return lost() + (owner.isEmpty ? reportChange() : found(owner, at: now))
        }
        guard !daemon.isEmpty, signal.sender == daemon else { return [] }
        switch signal.member {
        case "PropertiesChanged": return changed(signal, at: now) + reportChange()
        case "InterfacesAdded": return added(signal, at: now) + reportChange()
        case "InterfacesRemoved": return removed(signal, at: now) + reportChange()
        default: return []
        }
    }

    /// A program that is neither root's nor of the group bluetooth is refused by the bus itself.
    private static func words(for failure: BusFailure) -> String {
        guard failure.name == "org.freedesktop.DBus.Error.AccessDenied" else { return failure.reason }
        return "this program may not use bluetoothd (use = exclusive in [bluetooth] does without it): "
            + failure.reason
    }

    // MARK: The daemon

    private mutating func found(_ owner: String, at now: Instant) -> [SharedAction] {
        guard !owner.isEmpty, owner != daemon else { return [] }
        daemon = owner
        return survey(at: now)
    }

    /// bluetoothd is gone, and with it everybody who was connected through it.
    private mutating func lost() -> [SharedAction] {
        let actions = loseController()
        daemon = ""
        devices = [:]
        registration = .absent
        return actions
    }

    mutating func survey(at now: Instant) -> [SharedAction] {
        registration = .surveying(until: now + Self.patience)
        let call = BusCall("GetManagedObjects", of: BusNames.objectManager, at: "/", on: BusNames.daemon)
        return [.call(call, .survey)]
    }

    private mutating func surveyed(_ answer: BusValue?, at now: Instant) -> [SharedAction] {
        let objects = DaemonObjects(answer ?? .array(of: "{oa{sa{sv}}}", []), adapter: adapterName)
        devices = [:]
        for (path, device) in objects.devices { keep(device, at: path) }
        guard let adapter = objects.adapter else {
            // bluetoothd tells when it has one.
            registration = .idle(reason: "bluetoothd has no controller", retry: nil)
            return []
        }
        return register(with: adapter, at: now)
    }

    private mutating func register(with adapter: DaemonAdapter, at now: Instant) -> [SharedAction] {
        registration = .registering(adapter, until: now + Self.patience)
        var actions: [SharedAction] = []
        if !adapter.isPowered {
            actions.append(.call(.set("Powered", .boolean(true), at: adapter.path), .powerOn))
        }
        actions.append(.call(.set("Alias", .string(configuration.name), at: adapter.path), .courtesy))
        if case .passkey = configuration.pairing {
            actions.append(.call(.set("Pairable", .boolean(true), at: adapter.path), .courtesy))
            if admission.isOpen { actions += offerAgent() }
        }
        let services = BusCall(
            "RegisterApplication", of: BusNames.gattManager, at: adapter.path, on: BusNames.daemon,
            [.path(BusNames.services), .dictionary([])])
        return actions + [.call(services, .registerServices)]
    }

    private mutating func registered(at now: Instant) -> [SharedAction] {
        guard case .registering(let adapter, _) = registration else { return [] }
        registration = .registered(adapter)
        var actions: [SharedAction] = []
        for address in forgotten { actions += removeBond(address) }
        forgotten = []
        return actions + advertiseWanted(at: now) + reportChange()
    }

    /// Something without which nobody can find or pair with us did not go; it is tried again.
    private mutating func refused(_ what: String, _ failure: BusFailure, at now: Instant) -> [SharedAction] {
        guard !daemon.isEmpty else { return [] }
        let reason = what + ": " + failure.reason
        registration = .idle(reason: reason, retry: now + Self.retry)
        return reportChange()
    }

    /// The controller is gone, or switched off: nobody is connected any more, and nothing is advertised.
    private mutating func loseController() -> [SharedAction] {
        var actions = endPairing(failure: "the controller went away")
        for (_, client) in clients { actions.append(.report(.disconnected(client: client.id))) }
        clients = []
        advertised = []
        advertisingTrouble = nil
        return actions
    }

    // MARK: Its objects

    private mutating func added(_ signal: BusMessage, at now: Instant) -> [SharedAction] {
        guard signal.body.count == 2, let path = signal.body[0].text else { return [] }
        if let properties = signal.body[1][BusNames.device], let device = DaemonDevice(properties) {
            keep(device, at: path)
        }
        // A controller that comes is whole only after several of these, so everything is looked at again.
        if case .idle = registration, signal.body[1][BusNames.advertisingManager] != nil {
            return survey(at: now)
        }
        return []
    }

    private mutating func removed(_ signal: BusMessage, at now: Instant) -> [SharedAction] {
        guard signal.body.count == 2, let path = signal.body[0].text, let names = signal.body[1].elements
        else {
            return []
        }
        if names.contains(.string(BusNames.device)) {
            devices[path] = nil
            return drop(path)
        }
        guard names.contains(.string(BusNames.adapter)), adapter?.path == path else { return [] }
        return loseController() + survey(at: now)
    }

    private mutating func changed(_ signal: BusMessage, at now: Instant) -> [SharedAction] {
        guard signal.body.count >= 2 else { return [] }
        switch signal.body[0].text {
        case BusNames.device: return changedDevice(signal.path, signal.body[1], at: now)
        case BusNames.adapter: return changedAdapter(signal.path, signal.body[1], at: now)
        default: return []
        }
    }

    private mutating func changedAdapter(
        _ path: String, _ properties: BusValue, at now: Instant
    ) -> [SharedAction] {
        guard let isPowered = properties["Powered"]?.flag, var adapter, adapter.path == path,
            adapter.isPowered != isPowered
        else { return [] }
        adapter.isPowered = isPowered
        switch registration {
        case .registering(_, let until): registration = .registering(adapter, until: until)
        case .registered: registration = .registered(adapter)
        case .absent, .seeking, .surveying, .idle: return []
        }
        guard isPowered else {
            let withdrawals = withdraw(advertised, from: adapter)
            return loseController() + withdrawals
        }
        return advertiseWanted(at: now)
    }

    private var adapter: DaemonAdapter? {
        switch registration {
        case .registering(let adapter, _), .registered(let adapter): adapter
        case .absent, .seeking, .surveying, .idle: nil
        }
    }

    private mutating func keep(_ device: DaemonDevice, at path: String) {
        if devices[path] == nil, devices.count >= Self.mostDevices {
            guard let stranger = passing else { return }
            devices[stranger] = nil
        }
        devices[path] = device
    }

    /// Somebody whom bluetoothd has only heard, as it hears everybody in a crowd.
    private var passing: String? {
        devices.first { !$0.value.isConnected && !$0.value.isPaired }?.key
    }
}

extension BusCall {
    static func ofAgents(_ member: String, _ body: [BusValue]) -> BusCall {
        BusCall(member, of: BusNames.agentManager, at: "/org/bluez", on: BusNames.daemon, body)
    }
}
