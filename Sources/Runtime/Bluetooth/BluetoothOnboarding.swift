import Accessory
import BluetoothLE
import Crypto
import Frames
import Ports
import Wire

/// Whose accessory it is that is told of over Bluetooth.
protocol OnboardingOwner: AnyObject {
    var accessory: Accessory { get set }
    /// Does what the accessory wants.
    func perform(_ actions: [Accessory.Action], at now: Instant)
}

/// Feeds the services that phones find over Bluetooth from the accessory, and decides when they may be found.
final class BluetoothOnboarding {
    private let bluetooth: any Bluetooth
    private let improv: ImprovStation
    private let owner: any OnboardingOwner
    private var settings: BluetoothSettings
    /// What was started; nil while Bluetooth is not to be used.
    private var running: BluetoothConfiguration?
    /// What clients were last told.
    private var told: Told?
    private var schedule: AdvertisingSchedule
    /// By which of the owner's words strangers may pair over Bluetooth, and how long it holds.
    private var admission: Accessory.OwnersWord?
    /// When strangers who are still connected go. Nil while they may stay, and once they have gone.
    private var farewell: Instant?
    /// For so long whoever was let in may still read how the onboarding ended.
    private static let farewellTime = TimeUnits.seconds(10)
    /// What clients' writes have caused: nothing is asked of Bluetooth while it waits for an answer.
    private var caused: [ImprovStation.Action] = []
    /// A client has written something of which nobody was told yet.
    private var isDue = false

    /// What of the accessory's state makes a notification when it changes. Time that is left is not in it.
    private struct Told: Equatable {
        var progress: OnboardingProgress
        var radio: AwareState.Radio
        var isOpen: Bool
    }

    init(_ bluetooth: any Bluetooth, provisioner: (any WiFiProvisioner)?, owner: any OnboardingOwner) {
        self.bluetooth = bluetooth
        self.owner = owner
        let configuration = owner.accessory.configuration
        settings = configuration.bluetooth
        improv = ImprovStation(configuration, provisioner: provisioner)
        schedule = AdvertisingSchedule(settings.advertising)
    }

    // MARK: The loop

    var deadline: Instant? {
        guard running != nil else { return .earliest(bluetooth.deadline, improv.deadline) }
        if isDue { return Instant(microseconds: 0) }
        return .earliest(
            .earliest(.earliest(bluetooth.deadline, farewell), admission?.until),
            .earliest(schedule.deadline, improv.deadline))
    }

    func addDescriptors(to set: inout DescriptorSet) {
        bluetooth.addDescriptors(to: &set)
        improv.addDescriptors(to: &set)
    }

    func start(at now: Instant) {
        guard settings.use != .off else { return }
        let configuration = bluetoothConfiguration
        running = configuration
        admission = nil
        farewell = nil
        schedule.refresh()
        bluetooth.answerer = self
        bluetooth.perform(.start(configuration), at: now)
        owner.accessory.bluetoothEnded()
        refresh(at: now)
    }

    func stop(at now: Instant) {
        guard running != nil else { return }
        running = nil
        bluetooth.perform(.stop, at: now)
        bluetooth.answerer = nil
        owner.accessory.bluetoothEnded()
    }

    /// The next thing that happened, after what the services make of it.
    func nextEvent(at now: Instant) -> BluetoothEvent? {
        let event = bluetooth.nextEvent(at: now)
        switch event {
        case .ready: schedule.begin(at: now)
        case .connected:
            if settings.improv { improv.look(at: now) }
            if schedule.interval == nil { sayFarewell(at: now) }
        case .disconnected(let client): improv.disconnected(client)
        case .unavailable, .passkey, .passkeyOver, .bonded, .pairingFailed, nil: break
        }
        return event
    }

    /// Takes another configuration over. Bluetooth starts anew where clients would find other services.
    func reconfigure(at now: Instant) {
        let configuration = owner.accessory.configuration
        settings = configuration.bluetooth
        schedule.advertising = settings.advertising
        improv.reconfigure(configuration)
        told = nil
        schedule.refresh()
        if settings.use == .off {
            stop(at: now)
        } else if running != bluetoothConfiguration {
            start(at: now)
        }
    }

    private var bluetoothConfiguration: BluetoothConfiguration {
        var services = [OnboardingService.service(bonds: settings.pairing == .passkey)]
        services.append(DeviceInformation.service)
        if settings.improv { services.append(ImprovDevice.service) }
        return BluetoothConfiguration(
            name: owner.accessory.configuration.information.pairingName, pairing: settings.pairing,
            services: services)
    }

    // MARK: What is told

    /// Tells clients what has changed, and advertises what is to be found now. What was begun with the board's network
    /// goes on to its end, whoever still hears of it.
    func refresh(at now: Instant) {
        isDue = false
        let written = caused
        caused = []
        perform(written, at: now)
        let accessory = owner.accessory
        perform(improv.advance(running == nil ? nil : accessory.ownersWord(at: now), at: now), at: now)
        guard running != nil else { return }
        tellProgress(of: accessory, at: now)
        // A phone that waits for the advertisement connects at once, and pairs as it was when it connected.
        admit(accessory, at: now)
        advertise(accessory, at: now)
        endVisits(at: now)
    }

    private func sayFarewell(at now: Instant) { farewell = farewell ?? now + Self.farewellTime }

    /// Who came while there was something to onboard does not stay for ever.
    private func endVisits(at now: Instant) {
        guard schedule.interval == nil else {
            farewell = nil
            return
        }
        guard let farewell, farewell <= now else { return }
        self.farewell = nil
        bluetooth.perform(.disconnectStrangers, at: now)
    }

    /// Strangers pair over Bluetooth while the owner lets them, as over Wi-Fi Aware.
    private func admit(_ accessory: Accessory, at now: Instant) {
        let word = settings.pairing == .passkey ? accessory.ownersWord(at: now) : nil
        defer { admission = word }
        guard word?.given != admission?.given else { return }
        bluetooth.perform(.allowPairing(since: word?.given), at: now)
    }

    private func tellProgress(of accessory: Accessory, at now: Instant) {
        let progress = accessory.progress(at: now)
        let new = Told(
            progress: progress.standing, radio: accessory.awareRadio, isOpen: accessory.window.isOpen)
        guard new != told else { return }
        if new.progress != told?.progress {
            notify(OnboardingService.progress, at: now) { progress.write(into: &$0) }
        }
        if new.radio != told?.radio || new.isOpen != told?.isOpen {
            let aware = accessory.awareState(at: now)
            notify(OnboardingService.aware, at: now) { aware.write(into: &$0) }
        }
        told = new
    }

    private func notify(
        _ id: GATTCharacteristic.ID, at now: Instant, _ write: (inout FrameWriter) -> Void
    ) {
        do throws(ATTError) { bluetooth.perform(.notify(id, try Self.octets(write)), at: now) } catch {}
    }

    private func advertise(_ accessory: Accessory, at now: Instant) {
        let isOnboarding = accessory.isOnboarding || settings.improv && improv.device.isAuthorised
        guard schedule.advance(isOnboarding: isOnboarding, to: now) else { return }
        if settings.improv { improv.look(at: now) }
        let advertisements =
            if let interval = schedule.interval {
                OnboardingAdvertisement.all(
                    accessory, improv: settings.improv ? improv.device : nil, interval: interval)
            } else {
                [BluetoothAdvertisement]()
            }
        if advertisements.isEmpty { sayFarewell(at: now) }
        bluetooth.perform(.advertise(advertisements), at: now)
    }

    private static func octets(_ write: (inout FrameWriter) -> Void) throws(ATTError) -> [UInt8] {
        var frame = FrameWriter(limit: ATTServer.mostValue)
        write(&frame)
        do throws(WireError) { return try frame.finish() } catch { throw .unlikely }
    }

    // MARK: Improv

    private func perform(_ actions: [ImprovStation.Action], at now: Instant) {
        for action in actions {
            switch action {
            case .notify(let id, let value):
                bluetooth.perform(.notify(id, value), at: now)
                if id == ImprovDevice.stateID { schedule.refresh() }
            case .identify:
                do throws(ATTError) {
                    owner.perform(try owner.accessory.identify(at: now), at: now)
                } catch {}
            case .tell(let event): owner.perform([.tell(event)], at: now)
            }
        }
    }
}

extension BluetoothOnboarding: GATTAnswerer {
    func read(
        _ characteristic: GATTCharacteristic.ID, by client: BluetoothClient, at now: Instant
    ) throws(ATTError) -> [UInt8] {
        let accessory = owner.accessory
        switch characteristic {
        case OnboardingService.information: return try Self.octets { information.write(into: &$0) }
        case OnboardingService.aware:
            return try Self.octets { accessory.awareState(at: now).write(into: &$0) }
        case OnboardingService.progress:
            return try Self.octets { accessory.progress(at: now).write(into: &$0) }
        case OnboardingService.result:
            return try Self.octets { accessory.result(for: client).write(into: &$0) }
        default: break
        }
        if let value = deviceInformation.value(of: characteristic) { return value }
        if settings.improv, let value = improv.device.value(of: characteristic) { return value }
        throw .readNotPermitted
    }

    func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic.ID, by client: BluetoothClient,
        at now: Instant
    ) throws(ATTError) {
        isDue = true
        switch characteristic {
        case OnboardingService.control:
            let command = try OnboardingCommand(parsing: value)
            owner.perform(try owner.accessory.perform(command, by: client, at: now), at: now)
        case ImprovDevice.commandID where settings.improv:
            caused += improv.receive(value, from: client.id, at: now)
        default: throw .writeNotPermitted
        }
    }

    private var information: AccessoryInformation {
        let configuration = owner.accessory.configuration
        var capabilities: AccessoryInformation.Capabilities = .identify
        if settings.opening != .never { capabilities.insert(.openPairing) }
        if settings.pairing == .passkey { capabilities.insert(.bonds) }
        if settings.improv { capabilities.insert(.improv) }
        return AccessoryInformation(
            capabilities: capabilities, identifier: owner.accessory.shortIdentifier,
            vendor: configuration.information.vendorName, model: configuration.information.modelName,
            name: configuration.information.pairingName, firmware: configuration.firmware)
    }

    private var deviceInformation: DeviceInformation {
        let configuration = owner.accessory.configuration
        return DeviceInformation(
            manufacturer: configuration.information.vendorName, model: configuration.information.modelName,
            firmware: configuration.firmware)
    }
}
