import BluetoothLE
import Ports
import SystemBus
import Wire

/// What bluetoothd asks for its clients, and how these come, pair and go.
extension SharedPeripheral {
    /// A call of one of our objects. One of the actions answers it.
    mutating func receive(call: BusMessage, at now: Instant) -> [SharedAction] {
        guard !daemon.isEmpty, call.sender == daemon else { return [.refuse(.notForOthers)] }
        do {
            return try answer(try ServiceCall(call), at: call.path, at: now)
        } catch {
            return [.refuse(error)]
        }
    }

    private mutating func answer(
        _ call: ServiceCall, at path: String, at now: Instant
    ) throws(BusFailure) -> [SharedAction] {
        switch call {
        case .listObjects: return [.answer([ExportedObject.listing(objects, at: path)])]
        case .properties(let interface):
            return [.answer([try object(path, interface).properties])]
        case .property(let name, let interface):
            guard let value = try object(path, interface).properties[name] else { throw .invalidArguments }
            return [.answer([.variant(value)])]
        case .read(let device, let offset):
            let characteristic = try characteristic(path)
            guard characteristic.properties.contains(.read) else { throw .notPermitted }
            let (client, news) = try client(at: device, doing: characteristic)
            return news + [.read(characteristic.id, client, offset: offset)]
        case .write(let value, let device):
            let characteristic = try characteristic(path)
            guard !characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse]) else {
                throw .notPermitted
            }
            let (client, news) = try client(at: device, doing: characteristic)
            return news + [.write(value, characteristic.id, client)]
        case .noted:
            _ = try characteristic(path)
            return [.answer([])]
        case .released: return [.answer([])] + released(path, at: now)
        case .showPasskey(let digits, let device): return try show(digits, for: device, at: now)
        case .cancelled: return [.answer([])] + endPairing(failure: "it was cancelled")
        }
    }

    private var objects: [ExportedObject] { tree.objects + advertisementObjects }

    private func object(_ path: String, _ interface: String) throws(BusFailure) -> ExportedObject {
        for object in objects where object.path == path && object.interface == interface { return object }
        throw .unknownObject
    }

    private func characteristic(_ path: String) throws(BusFailure) -> GATTCharacteristic {
        guard let found = tree.characteristic(at: path) else { throw .unknownObject }
        return found
    }

    private mutating func released(_ path: String, at now: Instant) -> [SharedAction] {
        if path == BusNames.agentPath { return endPairing(failure: "bluetoothd dropped the agent") }
        guard let own = advertised.first(where: { $0.object.path == path }) else { return [] }
        return missing(own.number, "bluetoothd dropped an advertisement", at: now)
    }

    // MARK: Clients

    /// Who asks. bluetoothd has checked that the link is as well protected as the characteristic wants, and that lasts
    /// as long as the connection does.
    private mutating func client(
        at path: String, doing characteristic: GATTCharacteristic
    ) throws(BusFailure) -> (BluetoothClient, [SharedAction]) {
        guard let device = devices[path] else { throw .unknownDevice }
        let known = max(characteristic.access, device.isPaired ? .encrypted : .open)
        for index in clients.indices where clients[index].path == path {
            clients[index].client.security = max(clients[index].client.security, known)
            return (clients[index].client, [])
        }
        guard clients.count < Self.mostClients else { throw .unknownDevice }
        let client = BluetoothClient(id: nextClient, address: device.address, security: known)
        nextClient += 1
        clients.append((path, client))
        return (client, [.report(.connected(client))])
    }

    mutating func drop(_ path: String) -> [SharedAction] {
        var actions: [SharedAction] = []
        if passkey?.device == path { actions += endPairing(failure: "the connection ended") }
        for (other, client) in clients where other == path {
            actions.append(.report(.disconnected(client: client.id)))
        }
        clients.removeAll { $0.path == path }
        return actions
    }

    mutating func changedDevice(_ path: String, _ properties: BusValue, at now: Instant) -> [SharedAction] {
        guard var device = devices[path] else { return [] }
        let before = device
        device.change(properties)
        devices[path] = device
        var actions: [SharedAction] = []
        for index in clients.indices where clients[index].path == path {
            clients[index].client.address = device.address
        }
        if device.isPaired, !before.isPaired { actions += paired(path, device) }
        if before.isConnected, !device.isConnected { actions += drop(path) + advertiseAnew(at: now) }
        return actions
    }

    // MARK: Pairing

    /// Without our agent, which shows passkeys, nobody can prove anything.
    mutating func allowPairing(since given: Instant?) -> [SharedAction] {
        admission.allow(since: given) ? showAdmission() : []
    }

    func offerAgent() -> [SharedAction] {
        let agent = BusValue.path(BusNames.agentPath)
        return [
            .call(.ofAgents("RegisterAgent", [agent, .string("DisplayOnly")]), .registerAgent),
            .call(.ofAgents("RequestDefaultAgent", [agent]), .courtesy),
        ]
    }

    private func showAdmission() -> [SharedAction] {
        guard case .passkey = configuration.pairing else { return [] }
        switch registration {
        case .absent, .seeking, .surveying, .idle: return []
        case .registering, .registered:
            guard !admission.isOpen else { return offerAgent() }
            return [.call(.ofAgents("UnregisterAgent", [.path(BusNames.agentPath)]), .courtesy)]
        }
    }

    /// One at a time: whoever comes second does not take the first one's passkey off the panel.
    private mutating func show(
        _ digits: [UInt8], for path: String, at now: Instant
    ) throws(BusFailure) -> [SharedAction] {
        guard case .passkey = configuration.pairing, devices[path] != nil else { throw .unknownDevice }
        if let passkey, passkey.device != path { return [.answer([]), .call(.disconnect(path), .courtesy)] }
        // bluetoothd calls again for each digit that is typed.
        let isNew = passkey?.digits != digits || passkey?.device != path
        passkey = Passkey(device: path, digits: digits, until: now + Self.patienceForPairing)
        return [.answer([])] + (isNew ? [.report(.passkey(digits))] : [])
    }

    /// Somebody has paired: with us where our passkey was shown for it.
    private mutating func paired(_ path: String, _ device: DaemonDevice) -> [SharedAction] {
        guard passkey?.device == path else { return [] }
        passkey = nil
        for index in clients.indices where clients[index].path == path {
            clients[index].client.security = .authenticated
        }
        return [.report(.passkeyOver), .report(.bonded(device.address))]
    }

    mutating func endPairing(failure reason: String) -> [SharedAction] {
        guard let shown = passkey else { return [] }
        passkey = nil
        let failure = admission.fail(reason)
        let closing = failure.hasEnded ? showAdmission() : []
        guard let device = devices[shown.device] else { return closing + [.report(.passkeyOver)] }
        return closing + [
            .report(.passkeyOver), .report(.pairingFailed(device.address, reason: failure.reason)),
        ]
    }
}
