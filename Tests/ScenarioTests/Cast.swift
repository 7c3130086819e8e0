import Accessory
import Aware
import Crypto
import Frames
import Phone
import Ports
import Runtime
import Simulation
import Wire

/// An accessory in the virtual world, with everything that a board has but the hardware.
final class Board {
    let world: World
    let store: MemoryStore
    let panel = RecordedPanel()
    let journal = RecordedJournal()
    let channel = RecordedChannel()
    private(set) var radio: WorldRadio
    private(set) var agent: AccessoryAgent

    init(
        in world: World, store: MemoryStore = MemoryStore(), settings: [(String, String, String)] = [],
        wrap: (WorldRadio) -> any Radio = { $0 }
    ) throws {
        self.world = world
        self.store = store
        radio = world.makeRadio()
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: store, journal: journal)
        var entries = [
            ConfigurationEntry(section: "accessory", key: "name", value: "My Drone", line: 1),
            ConfigurationEntry(section: "accessory", key: "vendor", value: "Example Inc", line: 2),
            ConfigurationEntry(section: "accessory", key: "model", value: "Example Model", line: 3),
            ConfigurationEntry(
                section: "service _drone-service._udp", key: "vehicle", value: "simulated", line: 4),
        ]
        for (section, key, value) in settings {
            entries.append(ConfigurationEntry(section: section, key: key, value: value, line: 9))
        }
        let accessory = Accessory(
            configuration: try Configuration(entries, file: "test.conf"),
            identity: try records.identity(entropy: entropy), devices: try records.peers(),
            capabilities: radio.capabilities, entropy: entropy)
        let channel = self.channel
        agent = AccessoryAgent(
            accessory,
            in: AccessoryAgent.Surroundings(
                radio: wrap(radio), panels: [panel], records: records, clock: world.clock, journal: journal,
                control: nil, makeChannel: { _ in channel }))
        world.add(agent)
        agent.start(at: world.now)
    }

    /// As a power cut would.
    func cutPower() {
        world.remove(agent)
        world.remove(radio)
    }

    var devices: [PairedPeer] { agent.accessory.devices.all }

    /// The last PIN that is shown, in ASCII; nil while none is.
    var pin: String? { panel.pin.map { String(decoding: $0.map { $0 + 48 }, as: UTF8.self) } }

    func ask(_ line: String) -> LocalAnswer {
        agent.answer(LocalRequest(line: line, client: 1, process: 1), at: world.now)
    }
}

/// What stands behind the service in a scenario.
final class RecordedChannel: ServiceChannel {
    let service = "_drone-service._udp"
    private(set) var paths: [ServicePath] = []
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func opened(_ path: ServicePath, at now: Instant) { paths.append(path) }
    func closed(_ path: ServicePath, at now: Instant) { paths.removeAll { $0 == path } }
}

/// A phone in the virtual world, and the person who holds it.
final class Person: PhoneOwner {
    let world: World
    let store: MemoryStore
    private(set) var radio: WorldRadio
    private(set) var found: [Discovery] = []
    private(set) var isAskedForPIN = false
    private(set) var paired: [PairedPeer] = []
    private(set) var peer: SocketAddress?
    private(set) var failure: String?
    private(set) var disconnections: [String] = []
    private(set) var notes: [String] = []
    private var running: PhoneAgent?

    init(
        in world: World, name: String = "Ada's phone", store: MemoryStore = MemoryStore(),
        wrap: (WorldRadio) -> any Radio = { $0 }
    ) throws {
        self.world = world
        self.store = store
        radio = world.makeRadio()
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: store, journal: RecordedJournal())
        let phone = Phone(
            identity: try records.identity(entropy: entropy),
            information: PairingInformation(pairingName: name, vendorName: "Phones", modelName: "P1"),
            accessories: try records.peers(), capabilities: radio.capabilities, entropy: entropy)
        let agent = PhoneAgent(phone, radio: wrap(radio), records: records, clock: world.clock, owner: self)
        running = agent
        world.add(agent)
    }

    var agent: PhoneAgent {
        guard let running else { fatalError("the phone is off") }
        return running
    }

    var phone: Phone { agent.phone }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        switch action {
        case .found(let discovery): found.append(discovery)
        case .askPIN: isAskedForPIN = true
        case .paired(let accessory): paired.append(accessory)
        case .connected(_, _, let address): peer = address
        case .disconnected(let reason):
            peer = nil
            disconnections.append(reason)
        case .failed(let reason): failure = reason
        case .note(let note): notes.append(note)
        case .radio, .save: break
        }
    }

    static let drone = try! ServiceName("_drone-service._udp")

    func scan() { agent.ask(at: world.now) { $0.scan(for: [Self.drone]) } }
    func startPairing() { agent.ask(at: world.now) { [world] in $0.pair(with: Self.drone, at: world.now) } }
    func connect() {
        agent.ask(at: world.now) { [world] in $0.connect(to: Self.drone, id: nil, at: world.now) }
    }
    func type(_ pin: String) {
        agent.ask(at: world.now) { [world] in $0.enter(pin: Secret(Array(pin.utf8)), at: world.now) }
    }

    /// Takes the phone off the air, as somebody who walks away without a word.
    func walkAway() { radio.isAway = true }
    func comeBack() { radio.isAway = false }

    /// Ends the program without a word.
    func switchOff() {
        world.remove(agent)
        world.remove(radio)
        running = nil
    }

    /// Does the whole pairing, reading the PIN off the board.
    func pair(with board: Board) -> Bool {
        startPairing()
        guard world.run(within: .seconds(20), until: { isAskedForPIN || failure != nil }), let pin = board.pin
        else {
            return false
        }
        type(pin)
        return world.run(within: .seconds(20), until: { !paired.isEmpty || failure != nil })
            && !paired.isEmpty
    }
}
