import Accessory
import Aware
import Crypto
import Frames
import Phone
import Ports
import Runtime
import Simulation
import Wire

/// An accessory and a phone in virtual time, with the CPU time that each of them takes.
final class Stage: PhoneOwner {
    static let service = "_drone-service._udp"

    let world: World
    let accessoryTime = CPUMeter()
    let phoneTime = CPUMeter()
    private(set) var isAskedForPIN = false
    private(set) var isPaired = false
    private(set) var isConnected = false
    private(set) var failure: String?

    private let accessoryRadio: WorldRadio
    private let panel = RecordedPanel()
    private let phoneStore = MemoryStore()
    private var phone: RunningPhone?

    private struct RunningPhone {
        var agent: PhoneAgent
        var metered: Metered
        var radio: WorldRadio
    }

    init(seed: UInt64) throws {
        world = World(seed: seed)
        accessoryRadio = world.makeRadio()
        try raiseAccessory()
    }

    private func raiseAccessory() throws {
        let journal = RecordedJournal()
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: MemoryStore(), journal: journal)
        let entries = [
            ConfigurationEntry(section: "accessory", key: "name", value: "My Drone", line: 1),
            ConfigurationEntry(
                section: "service \(Self.service)", key: "vehicle", value: "simulated", line: 2),
        ]
        let accessory = Accessory(
            configuration: try Configuration(entries, file: "bench.conf"),
            identity: try records.identity(entropy: entropy), devices: [],
            entropy: entropy)
        let agent = AccessoryAgent(
            accessory,
            in: AccessoryAgent.Surroundings(
                radio: accessoryRadio, panels: [panel], records: records, clock: world.clock,
                journal: journal,
                control: nil, makeChannel: { _ in SilentChannel() }))
        world.add(Metered(agent, by: accessoryTime))
        agent.start(at: world.now)
    }

    /// Starts the phone's program, as of a new run: only its records are left.
    func startPhone() throws {
        let radio = world.makeRadio()
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: phoneStore, journal: RecordedJournal())
        let value = Phone(
            identity: try records.identity(entropy: entropy),
            information: PairingInformation(pairingName: "Phone", vendorName: "Phones", modelName: "P1"),
            accessories: try records.peers(), entropy: entropy)
        let agent = PhoneAgent(value, radio: radio, records: records, clock: world.clock, owner: self)
        let metered = Metered(agent, by: phoneTime)
        world.add(metered)
        phone = RunningPhone(agent: agent, metered: metered, radio: radio)
    }

    /// Ends the phone's program without a word.
    func endPhone() {
        guard let phone else { return }
        world.remove(phone.metered)
        world.remove(phone.radio)
        self.phone = nil
    }

    func pair() throws {
        let service = try ServiceName(Self.service)
        ask { [world] in $0.pair(with: service, at: world.now) }
        _ = world.run(within: .seconds(20)) { isAskedForPIN || failure != nil }
        guard let digits = panel.pin else { throw BenchError("no PIN was shown: \(failure ?? "no reason")") }
        ask { [world] in $0.enter(pin: Secret(digits.map { $0 + 48 }), at: world.now) }
        guard world.run(within: .seconds(20), until: { isPaired }) else {
            throw BenchError("not paired: \(failure ?? "no reason")")
        }
    }

    func connect() throws {
        let service = try ServiceName(Self.service)
        ask { [world] in $0.connect(to: service, id: nil, at: world.now) }
        guard world.run(within: .seconds(30), until: { isConnected }) else {
            throw BenchError("not connected: \(failure ?? "no reason")")
        }
    }

    /// Sends a datagram to the service, and waits until it is there.
    func sendDatagram() throws {
        guard let phone, let peer = accessoryRadio.dataInterface else { throw BenchError("nobody is there") }
        let datagram = PathDatagram(peer: peer, sourcePort: 40_000, destinationPort: 14_550, payload: [1])
        phone.radio.send(datagram, at: world.now)
        guard world.run(within: .seconds(5), until: { !accessoryRadio.arrived.isEmpty }) else {
            throw BenchError("the datagram did not arrive")
        }
    }

    private func ask(_ body: (inout Phone) -> [Phone.Action]) {
        guard let phone else { return }
        phoneTime { phone.agent.ask(at: world.now, body) }
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        switch action {
        case .askPIN: isAskedForPIN = true
        case .paired: isPaired = true
        case .connected: isConnected = true
        case .failed(let reason): failure = reason
        case .found, .disconnected, .note, .radio, .save: break
        }
    }
}

/// What stands behind a service that nobody uses.
private final class SilentChannel: ServiceChannel {
    let service = Stage.service
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func opened(_ path: ServicePath, at now: Instant) {}
    func closed(_ path: ServicePath, at now: Instant) {}
}

/// Turns somebody, and adds up what that takes.
private final class Metered: Turnable {
    private let inner: any Turnable
    private let meter: CPUMeter

    init(_ inner: any Turnable, by meter: CPUMeter) {
        self.inner = inner
        self.meter = meter
    }

    var deadline: Instant? { inner.deadline }
    func addDescriptors(to set: inout DescriptorSet) { inner.addDescriptors(to: &set) }
    func turn(at now: Instant) { meter { inner.turn(at: now) } }
}
