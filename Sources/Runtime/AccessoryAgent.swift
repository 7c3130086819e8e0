public import Accessory
import Aware
import BluetoothLE
public import Ports
public import Wire

/// The running accessory: feeds it what the radio, the owner and the time bring, and does what it answers.
public final class AccessoryAgent: Turnable {
    /// What the agent works on.
    public struct Surroundings {
        public var radio: any Radio
        public var panels: [any Panel]
        public var buttons: (any Buttons)?
        public var bluetooth: (any Bluetooth)?
        /// Puts the board into an ordinary network, where something on it can.
        public var provisioner: (any WiFiProvisioner)?
        public var records: Records
        public var clock: any Clock
        public var journal: any Journal
        public var control: (any LocalControl)?
        /// Makes what stands behind a service.
        public var makeChannel: (Configuration.Service) -> any ServiceChannel

        public init(
            radio: any Radio, panels: [any Panel], buttons: (any Buttons)? = nil,
            bluetooth: (any Bluetooth)? = nil, provisioner: (any WiFiProvisioner)? = nil, records: Records,
            clock: any Clock, journal: any Journal,
            control: (any LocalControl)?, makeChannel: @escaping (Configuration.Service) -> any ServiceChannel
        ) {
            self.radio = radio
            self.panels = panels
            self.buttons = buttons
            self.bluetooth = bluetooth
            self.provisioner = provisioner
            self.records = records
            self.clock = clock
            self.journal = journal
            self.control = control
            self.makeChannel = makeChannel
        }
    }

    /// Frames that say good-bye get so long to leave.
    private static let farewell = TimeUnits.milliseconds(1_500)

    private enum State {
        case running
        case leaving(until: Instant)
        case gone
    }

    public internal(set) var accessory: Accessory
    let surroundings: Surroundings
    private var channels: [any ServiceChannel] = []
    private var state = State.running
    private var shown: PanelContent?
    /// Why the last record that should have gone did not.
    var unremoved: String?
    private var faults: PartFaults
    /// Nil without Bluetooth, and once the accessory takes its leave.
    private var onboarding: BluetoothOnboarding?

    public init(_ accessory: Accessory, in surroundings: Surroundings) {
        self.accessory = accessory
        self.surroundings = surroundings
        faults = PartFaults(parts: surroundings.panels.count + 1)
        channels = accessory.configuration.services.map(surroundings.makeChannel)
    }

    public var isGone: Bool {
        if case .gone = state { true } else { false }
    }

    // MARK: The loop

    public var deadline: Instant? {
        var earliest = Instant.earliest(accessory.deadline, surroundings.radio.deadline)
        for panel in surroundings.panels { earliest = Instant.earliest(earliest, panel.deadline) }
        if let buttons = surroundings.buttons { earliest = Instant.earliest(earliest, buttons.deadline) }
        for channel in channels { earliest = Instant.earliest(earliest, channel.deadline) }
        if case .leaving(let until) = state { earliest = Instant.earliest(earliest, until) }
        if let control = surroundings.control { earliest = Instant.earliest(earliest, control.deadline) }
        if let onboarding { earliest = Instant.earliest(earliest, onboarding.deadline) }
        return earliest
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        surroundings.radio.addDescriptors(to: &set)
        for channel in channels { channel.addDescriptors(to: &set) }
        for panel in surroundings.panels { panel.addDescriptors(to: &set) }
        surroundings.buttons?.addDescriptors(to: &set)
        surroundings.control?.addDescriptors(to: &set)
        onboarding?.addDescriptors(to: &set)
    }

    public func turn(at now: Instant) {
        accessory.date = surroundings.clock.date
        for _ in 0..<Loop.mostEventsPerTurn {
            guard let event = surroundings.radio.nextEvent(at: now) else { break }
            perform(accessory.receive(event, at: now), at: now)
        }
        while let press = surroundings.buttons?.nextPress(at: now) { self.press(press, at: now) }
        while let event = onboarding?.nextEvent(at: now) {
            perform(accessory.receive(event, at: now), at: now)
            if case .bonded = event {
                forgetBonds(looseBonds.dropLast(Accessory.looseBondLimit), at: now)
            }
        }
        surroundings.control?.turn(at: now)
        if let deadline = accessory.deadline, deadline <= now { perform(accessory.advance(to: now), at: now) }
        for channel in channels { channel.turn(at: now) }
        leave(at: now)
        onboarding?.refresh(at: now)
        showPanels(at: now)
    }

    public func start(at now: Instant) {
        surroundings.control?.answerer = self
        accessory.date = surroundings.clock.date
        perform(accessory.start(at: now), at: now)
        if let bluetooth = surroundings.bluetooth {
            onboarding = BluetoothOnboarding(bluetooth, provisioner: surroundings.provisioner, owner: self)
            onboarding?.start(at: now)
        }
        showPanels(at: now)
    }

    /// Withdraws everything; ``isGone`` says when that is done.
    public func stop(at now: Instant) {
        guard case .running = state else { return }
        state = .leaving(until: now + Self.farewell)
        perform(accessory.stop(at: now), at: now)
        onboarding?.stop(at: now)
        onboarding = nil
        for panel in surroundings.panels { panel.stop(at: now) }
    }

    /// Takes over what the configuration file says now.
    public func reconfigure(_ configuration: Configuration, at now: Instant) {
        perform(accessory.reconfigure(configuration), at: now)
        channels.removeAll { channel in
            !configuration.services.contains { $0.publication.name.text == channel.service }
        }
        for service in configuration.services
        where !channels.contains(where: { $0.service == service.publication.name.text }) {
            channels.append(surroundings.makeChannel(service))
        }
        onboarding?.reconfigure(at: now)
    }

    private func leave(at now: Instant) {
        guard case .leaving(let until) = state, isQuiet || until <= now else { return }
        state = .gone
        request(.stop, at: now)
        surroundings.control?.answerer = nil
    }

    /// Nothing more is to be sent, and no panel shows anything.
    private var isQuiet: Bool {
        guard accessory.isQuiet else { return false }
        for panel in surroundings.panels where !panel.isStill { return false }
        return true
    }

    /// Every panel is given its turn, and what it is to show where that changed.
    func showPanels(at now: Instant) {
        guard case .running = state else {
            for panel in surroundings.panels { panel.turn(at: now) }
            return
        }
        let content = accessory.panel
        for panel in surroundings.panels {
            if content != shown { panel.show(content, at: now) }
            panel.turn(at: now)
        }
        shown = content
        tellFaults()
    }

    /// Panels and buttons that stopped working or work again are told of once.
    private func tellFaults() {
        for (index, panel) in surroundings.panels.enumerated() {
            if let event = faults.change(of: index, panel.name, fault: panel.fault) { tell(event) }
        }
        guard let buttons = surroundings.buttons else { return }
        if let event = faults.change(of: surroundings.panels.count, "buttons", fault: buttons.fault) {
            tell(event)
        }
    }

    /// Whoever holds or presses a button while the accessory takes its leave is too late.
    private func press(_ press: ButtonPress, at now: Instant) {
        guard case .running = state else { return }
        perform(accessory.pressed(press, at: now), at: now)
    }

    // MARK: What the accessory wants

    func perform(_ actions: [Accessory.Action], at now: Instant) {
        for action in actions {
            switch action {
            case .radio(let request): self.request(request, at: now)
            case .save(let device): surroundings.records.save(device)
            case .remove(let id, let name): remove(id, name)
            case .open(let service, let path): channel(service)?.opened(path, at: now)
            case .close(let service, let path): channel(service)?.closed(path, at: now)
            case .removeBond(let address): _ = removeBond(address, at: now)
            case .removeBonds: forgetBonds(bonds, at: now)
            case .tell(let event): tell(event)
            }
        }
    }

    private var bonds: [BluetoothAddress] { surroundings.bluetooth?.bonds ?? [] }
    var looseBonds: [BluetoothAddress] { accessory.looseBonds(of: bonds) }

    func forgetBonds(_ addresses: [BluetoothAddress], at now: Instant) {
        for address in addresses where removeBond(address, at: now) { tell(.bondForgotten(address)) }
    }

    /// Whether nothing of it is left.
    private func removeBond(_ address: BluetoothAddress, at now: Instant) -> Bool {
        do throws(StoreError) {
            try surroundings.bluetooth?.removeBond(address, at: now)
            return true
        } catch {
            unremoved = error.explanation
            tell(.bondStays(address, reason: error.explanation))
            return false
        }
    }

    private func remove(_ id: String, _ name: String) {
        do throws(StoreError) {
            try surroundings.records.remove(id)
            tell(.forgotten(device: id, name: name))
        } catch {
            unremoved = error.explanation
            tell(.recordStays(device: id, name: name, reason: error.explanation))
        }
    }

    private func request(_ request: RadioRequest, at now: Instant) {
        do throws(RadioError) {
            try surroundings.radio.perform(request, at: now)
        } catch {
            surroundings.journal.write(.debug, "radio: \(error.explanation)")
            perform(accessory.failed(request, error, at: now), at: now)
        }
    }

    private func channel(_ service: String) -> (any ServiceChannel)? {
        for channel in channels where channel.service == service { return channel }
        return nil
    }

    private func tell(_ event: Event) {
        surroundings.journal.write(event.importance, event.description)
        guard let control = surroundings.control, control.hasListeners else { return }
        control.broadcast(event.json)
    }
}

extension AccessoryAgent: OnboardingOwner {}
