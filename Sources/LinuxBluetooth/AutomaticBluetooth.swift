public import Ports
import SystemBus
public import Wire

/// One of the two ways to Bluetooth, of which only one is right at a time.
protocol BluetoothWay: Bluetooth {
    /// Why this seems not to be the right one. Nil while it does.
    var objection: String? { get }
}

extension LinuxBluetooth: BluetoothWay {}
extension SharedBluetooth: BluetoothWay {}

/// Bluetooth over bluetoothd while that runs, and over the kernel's own sockets while it doesn't.
///
/// It begins over the kernel, which looks whether bluetoothd runs before it takes the controller, and leaves it alone
/// then. Once it has the controller it notices bluetoothd by what that takes away, or when there is something new to
/// advertise. That bluetoothd ends is told by the message bus. So nothing wakes it.
///
/// Bonds are those of the way in which they were made; they are forgotten in both.
///
/// Legal transitions: off → kernel ⇄ shared, and from both to off.
public final class AutomaticBluetooth: Bluetooth {
    private enum State {
        case off
        /// Whether it was said that this way is used.
        case kernel(isTold: Bool)
        /// Nil while bluetoothd is on the bus.
        case shared(missing: Missing?)
    }

    /// bluetoothd, while it is not on the bus.
    private struct Missing {
        /// When to look whether it runs.
        var look: Instant
        /// Whether it did when that was looked at.
        var isRunning = false
    }

    /// So long bluetoothd may take to be on the bus, or to be started again.
    static let grace = TimeUnits.seconds(5)
    /// The shared way's clients are counted from here, the kernel's from 1.
    static let firstSharedClient: UInt64 = 1 << 32

    public var answerer: (any GATTAnswerer)? {
        didSet {
            kernel.answerer = answerer
            shared.answerer = answerer
        }
    }

    private let kernel: any BluetoothWay
    private let shared: any BluetoothWay
    private let runsDaemon: () -> Bool
    private let journal: any Journal
    private var state = State.off
    private var configuration = BluetoothConfiguration(name: "", pairing: .none, services: [])
    private var advertisements: [BluetoothAdvertisement] = []
    /// When he let strangers pair.
    private var owner: Instant?
    /// What was told last, so that it is told once.
    private var told: BluetoothEvent?

    /// - Parameter store: keeps the bonds, beside what else is in it.
    public convenience init(store: any Store, journal: any Journal) {
        self.init(
            kernel: LinuxBluetooth(leavesToDaemon: true, store: store, journal: journal),
            shared: SharedBluetooth(firstClient: Self.firstSharedClient, store: store, journal: journal),
            runsDaemon: { daemonRuns(SharedBluetooth.daemon) }, journal: journal)
    }

    init(
        kernel: any BluetoothWay, shared: any BluetoothWay, runsDaemon: @escaping () -> Bool,
        journal: any Journal
    ) {
        self.kernel = kernel
        self.shared = shared
        self.runsDaemon = runsDaemon
        self.journal = journal
    }

    private var way: (any BluetoothWay)? {
        switch state {
        case .off: nil
        case .kernel: kernel
        case .shared: shared
        }
    }

    public var bonds: [BluetoothAddress] { kernel.bonds }

    // MARK: Waiting

    public var deadline: Instant? {
        switch state {
        case .off: return nil
        case .kernel: return kernel.objection == nil ? kernel.deadline : Instant(microseconds: 0)
        case .shared(let missing): return .earliest(missing?.look, shared.deadline)
        }
    }

    public func addDescriptors(to set: inout DescriptorSet) { way?.addDescriptors(to: &set) }

    // MARK: Requests

    public func perform(_ request: BluetoothRequest, at now: Instant) {
        switch request {
        case .start(let wanted):
            configuration = wanted
            told = nil
            if case .off = state { state = .kernel(isTold: false) }
            way?.perform(request, at: now)
        case .stop:
            way?.perform(request, at: now)
            state = .off
            advertisements = []
            owner = nil
        case .advertise(let wanted):
            advertisements = wanted
            way?.perform(request, at: now)
        case .allowPairing(let given):
            owner = given
            way?.perform(request, at: now)
        case .notify, .disconnectStrangers: way?.perform(request, at: now)
        }
    }

    public func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {
        var failure: StoreError?
        for way in [kernel, shared] {
            do throws(StoreError) { try way.removeBond(address, at: now) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    // MARK: Events

    public func nextEvent(at now: Instant) -> BluetoothEvent? {
        while true {
            while let event = way?.nextEvent(at: now) {
                if let news = news(event) { return news }
            }
            switch choose(at: now) {
            case .same: return nil
            case .changed: break
            case .news(let event): return event
            }
        }
    }

    /// What there is to tell of it.
    private func news(_ event: BluetoothEvent) -> BluetoothEvent? {
        switch event {
        case .ready:
            if case .kernel(isTold: false) = state {
                state = .kernel(isTold: true)
                say("Bluetooth over the kernel: bluetoothd does not run")
            }
            return firstTime(event)
        case .unavailable:
            guard case .shared(let missing) = state, let objection = shared.objection else {
                return firstTime(event)
            }
            return firstTime(.unavailable(words(for: objection, missing)))
        case .connected, .disconnected, .passkey, .passkeyOver, .bonded, .pairingFailed: return event
        }
    }

    private func firstTime(_ event: BluetoothEvent) -> BluetoothEvent? {
        guard event != told else { return nil }
        told = event
        return event
    }

    private func words(for objection: String, _ missing: Missing?) -> String {
        guard let missing, missing.isRunning else { return objection }
        return objection + ", though bluetoothd runs (use = exclusive in [bluetooth] does without it)"
    }

    // MARK: The choice

    private enum Outcome {
        case same
        case changed
        case news(BluetoothEvent)
    }

    /// After everything that the way in use had to tell.
    private func choose(at now: Instant) -> Outcome {
        switch state {
        case .off: return .same
        case .kernel:
            guard kernel.objection != nil else { return .same }
            say("Bluetooth over bluetoothd, which runs")
            change(to: .shared(missing: Missing(look: now + Self.grace)), at: now)
            return .changed
        case .shared(let missing):
            guard let objection = shared.objection else {
                state = .shared(missing: nil)
                return .same
            }
            let look = missing?.look ?? now + Self.grace
            guard now >= look else {
                state = .shared(missing: missing ?? Missing(look: look))
                return .same
            }
            guard runsDaemon() else {
                change(to: .kernel(isTold: false), at: now)
                return .changed
            }
            let missing = Missing(look: now + SharedBluetooth.retry, isRunning: true)
            state = .shared(missing: missing)
            guard let news = firstTime(.unavailable(words(for: objection, missing))) else { return .same }
            return .news(news)
        }
    }

    private func say(_ line: String) {
        let bonds =
            configuration.pairing == .passkey ? "; phones that paired while it was otherwise pair anew" : ""
        journal.write(.notice, line + bonds)
    }

    private func change(to new: State, at now: Instant) {
        way?.perform(.stop, at: now)
        state = new
        way?.perform(.start(configuration), at: now)
        way?.perform(.allowPairing(since: owner), at: now)
        way?.perform(.advertise(advertisements), at: now)
    }
}
