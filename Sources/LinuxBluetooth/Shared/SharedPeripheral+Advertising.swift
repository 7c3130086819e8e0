import Ports
import SystemBus
import Wire

/// Keeps bluetoothd's advertisements what they are wanted to be.
extension SharedPeripheral {
    var advertisementObjects: [ExportedObject] { advertised.map { $0.object } }

    /// Takes back what is no longer wanted, and registers what is missing.
    mutating func advertiseWanted(at now: Instant) -> [SharedAction] {
        guard case .registered(let adapter) = registration, adapter.isPowered else { return [] }
        var actions: [SharedAction] = []
        let gone = advertised.filter { !wanted.contains($0.advertisement) }
        advertised.removeAll { !wanted.contains($0.advertisement) }
        actions += withdraw(gone, from: adapter)
        for advertisement in wanted where !advertised.contains(where: { $0.advertisement == advertisement }) {
            do {
                actions.append(try register(advertisement, with: adapter))
            } catch {
                let reason = "an advertisement cannot be made: \(error.description)"
                advertisingTrouble = (reason, now + Self.retry)
            }
        }
        return actions
    }

    /// After a client: what the kernel goes on with then can be an advertisement to which nobody connects, on controllers
    /// of Bluetooth 4, until another comes.
    mutating func advertiseAnew(at now: Instant) -> [SharedAction] {
        guard case .registered(let adapter) = registration, !advertised.isEmpty else { return [] }
        let gone = advertised
        advertised = []
        return withdraw(gone, from: adapter) + advertiseWanted(at: now)
    }

    func withdraw(_ gone: [Advertised], from adapter: DaemonAdapter) -> [SharedAction] {
        var actions: [SharedAction] = []
        for own in gone { actions.append(.call(.unregister(own.object.path, from: adapter.path), .courtesy)) }
        return actions
    }

    private mutating func register(
        _ advertisement: BluetoothAdvertisement, with adapter: DaemonAdapter
    ) throws(WireError) -> SharedAction {
        let properties = try AdvertisementProperties(advertisement).dictionary
        nextAdvertisement &+= 1
        let path = "\(BusNames.advertisements)\(nextAdvertisement)"
        let object = ExportedObject(path, BusNames.advertisement, properties)
        advertised.append(
            Advertised(number: nextAdvertisement, advertisement: advertisement, object: object))
        let call = BusCall(
            "RegisterAdvertisement", of: BusNames.advertisingManager, at: adapter.path, on: BusNames.daemon,
            [.path(path), .dictionary([])])
        return .call(call, .registerAdvertisement(nextAdvertisement))
    }

    /// bluetoothd does not advertise it, or does no longer.
    mutating func missing(_ number: UInt32, _ reason: String, at now: Instant) -> [SharedAction] {
        guard advertised.contains(where: { $0.number == number }) else { return [] }
        advertised.removeAll { $0.number == number }
        advertisingTrouble = (reason, now + Self.retry)
        return reportChange()
    }

    mutating func notTaken(_ number: UInt32, _ failure: BusFailure, at now: Instant) -> [SharedAction] {
        missing(number, "bluetoothd refuses an advertisement: " + failure.reason, at: now)
    }

    mutating func taken(_ number: UInt32) -> [SharedAction] {
        for index in advertised.indices where advertised[index].number == number {
            advertised[index].isTaken = true
        }
        return reportChange()
    }
}
