import BluetoothLE
public import Ports
import SystemBus
public import Wire

/// Bluetooth that other programs use as well: the services are registered with bluetoothd, over the system's message
/// bus.
///
/// libsystemd is loaded when it starts. A client's protection is what bluetoothd is known to have checked: that of the
/// best protected characteristic that it has used in this connection, or encryption where it has paired. There is no way
/// to know more before that: "Paired" and "Bonded" of a device say that a key is kept, not that its pairing took a
/// passkey, nor that this link uses it, and what is read or written comes without a word on the link.
public final class SharedBluetooth: Bluetooth {
    static let retry = TimeUnits.seconds(30)
    static let daemon = "bluetoothd"
    /// Calls whose answers have not come.
    private static let mostCalls = 256

    /// Legal transitions: off → waiting ⇄ connected, and from both to off.
    private enum State {
        case off
        /// There is no bus; it is tried again then.
        case waiting(BluetoothConfiguration, BusError, until: Instant)
        case connected(SharedPeripheral, SystemBus)
    }

    public var answerer: (any GATTAnswerer)?

    private let busAddress: String
    private let adapter: String?
    private var state = State.off
    private var calls: [UInt64: SharedPurpose] = [:]
    private var events = EventQueue<BluetoothEvent>()
    private var wanted: [BluetoothAdvertisement] = []
    /// When he let strangers pair.
    private var owner: Instant?
    private var forgotten: ForgottenBonds
    private var nextClient: UInt64

    /// - Parameters:
    ///   - adapter: as in `hci0`; nil for the first that bluetoothd has.
    ///   - store: keeps which bonds are still to be forgotten, beside what else is in it.
    public convenience init(adapter: String? = nil, store: any Store, journal: any Journal) {
        self.init(
            adapter: adapter, busAddress: SystemBus.systemAddress, firstClient: 1, store: store,
            journal: journal)
    }

    init(
        adapter: String? = nil, busAddress: String = SystemBus.systemAddress, firstClient: UInt64,
        store: any Store, journal: any Journal
    ) {
        self.adapter = adapter
        self.busAddress = busAddress
        nextClient = firstClient
        forgotten = ForgottenBonds(store: store, journal: journal)
    }

    var objection: String? {
        switch state {
        case .off: nil
        case .waiting(_, let error, _): error.explanation
        case .connected(let peripheral, _):
            switch peripheral.registration {
            case .absent: "bluetoothd is not on the message bus"
            case .seeking: "the message bus does not answer"
            case .surveying, .idle, .registering, .registered: nil
            }
        }
    }

    // MARK: Waiting

    public var deadline: Instant? {
        // Requests cause events too, after the turn's have been taken.
        guard events.isEmpty else { return Instant(microseconds: 0) }
        return switch state {
        case .off: nil
        case .waiting(_, _, let until): until
        case .connected(let peripheral, let bus): Instant.earliest(peripheral.deadline, bus.deadline)
        }
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        if case .connected(_, let bus) = state { bus.addDescriptors(to: &set) }
    }

    public var bonds: [BluetoothAddress] { [] }

    // MARK: Requests

    public func perform(_ request: BluetoothRequest, at now: Instant) {
        switch request {
        case .start(let configuration):
            end(at: now)
            connect(configuration, at: now)
        case .stop: end(at: now)
        case .advertise(let advertisements):
            wanted = advertisements
            act(at: now) { $0.advertise(advertisements, at: now) }
        case .notify(let characteristic, let value): act(at: now) { $0.notify(characteristic, value) }
        case .disconnectStrangers: act(at: now) { $0.disconnectStrangers() }
        case .allowPairing(let given):
            owner = given
            act(at: now) { $0.allowPairing(since: given) }
        }
    }

    public func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {
        var failure: StoreError?
        do throws(StoreError) { try forgotten.add(address) } catch { failure = error }
        act(at: now) { $0.removeBond(address) }
        // bluetoothd that was asked keeps nothing of it.
        if let failure, !forgotten.addresses.isEmpty { throw failure }
    }

    private func connect(_ configuration: BluetoothConfiguration, at now: Instant) {
        do throws(BusError) {
            let bus = try SystemBus(address: busAddress)
            var peripheral = SharedPeripheral(configuration, adapter: adapter)
            peripheral.wanted = wanted
            peripheral.admission.allow(since: owner)
            peripheral.nextClient = nextClient
            peripheral.forgotten = forgotten.addresses
            state = .connected(peripheral, bus)
            act(at: now) { $0.start(at: now) }
        } catch {
            wait(configuration, error, at: now)
        }
    }

    private func wait(_ configuration: BluetoothConfiguration, _ error: BusError, at now: Instant) {
        state = .waiting(configuration, error, until: now + Self.retry)
        calls = [:]
        events.append(.unavailable(error.explanation))
    }

    private func end(at now: Instant) {
        act(at: now) { $0.stop() }
        state = .off
        calls = [:]
        events.removeAll()
        wanted = []
        owner = nil
    }

    // MARK: Events

    public func nextEvent(at now: Instant) -> BluetoothEvent? {
        if events.isEmpty { turn(at: now) }
        return events.next()
    }

    /// Until something has happened, or there is nothing more to read.
    private func turn(at now: Instant) {
        if case .waiting(let configuration, _, let until) = state, now >= until {
            connect(configuration, at: now)
        }
        act(at: now) { $0.advance(to: now) }
        while events.isEmpty, case .connected(let peripheral, let bus) = state {
            do throws(BusError) {
                guard let message = try bus.nextMessage() else { return }
                receive(message, at: now)
            } catch {
                lose(peripheral, error, at: now)
            }
        }
    }

    private func receive(_ message: BusMessage, at now: Instant) {
        switch message.kind {
        case .call: act(at: now) { $0.receive(call: message, at: now) }
        case .signal: act(at: now) { $0.receive(signal: message, at: now) }
        case .answer(let number):
            guard let purpose = calls.removeValue(forKey: number) else { return }
            act(at: now) { $0.receive(.success(message.body), for: purpose, at: now) }
        case .failure(let number, let failure):
            guard let purpose = calls.removeValue(forKey: number) else { return }
            act(at: now) { $0.receive(.failure(failure), for: purpose, at: now) }
        }
    }

    /// Everything of ours went with the bus.
    private func lose(_ peripheral: SharedPeripheral, _ error: BusError, at now: Instant) {
        if peripheral.passkey != nil { events.append(.passkeyOver) }
        for (_, client) in peripheral.clients { events.append(.disconnected(client: client.id)) }
        wait(peripheral.configuration, error, at: now)
    }

    // MARK: Actions

    private func act(at now: Instant, _ change: (inout SharedPeripheral) -> [SharedAction]) {
        guard case .connected(var peripheral, let bus) = state else { return }
        let actions = change(&peripheral)
        state = .connected(peripheral, bus)
        nextClient = peripheral.nextClient
        if case .registered = peripheral.registration { forgotten.removeAll() }
        do throws(BusError) {
            for action in actions { try perform(action, on: bus, at: now) }
        } catch {
            lose(peripheral, error, at: now)
        }
    }

    private func perform(_ action: SharedAction, on bus: SystemBus, at now: Instant) throws(BusError) {
        switch action {
        case .call(let call, let purpose):
            guard calls.count < Self.mostCalls else { throw BusError("bluetoothd answers nothing") }
            calls[try bus.send(call)] = purpose
        case .tell(let properties, let path, let daemon):
            try bus.signal(
                "PropertiesChanged", of: BusNames.properties, at: path, to: daemon,
                [.string(BusNames.characteristic), properties, .array(of: "s", [])])
        case .report(let event): events.append(event)
        case .answer(let body): bus.answer(body)
        case .refuse(let failure): bus.refuse(failure)
        case .read(let characteristic, let client, let offset):
            read(characteristic, by: client, from: offset, on: bus, at: now)
        case .write(let value, let characteristic, let client):
            write(value, to: characteristic, by: client, on: bus, at: now)
        }
    }

    private func read(
        _ characteristic: GATTCharacteristic.ID, by client: BluetoothClient, from offset: Int,
        on bus: SystemBus, at now: Instant
    ) {
        do throws(ATTError) {
            guard let answerer else { throw .unlikely }
            let value = try answerer.read(characteristic, by: client, at: now)
            guard offset <= value.count else { throw .invalidOffset }
            bus.answer([.octets(Array(value.dropFirst(offset)))])
        } catch {
            bus.refuse(BusFailure(error))
        }
    }

    private func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic.ID, by client: BluetoothClient,
        on bus: SystemBus, at now: Instant
    ) {
        do throws(ATTError) {
            guard let answerer else { throw .unlikely }
            try answerer.write(value, to: characteristic, by: client, at: now)
            bus.answer([])
        } catch {
            bus.refuse(BusFailure(error))
        }
    }
}
