import BluetoothLE
import CShim
public import Ports
import SystemBus
public import Wire

/// The board's Bluetooth on the kernel's own sockets, without a daemon.
///
/// The kernel's management channel sets the controller up and pairs; clients come through a socket of the attribute
/// protocol. Needs CAP_NET_ADMIN. While nothing happens it does not wake.
public final class LinuxBluetooth: Bluetooth {
    public var answerer: (any GATTAnswerer)?

    private let store: Bonds
    private let journal: any Journal
    private let clients = AttributeClients()
    private let switches = RadioSwitches()
    private var socket: ManagementSocket?
    private var adapter: Adapter
    private var events = EventQueue<BluetoothEvent>()
    /// What the answerer asked for while it was answering a client, whose turn is not over then.
    private var postponed: [BluetoothRequest] = []
    private var postponedRemovals: [BluetoothAddress] = []
    private var isAnswering = false
    private(set) var objection: String?

    /// The whole controller, whoever else uses it.
    ///
    /// - Parameter store: keeps the bonds, beside what else is in it.
    public convenience init(store: any Store, journal: any Journal) {
        self.init(leavesToDaemon: false, store: store, journal: journal)
    }

    /// - Parameter leavesToDaemon: whether the controller is left to bluetoothd where that runs, which is then the
    ///   ``objection``.
    init(leavesToDaemon: Bool, store: any Store, journal: any Journal) {
        self.store = Bonds(store: store, journal: journal)
        self.journal = journal
        adapter = Adapter(
            leavesToDaemon: leavesToDaemon, staticAddress: Board.staticAddress(), bonds: self.store.load())
    }

    public var bonds: [BluetoothAddress] { adapter.bonds.map { $0.address } }

    public var deadline: Instant? {
        !events.isEmpty
            ? Instant(microseconds: 0)
            : Instant.earliest(adapter.deadline, clients.deadline)
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        if let socket { set.add(socket.descriptor) }
        switches.addDescriptors(to: &set)
        clients.addDescriptors(to: &set)
    }

    public func perform(_ request: BluetoothRequest, at now: Instant) {
        guard !isAnswering else {
            postponed.append(request)
            return
        }
        switch request {
        case .start(let configuration): start(configuration, at: now)
        case .stop:
            perform(adapter.stop(at: now), at: now)
            rest()
            events.removeAll()
        case .advertise(let advertisements): perform(adapter.advertise(advertisements, at: now), at: now)
        case .notify(let id, let value):
            clients.notify(id, value)
            turnClients(at: now)
        case .disconnectStrangers: events.append(contentsOf: clients.disconnectStrangers())
        case .allowPairing(let given): perform(adapter.allowPairing(since: given, at: now), at: now)
        }
        keepMemories()
    }

    public func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {
        if isAnswering {
            postponedRemovals.append(address)
        } else {
            perform(adapter.removeBond(address, at: now), at: now)
        }
        // Nothing is left of it, unless it could not be removed; then this says why.
        try store.remove(address)
    }

    /// Of bonded clients that have left.
    private func keepMemories() {
        for (address, memory) in clients.takeMemories() {
            if let bond = adapter.remember(memory, of: address) { store.keep(bond) }
        }
    }

    public func nextEvent(at now: Instant) -> BluetoothEvent? {
        if events.isEmpty { turn(at: now) }
        return events.next()
    }

    private func start(_ configuration: BluetoothConfiguration, at now: Instant) {
        // Who is connected knows other services.
        events.append(contentsOf: clients.close())
        clients.offer(AttributeDatabase(name: configuration.name, services: configuration.services))
        objection = nil
        perform(adapter.start(configuration, at: now), at: now)
    }

    /// Hears nothing more.
    private func rest() {
        switches.close()
        socket = nil
    }

    private func turn(at now: Instant) {
        receive(at: now)
        if switches.haveChanged() { perform(adapter.switchesChanged(at: now), at: now) }
        perform(adapter.advance(to: now), at: now)
        turnClients(at: now)
    }

    private func turnClients(at now: Instant) {
        isAnswering = true
        clients.isCurtailed = adapter.isCurtailed
        events.append(contentsOf: clients.turn(for: answerer, recall: adapter.memory(of:), at: now))
        isAnswering = false
        keepMemories()
        let requests = postponed
        postponed.removeAll(keepingCapacity: true)
        for request in requests { perform(request, at: now) }
        let removals = postponedRemovals
        postponedRemovals.removeAll()
        for address in removals { perform(adapter.removeBond(address, at: now), at: now) }
    }

    private func receive(at now: Instant) {
        while let socket {
            switch socket.receive() {
            case .message(let message): perform(adapter.receive(message, at: now), at: now)
            case .malformed(let error): journal.write(.debug, "Bluetooth: \(error)")
            case .nothing: return
            case .failed(let obstacle): return lose(obstacle, at: now)
            }
        }
    }

    /// Everything is set up again over another socket.
    private func lose(_ obstacle: BluetoothObstacle, at now: Instant) {
        socket = nil
        events.append(contentsOf: clients.close())
        perform(adapter.fail(obstacle.explanation, at: now), at: now)
    }

    private func perform(_ actions: [Adapter.Action], at now: Instant) {
        for action in actions {
            switch action {
            case .send(let command): send(command, at: now)
            case .survey(let controller): perform(adapter.surveyed(survey(controller), at: now), at: now)
            case .listen(let address):
                // What was to follow was meant for a controller that takes connections.
                guard listen(at: address, at: now) else { return }
            case .close: events.append(contentsOf: clients.close())
            case .tell(let event): events.append(event)
            case .keep(let bond):
                store.keep(bond)
                clients.setBonded(bond.address, true)
            case .forget(let address):
                store.forget(address)
                clients.setBonded(address, false)
            case .rename(let old, let new): clients.rename(old, new)
            case .leave:
                rest()
                objection = "bluetoothd runs"
            }
        }
    }

    /// A command that the kernel does not even take is one that it refuses; a socket that is gone is noticed when it
    /// is read.
    private func send(_ command: ManagementCommand, at now: Instant) {
        var command = command
        defer { command.erase() }
        do throws(BluetoothObstacle) {
            guard try !opened().send(command) else { return }
        } catch {
            let actions =
                error.isLasting ? adapter.rest(error.explanation) : adapter.fail(error.explanation, at: now)
            return perform(actions, at: now)
        }
        perform(
            adapter.receive(
                ManagementMessage(index: command.index, event: .answer(command.opcode, .failed, [])), at: now),
            at: now)
    }

    private func opened() throws(BluetoothObstacle) -> ManagementSocket {
        if let socket { return socket }
        let opened = try ManagementSocket()
        socket = opened
        return opened
    }

    private func listen(at address: BluetoothAddress, at now: Instant) -> Bool {
        do throws(BluetoothObstacle) {
            try clients.listen(at: address)
            return true
        } catch {
            perform(adapter.fail(error.explanation, at: now), at: now)
            return false
        }
    }

    private func survey(_ controller: UInt16) -> Adapter.Surroundings {
        // The watch comes before the look, so that no change falls between.
        let watches = switches.watch()
        let block = Board.block(of: controller)
        if block == nil { switches.close() }
        return Adapter.Surroundings(
            hasDaemon: daemonRuns(SharedBluetooth.daemon), block: block, watchesSwitches: watches,
            mayAdminister: shim_may_administer_networks() == 1)
    }
}
