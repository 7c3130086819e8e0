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
    let buttons = ScriptedButtons()
    let bluetooth = SimulatedBluetooth()
    let network = SimulatedNetwork()
    let watch: PanelWatch
    let journal = RecordedJournal()
    let channel = RecordedChannel()
    let radio: WorldRadio
    /// Between the radio and the agent.
    let ether: Ether
    let control = RecordedControl()
    let agent: AccessoryAgent

    init(
        in world: World, store: MemoryStore = MemoryStore(), settings: [(String, String, String)] = [],
        wrap: (WorldRadio) -> any Radio = { $0 }
    ) throws {
        self.world = world
        self.store = store
        radio = world.makeRadio()
        ether = Ether(wrap(radio))
        watch = PanelWatch(clock: world.clock)
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: store, journal: journal)
        let accessory = Accessory(
            configuration: try Self.configuration(settings),
            identity: try records.identity(entropy: entropy), devices: try records.peers(),
            entropy: entropy)
        let channel = self.channel
        agent = AccessoryAgent(
            accessory,
            in: AccessoryAgent.Surroundings(
                radio: ether, panels: [panel, watch], buttons: buttons, bluetooth: bluetooth,
                provisioner: network, records: records, clock: world.clock, journal: journal,
                control: control, makeChannel: { _ in channel }))
        world.add(agent)
        agent.start(at: world.now)
    }

    static func configuration(_ settings: [(String, String, String)]) throws -> Configuration {
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
        return try Configuration(entries, file: "test.conf")
    }

    /// As a power cut would.
    func cutPower() {
        world.remove(agent)
        world.remove(radio)
    }

    var accessory: Accessory { agent.accessory }
    var devices: [PairedPeer] { accessory.devices.all }
    var address: MACAddress? { accessory.status(at: world.now).address }
    var cluster: MACAddress? { accessory.status(at: world.now).cluster }

    func refusals(_ reason: String) -> UInt64 { accessory.refusals.count(of: reason) }

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
    private(set) var openings = 0
    private(set) var closings = 0
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func opened(_ path: ServicePath, at now: Instant) {
        paths.append(path)
        openings += 1
    }
    func closed(_ path: ServicePath, at now: Instant) {
        paths.removeAll { $0 == path }
        closings += 1
    }
}

/// A phone in the virtual world, and the person who holds it.
final class Person: PhoneOwner {
    let world: World
    let store: MemoryStore
    let radio: WorldRadio
    /// Between the radio and the agent.
    let ether: Ether
    private(set) var found: [Discovery] = []
    private(set) var isAskedForPIN = false
    private(set) var paired: [PairedPeer] = []
    private(set) var peer: SocketAddress?
    private(set) var failure: String?
    private(set) var disconnections: [String] = []
    private(set) var notes: [String] = []
    private var running: PhoneAgent?
    private let wrap: (WorldRadio) -> any Radio

    init(
        in world: World, name: String = "Ada's phone", store: MemoryStore = MemoryStore(),
        wrap: @escaping (WorldRadio) -> any Radio = { $0 }
    ) throws {
        self.world = world
        self.store = store
        self.wrap = wrap
        radio = world.makeRadio()
        ether = Ether(wrap(radio))
        let entropy = SeededEntropy(seed: world.entropy.number64())
        let records = Records(store: store, journal: RecordedJournal())
        let phone = Phone(
            identity: try records.identity(entropy: entropy),
            information: PairingInformation(pairingName: name, vendorName: "Phones", modelName: "P1"),
            accessories: try records.peers(), entropy: entropy)
        let agent = PhoneAgent(phone, radio: ether, records: records, clock: world.clock, owner: self)
        running = agent
        world.add(agent)
    }

    var agent: PhoneAgent {
        guard let running else { fatalError("the phone is off") }
        return running
    }

    var phone: Phone { agent.phone }
    var isConnected: Bool { peer != nil }

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

    static let drone: ServiceName = {
        guard let name = try? ServiceName("_drone-service._udp") else { fatalError("no name of a service") }
        return name
    }()

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

    /// Asks to pair, and says whether the PIN is to be typed.
    func ask() -> Bool {
        startPairing()
        return world.run(within: .seconds(40)) { isAskedForPIN || failure != nil } && isAskedForPIN
    }

    /// Types the PIN, and says whether that paired.
    func finish(with pin: String) -> Bool {
        type(pin)
        return world.run(within: .seconds(30)) { !paired.isEmpty || failure != nil } && !paired.isEmpty
    }

    /// Does the whole pairing, reading the PIN off the board.
    func pair(with board: Board) -> Bool {
        guard ask(), let pin = board.pin else { return false }
        return finish(with: pin)
    }

    /// Connects, and says whether that worked.
    func isConnected(within limit: TimeUnits = .seconds(20)) -> Bool {
        connect()
        return world.run(within: limit) { isConnected || failure != nil } && isConnected
    }

    /// The same phone in a new run of its program: another address, the same identity.
    func again(name: String = "Ada's phone") throws -> Person {
        if running != nil { switchOff() }
        return try Person(in: world, name: name, store: store, wrap: wrap)
    }

    /// What went wrong, for a test's message.
    var story: String { "\(failure ?? "no failure") \(notes) \(disconnections)" }
}
