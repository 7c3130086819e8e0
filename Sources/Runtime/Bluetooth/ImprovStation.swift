import Accessory
import BluetoothLE
import Crypto
import Frames
import Ports
import Wire

/// Improv Wi-Fi on this board: what the device wants is done by the board's network.
final class ImprovStation {
    enum Action {
        case notify(GATTCharacteristic.ID, [UInt8])
        case identify
        case tell(Event)
    }

    /// While the window stays open the owner's word is renewed so long before it ends.
    private static let renewal = TimeUnits.seconds(30)

    private static let looking = TimeUnits.seconds(10)

    private(set) var device: ImprovDevice
    private let provisioner: (any WiFiProvisioner)?
    private var authorisedUntil: Instant?
    private var nextLook: Instant?

    init(_ configuration: Configuration, provisioner: (any WiFiProvisioner)?) {
        self.provisioner = provisioner
        device = ImprovDevice(Self.description(of: configuration), canScan: provisioner?.canScan ?? false)
    }

    func reconfigure(_ configuration: Configuration) {
        device.description = Self.description(of: configuration)
    }

    private static func description(of configuration: Configuration) -> ImprovDevice.Description {
        ImprovDevice.Description(
            firmware: configuration.information.modelName, version: configuration.firmware,
            hardware: configuration.information.vendorName, name: configuration.information.pairingName)
    }

    var deadline: Instant? { .earliest(device.deadline, provisioner?.deadline) }
    func addDescriptors(to set: inout DescriptorSet) { provisioner?.addDescriptors(to: &set) }

    func disconnected(_ client: UInt64) { device.disconnected(client) }

    /// Looks what the board's network can do now: its daemon may have started after this program. Not each time that
    /// somebody connects, for it looks through every process.
    func look(at now: Instant) {
        guard nextLook.map({ $0 <= now }) ?? true else { return }
        nextLook = now + Self.looking
        device.canScan = provisioner?.canScan ?? false
    }

    func receive(_ part: [UInt8], from client: UInt64, at now: Instant) -> [Action] {
        perform(device.receive(part, from: client, at: now), at: now)
    }

    /// Lets time pass, and the owner's word count where there is one.
    func advance(_ word: Accessory.OwnersWord?, at now: Instant) -> [Action] {
        var actions: [Action] = []
        while let event = provisioner?.nextEvent(at: now) { actions += perform(event, at: now) }
        if let word, isNews(word.until, at: now) {
            authorisedUntil = word.until
            actions += perform(device.authorise(until: word.until, given: word.given), at: now)
        }
        return actions + perform(device.advance(to: now), at: now)
    }

    /// While the window is open the owner's word holds a little longer each time.
    private func isNews(_ until: Instant, at now: Instant) -> Bool {
        guard until > now else { return false }
        guard let known = authorisedUntil, device.isAuthorised else { return true }
        return until > known + Self.renewal
    }

    private func perform(_ event: WiFiProvisionerEvent, at now: Instant) -> [Action] {
        switch event {
        case .found(let networks): return perform(device.found(networks), at: now)
        case .joined: return [.tell(.networkJoined)] + perform(device.joined(at: now), at: now)
        case .failed(let reason):
            return [.tell(.networkFailed(reason))] + perform(device.couldNotJoin(at: now), at: now)
        }
    }

    private func perform(_ actions: [ImprovDevice.Action], at now: Instant) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .identify: result.append(.identify)
            case .changed(let id, let value): result.append(.notify(id, value))
            case .scan: provisioner?.scan(at: now)
            case .connect(let name, let password):
                guard let provisioner else {
                    result.append(.tell(.networkFailed("nothing on this board can join a network")))
                    result += perform(device.couldNotJoin(at: now), at: now)
                    continue
                }
                provisioner.join(name, password: Key(Secret(password)), at: now)
            }
        }
        return result
    }
}
