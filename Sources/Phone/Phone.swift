public import Aware
public import Crypto
public import Frames
public import Ports
public import Wire

/// The subscriber as one value: looks for accessories, pairs with one, or keeps a data path to one.
public struct Phone {
    enum Radio {
        case off
        case starting(MACAddress)
        case on(Station)
    }

    /// What the person wants. One thing at a time.
    enum Task {
        case looking
        case pairing(Pairing)
        case connecting(Connecting)
        case over
    }

    /// What was refused since the start, from whomever.
    public internal(set) var refusals = RefusalCounts()
    /// What is looked for, and what was found.
    public internal(set) var subscriber: Subscriber
    /// The paired accessories.
    public internal(set) var accessories: [PairedPeer]
    /// The calendar's time in seconds since 1970, as far as the caller knows it.
    public var date: UInt64 = 0

    let identity: Identity
    let information: PairingInformation
    let entropy: any Entropy
    var radio = Radio.off
    var task = Task.looking

    /// - Parameter information: how the phone introduces itself to an accessory that it wants to pair with.
    public init(
        identity: Identity, information: PairingInformation, accessories: [PairedPeer],
        entropy: any Entropy
    ) {
        self.identity = identity
        self.information = information
        self.accessories = accessories
        self.entropy = entropy
        subscriber = Subscriber(subscriptions: [])
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch task {
        case .looking, .over: subscriber.deadline
        case .pairing(let pairing): Instant.earliest(subscriber.deadline, pairing.deadline)
        case .connecting(let connecting): Instant.earliest(subscriber.deadline, connecting.deadline)
        }
    }

    /// Whether nothing waits to be sent.
    public var isQuiet: Bool {
        station?.outbox.isEmpty ?? true
    }

    // MARK: The person

    /// Looks for the services, and for all others that are published unasked.
    public mutating func scan(for services: [ServiceName]) -> [Action] {
        subscriber.isPromiscuous = true
        subscribe(to: services)
        return startRadio()
    }

    /// Pairs with an accessory that publishes the service and lets itself be paired.
    public mutating func pair(with service: ServiceName, at now: Instant) -> [Action] {
        subscribe(to: [service])
        task = .pairing(Pairing(service: service, at: now))
        return startRadio()
    }

    /// Connects to the service of a paired accessory, the one with `id` if it is given, and keeps it connected.
    public mutating func connect(to service: ServiceName, id: String?, at now: Instant) -> [Action] {
        let candidates = accessories.filter { id == nil || $0.id == id }
        guard !candidates.isEmpty else {
            task = .over
            return [
                .failed(reason: id == nil ? "no accessory is paired" : "no accessory with this id is paired")
            ]
        }
        subscribe(to: [service])
        task = .connecting(Connecting(service: service, candidates: candidates))
        return startRadio()
    }

    /// The PIN that the person has read off the accessory, in ASCII.
    public mutating func enter(pin: borrowing Secret, at now: Instant) -> [Action] {
        let password = Key(pin.extracting(0..<pin.count))
        return withPairing { pairing, phone in pairing.enter(password, &phone, at: now) }
    }

    /// Ends what is open. Frames that say good-bye still wait in the radio: see ``isQuiet``.
    public mutating func stop() -> [Action] {
        let actions = withConnecting { connecting, phone in connecting.stop(&phone) }
        task = .over
        return actions
    }

    private mutating func subscribe(to services: [ServiceName]) {
        subscriber.subscriptions = services.enumerated().map { index, service in
            Subscriber.Subscription(
                service: service.identifier, instance: UInt8(truncatingIfNeeded: index + 1))
        }
    }

    // MARK: Time and the radio

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [Action] {
        subscriber.advance(to: now)
        return withPairing { pairing, phone in pairing.advance(to: now, &phone) }
            + withConnecting { connecting, phone in connecting.advance(to: now, &phone) }
    }

    private mutating func startRadio() -> [Action] {
        guard case .off = radio else { return [] }
        let address = MACAddress(random: entropy.number64())
        radio = .starting(address)
        return [.radio(.start(RadioConfiguration(managementAddress: address, masterPreference: 1)))]
    }

    /// The radio could not do what it was asked.
    public mutating func failed(_ request: RadioRequest, _ error: RadioError, at now: Instant) -> [Action] {
        if case .start = request {
            task = .over
            return [.failed(reason: "the radio does not start: \(error.explanation)")]
        }
        let note = Action.note("radio: \(error.explanation)")
        switch request {
        case .send(_, let cookie):
            return [note]
                + withStation { station in
                    station.outbox.refused(cookie)
                    return []
                }
        case .openDataPath:
            return [note] + withConnecting { connecting, phone in connecting.cannotOpen(&phone, at: now) }
        case .start, .stop, .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey, .closeDataPath:
            return [note]
        }
    }

    /// Takes in what the radio reports.
    public mutating func receive(_ event: RadioEvent, at now: Instant) -> [Action] {
        switch event {
        case .started(let dataInterface, let interfaceIdentifier, let capabilities):
            return started(dataInterface, interfaceIdentifier, capabilities)
        case .channelLost:
            // The accessory's frames are still answered in discovery windows, and a data path that starves ends.
            return []
        case .clusterJoined(let cluster, _):
            return withStation { $0.outbox.joined(cluster) } + [.note("joined the cluster \(cluster)")]
        case .windowDue:
            return ask()
        case .received(let frame):
            return receive(frame, at: now)
        case .sent(let cookie, let acknowledged):
            return withStation { $0.outbox.sent(cookie, acknowledged: acknowledged) }
        case .dataPathOpened(let address, let own, let peer):
            return withConnecting { connecting, phone in
                connecting.opened(address, own: own, peer: peer, &phone)
            }
        case .dataPathIdle:
            return withConnecting { connecting, phone in connecting.idle(&phone, at: now) }
        case .stopped(let error):
            radio = .off
            task = .over
            return [.failed(reason: "the radio stopped: \(error.explanation)")]
        }
    }

    private mutating func started(
        _ dataInterface: MACAddress, _ interfaceIdentifier: UInt64, _ capabilities: RadioCapabilities
    ) -> [Action] {
        guard case .starting(let address) = radio else { return [] }
        let profile = StationProfile(
            address: address, radio: capabilities, pairing: [.setup, .caching],
            availability: LocalAvailability())
        let end = DataPathEnd(
            profile: profile, dataInterface: dataInterface, interfaceIdentifier: interfaceIdentifier)
        radio = .on(Station(end: end, identity: identity, entropy: entropy))
        return [.radio(.setLocalSchedule(profile.localSchedule))]
    }

    private mutating func ask() -> [Action] {
        var subscriber = self.subscriber
        if case .connecting(let connecting) = task, !connecting.isLooking { subscriber.isActive = false }
        if case .pairing(let pairing) = task, !pairing.isLooking { subscriber.isActive = false }
        return withStation { station in
            station.outbox.windowPassed()
            var requests: [RadioRequest] = []
            for attributes in subscriber.questions(from: station.profile, identity: station.resolution) {
                requests += station.send(discovery: attributes, to: .nanNetwork)
            }
            return requests
        }
    }

    private mutating func receive(_ received: ReceivedFrame, at now: Instant) -> [Action] {
        guard let station else { return [] }
        do throws(Station.Refusal) {
            guard let accepted = try station.accept(received) else { return [] }
            switch accepted.header.subtype {
            case .action: return receiveAction(accepted, signal: received.signal, at: now)
            case .authentication:
                let peer = accepted.header.transmitter
                return withPairing { pairing, phone in
                    pairing.authenticate(accepted.body, from: peer, &phone, at: now)
                }
                    + withConnecting { connecting, phone in
                        connecting.authenticate(accepted.body, from: peer, &phone, at: now)
                    }
            default: return []
            }
        } catch {
            refusals.add("frame: \(error)")
            return []
        }
    }

    private mutating func receiveAction(
        _ accepted: Station.Accepted, signal: Int8, at now: Instant
    ) -> [Action] {
        let peer = accepted.header.transmitter
        let received: ReceivedAction
        do throws(DataPathRefusal) {
            received = try ReceivedAction(parsing: accepted.body, isEncrypted: accepted.header.isProtected)
        } catch {
            refusals.add("action frame: \(error)")
            return []
        }
        guard case .serviceDiscovery = received.frame.kind else {
            return withConnecting { connecting, phone in
                connecting.receive(received, from: peer, &phone, at: now)
            }
        }
        var actions: [Action] = []
        for discovery in subscriber.receive(received.frame, from: peer, signal: signal, at: now) {
            actions.append(.found(discovery))
        }
        if received.frame.serviceDescriptors.contains(where: { $0.kind == .followUp }) {
            actions += withPairing { pairing, phone in pairing.followUp(received, from: peer, &phone, at: now)
            }
        }
        return actions
            + withPairing { pairing, phone in pairing.look(&phone, at: now) }
            + withConnecting { connecting, phone in connecting.look(&phone, at: now) }
    }

    // MARK: For the tasks

    /// Nil while the radio is off.
    var station: Station? {
        if case .on(let station) = radio { station } else { nil }
    }

    /// The paired accessory that sent the publication, if it is one.
    public func accessory(of discovery: Discovery) -> PairedPeer? {
        guard let resolution = discovery.identity else { return nil }
        return accessories.first { $0.isSender(of: resolution, at: discovery.publisher) }
    }

    mutating func keep(_ accessory: PairedPeer) -> [Action] {
        accessories.removeAll { $0.id == accessory.id }
        accessories.append(accessory)
        return [.save(accessory)]
    }

    /// What the task comes to; nothing of it goes on.
    mutating func fail(_ reason: String) -> [Action] {
        task = .over
        return [.failed(reason: reason)]
    }

    mutating func refuse(_ reason: String) -> [Action] {
        refusals.add(reason)
        return [.note("refused \(reason)")]
    }

    mutating func withStation(_ body: (inout Station) -> [RadioRequest]) -> [Action] {
        guard case .on(var station) = radio else { return [] }
        let requests = body(&station)
        radio = .on(station)
        return requests.map(Action.radio)
    }

    /// Lets the task that runs change itself and the phone. A task that ended the phone's task is dropped.
    private mutating func withPairing(_ body: (inout Pairing, inout Phone) -> [Action]) -> [Action] {
        guard case .pairing(var pairing) = task else { return [] }
        let actions = body(&pairing, &self)
        if case .pairing = task { task = .pairing(pairing) }
        return actions
    }

    private mutating func withConnecting(_ body: (inout Connecting, inout Phone) -> [Action]) -> [Action] {
        guard case .connecting(var connecting) = task else { return [] }
        let actions = body(&connecting, &self)
        if case .connecting = task { task = .connecting(connecting) }
        return actions
    }
}
