public import Aware
public import Crypto
import Frames
import Ports
public import Wire

/// The whole accessory as one value: what happens goes in with its time, what is to be done comes out.
///
/// It publishes what its configuration declares, lets strangers pair while the owner allows it, recognises those
/// that have paired, and opens data paths to its services for them and for nobody else.
public struct Accessory {
    enum Radio {
        case off
        case lost(retry: Instant, reason: String)
        /// With the reason for which it was off until now, if there is one.
        case starting(MACAddress, after: String?)
        /// With the address that it has had since then.
        case on(Station, since: Instant)
    }

    /// Peers known at once. The one heard longest ago without a data path makes room.
    static let peerLimit = 16
    static let radioRetry = TimeUnits.seconds(5)
    /// A paired device that is silent for so long, and has no data path, has to prove itself again.
    static let peerMemory = TimeUnits.seconds(900)

    /// What the owner declares; another is taken over by ``reconfigure(_:)``.
    public internal(set) var configuration: Configuration
    public internal(set) var devices: PairedDevices
    /// What was refused since the start, from whomever.
    public internal(set) var refusals = RefusalCounts()
    /// Whether strangers may pair, and what guesses at the PIN cost.
    public internal(set) var window = PairingWindow()
    /// The calendar's time in seconds since 1970, as far as the caller knows it.
    public var date: UInt64 = 0

    let identity: Identity
    let entropy: any Entropy
    var publisher: Publisher
    var radio = Radio.off
    var peers: [MACAddress: Peer] = [:]
    /// Keeps a flood of refusals from flooding the journal: they are counted all, and told up to a rate.
    var news = RateBudget(20, interval: .seconds(1))
    /// Keeps strangers from having panels say for ever which accessory this is.
    var identifications = RateBudget(3, interval: .seconds(20))
    /// What the panel shows for a while, whatever else holds.
    var notice: Notice?
    var bluetooth = BluetoothStanding()
    var hold: Hold?
    /// Nil where no button was pressed.
    var lastPress: Press?
    /// When a button was last pressed or the pairing window opened; nil where neither was.
    var lastWord: Instant?
    var channel = Channel.ours
    /// Peers that are gone, but still have to be told so, and for how many more windows that may take.
    var leaving: [MACAddress: Int] = [:]

    public init(
        configuration: Configuration, identity: Identity, devices: [PairedPeer], entropy: any Entropy
    ) {
        self.configuration = configuration
        self.identity = identity
        self.devices = PairedDevices(devices)
        self.entropy = entropy
        publisher = Publisher(
            publications: configuration.services.map { $0.publication },
            information: configuration.information)
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        var earliest = Instant.earliest(window.deadline, Instant.earliest(notice?.ends, hold?.givesUp))
        if case .lost(let retry, _) = radio { earliest = Instant.earliest(earliest, retry) }
        for peer in peers.values { earliest = Instant.earliest(earliest, peer.deadline) }
        return earliest
    }

    // MARK: The owner

    /// Starts the radio, and at the first start opens the pairing window.
    public mutating func start(at now: Instant) -> [Action] {
        var actions: [Action] = []
        if devices.all.isEmpty, configuration.firstStartSeconds > 0 {
            actions += openPairing(seconds: configuration.firstStartSeconds, at: now)
        }
        return actions + startRadio()
    }

    /// Withdraws everything. Frames that say good-bye still wait in the radio: see ``isQuiet``.
    public mutating func stop(at now: Instant) -> [Action] {
        var actions = perform(window.close(), at: now)
        for address in peers.keys.sorted() { actions += dropPeer(address, .stopped) }
        publisher.publications = []
        notice = nil
        hold = nil
        return actions + [.tell(.withdrawn)]
    }

    /// Whether nothing waits to be sent.
    public var isQuiet: Bool {
        switch radio {
        case .off, .lost, .starting: true
        case .on(let station, _): station.outbox.isEmpty
        }
    }

    /// Opens the pairing window for the configured time, or another.
    public mutating func openPairing(seconds: UInt32? = nil, at now: Instant) -> [Action] {
        lastWord = now
        return perform(window.open(seconds: seconds ?? configuration.windowSeconds, at: now), at: now)
    }

    /// Closes the pairing window, and ends every attempt to pair.
    public mutating func closePairing(at now: Instant) -> [Action] {
        stopAttempts() + perform(window.close(), at: now)
    }

    /// Forgets a paired device and ends what it has open. Nothing where there is no such device.
    public mutating func forget(_ id: String, at now: Instant) -> [Action] {
        guard let device = devices.device(id) else { return [] }
        devices.remove(id)
        var actions: [Action] = [.remove(id, name: device.name.text)]
        if let address = device.bluetooth { actions.append(.removeBond(address)) }
        for (address, peer) in peers where peer.association?.device == id {
            actions += dropPeer(address, .stopped)
        }
        return actions
    }

    /// Forgets every device, and who is bonded over Bluetooth only.
    public mutating func forgetAll(at now: Instant) -> [Action] {
        var actions: [Action] = []
        for device in devices.all { actions += forget(device.id, at: now) }
        return actions + [.removeBonds]
    }

    /// Takes another configuration over. Paired devices and their data paths stay, but for services that are gone.
    public mutating func reconfigure(_ new: Configuration) -> [Action] {
        var actions: [Action] = []
        let publications = Self.publications(of: new, keeping: publisher.publications)
        for address in peers.keys.sorted() {
            for path in peers[address]?.association?.paths ?? []
            where !publications.contains(where: {
                $0.instance == path.service.instance && $0.port == path.service.port
            }) {
                actions += endPath(path.responder.name, of: address, .stopped)
            }
        }
        configuration = new
        _ = withStation { station in
            station.end.idlePeriod = new.idleSeconds
            return []
        }
        publisher.information = new.information
        publisher.publications = publications
        return actions + [.tell(.published(publications.map { $0.name.text }))]
    }

    /// A service keeps its instance number for as long as it is declared.
    private static func publications(of new: Configuration, keeping old: [Publication]) -> [Publication] {
        var used: [UInt8] = []
        var result: [Publication] = []
        for service in new.services {
            var publication = service.publication
            let known = old.first { $0.name == publication.name }
            var instance = known?.instance ?? 1
            if known == nil {
                while used.contains(instance) || old.contains(where: { $0.instance == instance }) {
                    instance += 1
                }
            }
            publication.instance = instance
            used.append(instance)
            result.append(publication)
        }
        return result
    }

    // MARK: Time

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [Action] {
        var actions: [Action] = []
        if case .lost(let retry, _) = radio, retry <= now { actions += startRadio() }
        for address in peers.keys.sorted() { actions += advance(address, to: now) }
        actions += perform(window.advance(to: now), at: now)
        stopStaleAttempts(&actions)
        if let notice, notice.ends <= now { self.notice = nil }
        if let hold, hold.givesUp <= now { actions += endHold() }
        return actions
    }

    // MARK: For all parts

    /// Does something with the station, and nothing where the radio is off.
    mutating func withStation(_ body: (inout Station) -> [RadioRequest]) -> [Action] {
        guard case .on(var station, let since) = radio else { return [] }
        let requests = body(&station)
        radio = .on(station, since: since)
        return requests.map(Action.radio)
    }

    var pairingCapabilities: DeviceCapabilityExtension.Pairing {
        window.isOpen ? [.setup, .caching] : .caching
    }

    /// Whether we owe the peer nothing: it has not proved itself, and is not about to.
    func isStranger(_ peer: MACAddress) -> Bool {
        guard let known = peers[peer] else { return true }
        return known.attempt == nil && known.association == nil
    }

    /// Counts a refusal, and tells of it unless there were many of late.
    mutating func refuse(_ peer: MACAddress, name: String = "", _ reason: String, at now: Instant) -> [Action]
    {
        refusals.add(reason)
        return news.allows(at: now) ? [.tell(.refused(peer: peer, name: name, reason: reason))] : []
    }
}
