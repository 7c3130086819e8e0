import BluetoothLE
import CShim
public import Ports
public import Wire

/// The board's Bluetooth on the kernel's own sockets, without a daemon.
///
/// The kernel's management channel sets the controller up and pairs; clients come through a socket of the attribute
/// protocol. Needs CAP_NET_ADMIN. While nothing happens it does not wake.
public final class LinuxBluetooth: Bluetooth {
    /// How it shares the controller with others.
    public enum Use: Equatable, Sendable {
        /// The whole controller, but politely where a Bluetooth daemon runs: then it changes only what it needs, and
        /// keeps off what the daemon has.
        case automatic
        /// The whole controller in any case.
        case exclusive
    }

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
    private var isAnswering = false

    /// - Parameter store: keeps the bonds, beside what else is in it.
    public init(_ use: Use, store: any Store, journal: any Journal) {
        self.store = Bonds(store: store, journal: journal)
        self.journal = journal
        adapter = Adapter(
            use: use, staticAddress: Board.staticAddress(), bonds: self.store.load())
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
            switches.close()
            socket = nil
            events.removeAll()
        case .advertise(let advertisements): perform(adapter.advertise(advertisements, at: now), at: now)
        case .notify(let id, let value):
            clients.notify(id, value)
            turnClients(at: now)
        case .disconnect(let client): events.append(contentsOf: clients.disconnect(client))
        case .removeBond(let address): perform(adapter.removeBond(address, at: now), at: now)
        }
        keepMemories()
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
        do throws(BluetoothObstacle) {
            if socket == nil { socket = try ManagementSocket() }
            perform(adapter.start(configuration, at: now), at: now)
        } catch {
            events.append(.unavailable(error.explanation))
        }
    }

    private func turn(at now: Instant) {
        receive(at: now)
        if switches.haveChanged() { perform(adapter.switchesChanged(at: now), at: now) }
        perform(adapter.advance(to: now), at: now)
        turnClients(at: now)
    }

    private func turnClients(at now: Instant) {
        isAnswering = true
        events.append(contentsOf: clients.turn(for: answerer, recall: adapter.memory(of:), at: now))
        isAnswering = false
        keepMemories()
        let requests = postponed
        postponed.removeAll(keepingCapacity: true)
        for request in requests { perform(request, at: now) }
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

    /// Without its socket there is nothing to wait for.
    private func lose(_ obstacle: BluetoothObstacle, at now: Instant) {
        perform(adapter.stop(at: now), at: now)
        socket = nil
        events.append(.unavailable(obstacle.explanation))
    }

    private func perform(_ actions: [Adapter.Action], at now: Instant) {
        for action in actions {
            switch action {
            case .send(let command): send(command, at: now)
            case .survey(let controller): perform(adapter.surveyed(survey(controller), at: now), at: now)
            case .listen(let address, let isRandom):
                // What was to follow was meant for a controller that takes connections.
                guard listen(address, isRandom, at: now) else { return }
            case .close: events.append(contentsOf: clients.close())
            case .tell(let event): events.append(event)
            case .keep(let bond):
                store.keep(bond)
                clients.setBonded(bond.address, true)
            case .forget(let address):
                store.forget(address)
                clients.setBonded(address, false)
            case .rename(let old, let new): clients.rename(old, new)
            }
        }
    }

    /// A command that the kernel does not even take is one that it refuses; a socket that is gone is noticed when it
    /// is read.
    private func send(_ command: ManagementCommand, at now: Instant) {
        var command = command
        defer { command.erase() }
        guard let socket, !socket.send(command) else { return }
        perform(
            adapter.receive(
                ManagementMessage(index: command.index, event: .answer(command.opcode, .failed, [])), at: now),
            at: now)
    }

    private func listen(_ address: MACAddress?, _ isRandom: Bool, at now: Instant) -> Bool {
        do throws(BluetoothObstacle) {
            try clients.listen(at: address, isRandom: isRandom)
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
            hasDaemon: SharedBluetooth.isDaemonRunning(), block: block, watchesSwitches: watches,
            mayAdminister: shim_may_administer_networks() == 1)
    }
}
