import Ports
import Wire

/// The board's Bluetooth controller as one value: what the kernel says goes in with its time, what is to be done comes
/// out.
///
/// It looks for a controller, brings it up, advertises, and starts again from the survey whenever something took away
/// what it had set up: another daemon, a switch, a pulled plug.
///
/// Legal transitions:
/// - off → looking, at ``start(_:at:)``; any → off, at ``stop(at:)``
/// - looking → reading, or absent where there is no controller
/// - absent → pausing, when one is added
/// - reading → opening, obstructed, looking where the controller went, or pausing where another comes
/// - opening → up; → leaving, or off, where a daemon has the controller
/// - up → pausing, when what was set up is gone; → looking, when a daemon has come
/// - leaving → off
/// - obstructed → looking, when a switch changes, or the time comes
/// - looking, reading, opening, up → pausing, where the kernel refuses or does not answer
/// - pausing → looking, when its time comes
struct Adapter {
    /// What the machine cannot see through the management channel.
    struct Surroundings: Equatable, Sendable {
        /// Whether bluetoothd runs.
        var hasDaemon = false
        /// Why radio switches keep the controller off. Nil where they don't.
        var block: String?
        /// Whether a change of the switches will be told of.
        var watchesSwitches = true
        /// Whether this process has CAP_NET_ADMIN.
        var mayAdminister = true
    }

    enum Action {
        case send(ManagementCommand)
        /// To be answered by ``surveyed(_:at:)`` at once.
        case survey(controller: UInt16)
        /// In place of what listens now.
        case listen(BluetoothAddress)
        /// No listener any more, and every client goes.
        case close
        case tell(BluetoothEvent)
        case keep(Bond)
        case forget(BluetoothAddress)
        /// A client is known by another address from now on.
        case rename(BluetoothAddress, BluetoothAddress)
        /// A daemon has the controller: it rests until it is started again.
        case leave
    }

    /// A command, and whether it can be done without.
    struct Step {
        var command: ManagementCommand
        var isNeeded = true
    }

    /// Commands that wait for their turn: the kernel is asked one thing at a time.
    struct Conversation {
        var controller: UInt16
        var waiting: [Step] = []
        var asked: Asked?
    }

    struct Asked {
        var opcode: ManagementCommand.Opcode
        var name: StaticString
        var isNeeded: Bool
        /// When the kernel has been silent too long.
        var until: Instant
    }

    struct Reading {
        /// The first of them is being read.
        var candidates: [UInt16]
        var asked: Asked
        /// How one before them was refused, which is there all the same.
        var refusal: ManagementStatus?
    }

    struct Opening {
        var conversation: Conversation
        var information: ControllerInformation
        var hasDaemon: Bool
        /// At which it can be found.
        var address: BluetoothAddress
    }

    struct Up {
        var conversation: Conversation
        var address: BluetoothAddress
        /// Those that may be used, best first.
        var instances: [UInt8]
        /// Those that were asked for and not taken back.
        var used: [UInt8] = []
        /// Devices over Bluetooth LE, of ours and of others.
        var connections = 0
        /// Not everything is on the air: not all controllers advertise while somebody is connected.
        var isCurtailed = false
        /// When to listen anew: the newest listener gets the clients, and a daemon that has just started may not have
        /// listened yet.
        var renewals: [Instant] = []
        var since: Instant
    }

    enum State {
        case off
        case looking(Asked)
        case absent
        case reading(Reading)
        /// Nil where only a change of the switches helps, or nothing.
        case obstructed(until: Instant?)
        case opening(Opening)
        case up(Up)
        /// A daemon is given the controller as it would be without us.
        case leaving(Conversation)
        case pausing(until: Instant)
    }

    /// Powering a controller on can load its firmware.
    static let patience = TimeUnits.seconds(20)
    /// A daemon that has just started has settled after this.
    static let settling = TimeUnits.seconds(1)
    /// A daemon that starts beside us on a slow board listens by the second of these.
    static let renewals = [TimeUnits.seconds(2), .seconds(12)]
    static let switchPolling = TimeUnits.seconds(30)
    static let longestPause: UInt32 = 64
    /// What has worked for so long starts again without delay.
    static let proven: UInt64 = 60_000_000

    /// Whether a daemon that runs gets the controller.
    let leavesToDaemon: Bool
    /// Derived from the board, for controllers whose own is not unique.
    let staticAddress: MACAddress
    var state = State.off
    var configuration = BluetoothConfiguration(name: "", pairing: .none, services: [])
    var advertisements: [BluetoothAdvertisement] = []
    var bonds: [Bond]
    var pairing = PairingProgress()
    /// In seconds.
    var pause: UInt32 = 1
    /// What was told last, so that it is told once.
    var told: BluetoothEvent?

    init(leavesToDaemon: Bool, staticAddress: MACAddress, bonds: [Bond]) {
        self.leavesToDaemon = leavesToDaemon
        self.staticAddress = staticAddress
        self.bonds = bonds
    }

    /// When ``advance(to:)`` has work. Nil while it rests.
    var deadline: Instant? {
        switch state {
        case .off, .absent: nil
        case .looking(let asked): asked.until
        case .reading(let reading): reading.asked.until
        case .obstructed(let until): until
        case .opening(let opening): opening.conversation.asked?.until
        case .up(let up): Instant.earliest(up.conversation.asked?.until, up.renewals.first)
        case .leaving(let conversation): conversation.asked?.until
        case .pausing(let until): until
        }
    }

    // MARK: What its owner wants

    mutating func start(_ configuration: BluetoothConfiguration, at now: Instant) -> [Action] {
        self.configuration = configuration
        pairing.admission = PairingAdmission()
        told = nil
        pause = 1
        return look(at: now)
    }

    mutating func stop(at now: Instant) -> [Action] {
        var actions: [Action] = [.close]
        if case .up(let up) = state { actions += withdrawal(up) }
        state = .off
        advertisements = []
        pairing = PairingProgress()
        return actions
    }

    func withdrawal(_ up: Up) -> [Action] {
        var actions: [Action] = []
        for instance in up.used {
            actions.append(.send(.removeAdvertising(up.conversation.controller, instance: instance)))
        }
        return actions
    }

    /// From now on these, and no others.
    mutating func advertise(_ wanted: [BluetoothAdvertisement], at now: Instant) -> [Action] {
        guard wanted != advertisements else { return [] }
        advertisements = wanted
        guard case .up(let up) = state else { return [] }
        // A daemon that has started while nothing was advertised took nothing away, and was not noticed.
        return wanted.isEmpty
            ? advertiseWanted(up, at: now) : [.survey(controller: up.conversation.controller)]
    }

    // MARK: Time

    mutating func advance(to now: Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .off, .absent: return []
        case .looking(let asked): return silence(asked, at: now)
        case .reading(let reading): return silence(reading.asked, at: now)
        case .opening(let opening): return silence(opening.conversation.asked, at: now)
        case .up(var up):
            if let asked = up.conversation.asked, asked.until <= now { return silence(asked, at: now) }
            up.renewals.removeAll { $0 <= now }
            state = .up(up)
            return [.listen(up.address)]
        case .leaving: return left()
        case .obstructed, .pausing: return look(at: now)
        }
    }

    private mutating func silence(_ asked: Asked?, at now: Instant) -> [Action] {
        guard let asked else { return [] }
        return fail("the kernel does not answer when asked to \(asked.name)", at: now)
    }

    /// A radio switch was moved, or appeared.
    mutating func switchesChanged(at now: Instant) -> [Action] {
        guard case .obstructed = state else { return [] }
        return look(at: now)
    }

    // MARK: What the kernel says

    mutating func receive(_ message: ManagementMessage, at now: Instant) -> [Action] {
        switch message.event {
        case .answer(let opcode, let status, let octets):
            return answered(opcode, status, octets, from: message.index, at: now)
        case .controllerAdded: return added(at: now)
        case .controllerRemoved: return removed(message.index, at: now)
        case .settings(let settings): return changed(settings, of: message.index, at: now)
        case .advertisingRemoved(let instance):
            return advertisingRemoved(instance, from: message.index, at: now)
        case .newLongTermKey, .newIdentityKey, .passkey, .confirmation, .authenticationFailed, .unpaired:
            guard message.index == controller else { return [] }
            return paired(message.event, at: now)
        case .connected: return connected(to: message.index, at: now)
        case .disconnected:
            guard message.index == controller else { return [] }
            return paired(message.event, at: now) + disconnected(at: now)
        case .nameChanged: return touched(message.index)
        case .discovering, .found, .other: return []
        }
    }

    /// Somebody else has changed something that takes nothing from us: a daemon that starts does.
    private func touched(_ index: UInt16) -> [Action] {
        guard leavesToDaemon, case .up = state, index == controller else { return [] }
        return [.survey(controller: index)]
    }

    /// Whether nobody else can find it while those who are connected stay.
    var isCurtailed: Bool { if case .up(let up) = state { up.isCurtailed } else { false } }

    /// The controller that it works with.
    var controller: UInt16? {
        switch state {
        case .off, .looking, .absent, .reading, .obstructed, .pausing: nil
        case .opening(let opening): opening.conversation.controller
        case .up(let up): up.conversation.controller
        case .leaving(let conversation): conversation.controller
        }
    }

    private mutating func added(at now: Instant) -> [Action] {
        switch state {
        case .absent, .reading, .pausing:
            // A daemon takes its time to set it up; udev may give it another name.
            state = .pausing(until: now + Self.settling)
            return []
        case .off, .looking, .obstructed, .opening, .up, .leaving: return []
        }
    }

    private mutating func removed(_ index: UInt16, at now: Instant) -> [Action] {
        switch state {
        case .off, .looking, .absent, .pausing: return []
        case .reading(let reading) where reading.candidates.first == index: return look(at: now)
        case .opening where controller == index, .up where controller == index:
            return pairing.end() + tell(.unavailable("the Bluetooth controller is gone")) + look(at: now)
        case .obstructed: return look(at: now)
        case .leaving where controller == index: return left()
        case .reading, .opening, .up, .leaving: return []
        }
    }

    private mutating func changed(_ settings: ControllerSettings, of index: UInt16, at now: Instant)
        -> [Action]
    {
        guard case .up(let up) = state, up.conversation.controller == index else { return [] }
        guard !settings.isSuperset(of: [.powered, .lowEnergy]) else { return touched(index) }
        return lost("the Bluetooth controller was switched off", at: now)
    }

    /// The kernel stops advertising for a client, until he is gone: that others can come too, it is told again.
    private mutating func connected(to index: UInt16, at now: Instant) -> [Action] {
        guard case .up(var up) = state, up.conversation.controller == index else { return [] }
        up.connections += 1
        return advertiseWanted(up, at: now)
    }

    /// Advertises anew: what the kernel goes on with after a client can be an advertisement to which nobody connects, on
    /// controllers of Bluetooth 4.
    private mutating func disconnected(at now: Instant) -> [Action] {
        guard case .up(var up) = state else { return [] }
        up.connections = max(0, up.connections - 1)
        return advertiseWanted(up, at: now)
    }

    private mutating func advertisingRemoved(_ instance: UInt8, from index: UInt16, at now: Instant)
        -> [Action]
    {
        guard case .up(let up) = state, up.conversation.controller == index, up.used.contains(instance)
        else { return [] }
        return lost("another program took the Bluetooth advertisement away", at: now)
    }

    /// What was set up is gone: it is set up again when whoever did that has settled.
    private mutating func lost(_ reason: String, at now: Instant) -> [Action] {
        restorePause(at: now)
        state = .pausing(until: now + Self.settling)
        return pairing.end() + tell(.unavailable(reason))
    }

    /// Tries again later, and later each time.
    mutating func fail(_ reason: String, at now: Instant) -> [Action] {
        restorePause(at: now)
        state = .pausing(until: now + .seconds(pause))
        pause = min(2 * pause, Self.longestPause)
        return pairing.end() + tell(.unavailable(reason))
    }

    /// There is nothing to try again.
    mutating func rest(_ reason: String) -> [Action] {
        state = .obstructed(until: nil)
        return tell(.unavailable(reason))
    }

    private mutating func restorePause(at now: Instant) {
        if case .up(let up) = state, now.microseconds(since: up.since) >= Self.proven { pause = 1 }
    }

    mutating func tell(_ event: BluetoothEvent) -> [Action] {
        guard event != told else { return [] }
        told = event
        return [.tell(event)]
    }
}
