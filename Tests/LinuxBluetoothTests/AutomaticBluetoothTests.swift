import BluetoothLE
import Ports
import Simulation
import Testing
import Wire

@testable import LinuxBluetooth

/// The choice between two ways of a few lines, in virtual time.
struct AutomaticBluetoothTests {
    static let configuration = BluetoothConfiguration(name: "Drone", pairing: .passkey, services: [])
    static let advertisement = BluetoothAdvertisement(data: [2, 10, 4], scanResponse: [], interval: 100)
    static let address = BluetoothAddress(MACAddress(rawValue: 0xaabb_cc00_0001), isRandom: false)
    static let ready = BluetoothEvent.ready(address)

    /// A way that says what it is told to say.
    final class FakeWay: BluetoothWay {
        var answerer: (any GATTAnswerer)?
        var objection: String?
        /// What it says against itself when it is started.
        var objectionAtStart: String?
        var events: [BluetoothEvent] = []
        var isRunning = false
        var advertised: [BluetoothAdvertisement] = []
        var requests: [String] = []
        var mayPair = false
        /// Why it cannot forget.
        var lock: StoreError?
        var deadline: Instant?
        let bonds: [BluetoothAddress] = []
        func addDescriptors(to set: inout DescriptorSet) {}

        func perform(_ request: BluetoothRequest, at now: Instant) {
            switch request {
            case .start(let configuration):
                requests.append("start \(configuration.name)")
                isRunning = true
                mayPair = false
                objection = objectionAtStart
            case .stop:
                requests.append("stop")
                isRunning = false
                advertised = []
                objection = nil
            case .advertise(let wanted): advertised = wanted
            case .notify: requests.append("notify")
            case .disconnectStrangers: requests.append("disconnectStrangers")
            case .allowPairing(let given): mayPair = given != nil
            }
        }

        func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {
            requests.append("removeBond")
            if let lock { throw lock }
        }

        func nextEvent(at now: Instant) -> BluetoothEvent? { events.isEmpty ? nil : events.removeFirst() }
    }

    final class Bench {
        let kernel = FakeWay()
        let shared = FakeWay()
        let journal = RecordedJournal()
        var runsDaemon = false
        var looks = 0
        var now = Instant(microseconds: 1_000_000)
        var bluetooth: AutomaticBluetooth!

        init() {
            bluetooth = AutomaticBluetooth(
                kernel: kernel, shared: shared,
                runsDaemon: { [unowned self] in
                    looks += 1
                    return runsDaemon
                }, journal: journal)
        }

        func perform(_ request: BluetoothRequest) { bluetooth.perform(request, at: now) }

        func start() {
            perform(.start(AutomaticBluetoothTests.configuration))
            perform(.advertise([AutomaticBluetoothTests.advertisement]))
        }

        /// The kernel has looked, and found bluetoothd.
        func startDaemon() {
            runsDaemon = true
            kernel.objection = "bluetoothd runs"
        }

        func take() -> [BluetoothEvent] {
            var events: [BluetoothEvent] = []
            while let event = bluetooth.nextEvent(at: now) { events.append(event) }
            return events
        }

        /// On to the next deadline. How many seconds that was.
        func wait() -> UInt64? {
            guard let deadline = bluetooth.deadline else { return nil }
            defer { now = max(now, deadline) }
            return deadline.microseconds(since: now) / 1_000_000
        }

        var isKernelAlone: Bool { kernel.isRunning && !shared.isRunning }
        var isSharedAlone: Bool { shared.isRunning && !kernel.isRunning }
        var lines: [String] { journal.entries.map(\.line) }
    }

    @Test func `without a daemon it is the kernel's, said once, and nothing wakes it`() {
        let bench = Bench()
        bench.start()
        #expect(bench.take().isEmpty && bench.lines.isEmpty && bench.isKernelAlone)
        bench.kernel.events = [Self.ready]
        #expect(bench.take() == [Self.ready])
        bench.kernel.events = [.unavailable("blocked"), Self.ready]
        #expect(bench.take() == [.unavailable("blocked"), Self.ready])
        #expect(bench.lines.count == 1)
        #expect(bench.lines[0].hasPrefix("Bluetooth over the kernel: bluetoothd does not run; phones that"))
        #expect(bench.bluetooth.deadline == nil && bench.looks == 0)
    }

    @Test func `a daemon that is there is used from the beginning`() {
        let bench = Bench()
        bench.kernel.objectionAtStart = "bluetoothd runs"
        bench.runsDaemon = true
        bench.start()
        #expect(bench.take().isEmpty && bench.isSharedAlone)
        #expect(bench.shared.requests == ["start Drone"])
        #expect(bench.shared.advertised == [Self.advertisement])
        bench.shared.events = [Self.ready]
        #expect(bench.take() == [Self.ready])
        #expect(bench.lines.count == 1 && bench.lines[0].hasPrefix("Bluetooth over bluetoothd, which runs"))
        #expect(bench.bluetooth.deadline == nil)
    }

    @Test func `when a daemon starts, everything over the kernel ends before the other way begins`() {
        let bench = Bench()
        bench.start()
        bench.kernel.events = [Self.ready]
        _ = bench.take()
        bench.kernel.events = [.passkeyOver, .disconnected(client: 1), .unavailable("another program")]
        bench.startDaemon()
        #expect(bench.bluetooth.deadline == Instant(microseconds: 0))
        #expect(bench.bluetooth.nextEvent(at: bench.now) == .passkeyOver)
        #expect(bench.isKernelAlone)
        #expect(bench.take() == [.disconnected(client: 1), .unavailable("another program")])
        #expect(bench.isSharedAlone && bench.shared.advertised == [Self.advertisement])
        bench.shared.events = [Self.ready]
        #expect(bench.take() == [Self.ready])
    }

    /// Over bluetoothd, which is on the bus.
    func makeShared() -> Bench {
        let bench = Bench()
        bench.kernel.objectionAtStart = "bluetoothd runs"
        bench.runsDaemon = true
        bench.start()
        _ = bench.take()
        bench.shared.events = [Self.ready]
        _ = bench.take()
        bench.kernel.objectionAtStart = nil
        return bench
    }

    @Test func `a daemon that ends for good leaves it to the kernel after a grace`() {
        let bench = makeShared()
        bench.runsDaemon = false
        bench.shared.objection = "it is gone"
        bench.shared.events = [.disconnected(client: 1), .unavailable("whatever")]
        #expect(bench.take() == [.disconnected(client: 1), .unavailable("it is gone")])
        #expect(bench.isSharedAlone && bench.looks == 0)
        #expect(bench.wait() == 5)
        #expect(bench.take().isEmpty && bench.isKernelAlone && bench.looks == 1)
        #expect(bench.kernel.advertised == [Self.advertisement])
        bench.kernel.events = [Self.ready]
        #expect(bench.take() == [Self.ready])
        #expect(bench.lines.count == 2 && bench.lines[1].hasPrefix("Bluetooth over the kernel"))
        #expect(bench.bluetooth.deadline == nil)
    }

    @Test func `a daemon that is restarted keeps it`() {
        let bench = makeShared()
        bench.shared.objection = "it is gone"
        bench.shared.events = [.unavailable("whatever")]
        #expect(bench.take() == [.unavailable("it is gone")])
        bench.now = bench.now + .seconds(1)
        bench.shared.objection = nil
        bench.shared.events = [Self.ready]
        #expect(bench.take() == [Self.ready])
        #expect(bench.bluetooth.deadline == nil && bench.isSharedAlone && bench.looks == 0)
        #expect(bench.lines.count == 1)
        // Its next end has a grace of its own.
        bench.shared.objection = "it is gone"
        _ = bench.take()
        #expect(bench.wait() == 5)
    }

    @Test func `a daemon that comes and goes all the time is followed, one way at a time`() {
        let bench = makeShared()
        for round in 0..<20 {
            bench.runsDaemon = false
            bench.shared.objection = "it is gone"
            bench.shared.events = [.unavailable("whatever")]
            #expect(bench.take() == [.unavailable("it is gone")])
            #expect(bench.wait() == 5)
            bench.kernel.objectionAtStart = "bluetoothd runs"
            // It is back when that is looked at, or only when the kernel looks.
            bench.runsDaemon = round.isMultiple(of: 2)
            #expect(bench.take().allSatisfy { if case .unavailable = $0 { true } else { false } })
            #expect(bench.isSharedAlone)
            bench.shared.objection = nil
            bench.shared.events = [Self.ready]
            #expect(bench.take() == [Self.ready])
        }
        #expect(bench.bluetooth.deadline == nil)
    }

    @Test func `a daemon back between the two looks is used, and nothing goes in circles`() {
        let bench = makeShared()
        bench.runsDaemon = false
        bench.shared.objection = "it is gone"
        _ = bench.take()
        _ = bench.wait()
        bench.kernel.objectionAtStart = "bluetoothd runs"
        bench.shared.objectionAtStart = "it is not there yet"
        #expect(bench.take().isEmpty)
        #expect(bench.isSharedAlone)
        #expect(bench.wait() == 5)
    }

    @Test func `a daemon out of reach is named with what helps, and tried again`() {
        let bench = Bench()
        bench.kernel.objectionAtStart = "bluetoothd runs"
        bench.runsDaemon = true
        bench.shared.objectionAtStart = "no message bus"
        bench.start()
        bench.shared.events = []
        #expect(bench.take().isEmpty)
        bench.shared.events = [.unavailable("no message bus")]
        #expect(bench.take() == [.unavailable("no message bus")])
        #expect(bench.wait() == 5)
        let told = BluetoothEvent.unavailable(
            "no message bus, though bluetoothd runs (use = exclusive in [bluetooth] does without it)")
        #expect(bench.take() == [told])
        // Told once, however often it is tried.
        bench.shared.events = [.unavailable("no message bus")]
        #expect(bench.take().isEmpty)
        for _ in 0..<3 {
            #expect(bench.wait() == 30)
            #expect(bench.take().isEmpty)
        }
        bench.shared.objection = nil
        bench.shared.events = [Self.ready]
        #expect(bench.take() == [Self.ready] && bench.bluetooth.deadline == nil)
    }

    @Test func `who may pair may so in the other way too`() {
        let bench = Bench()
        bench.start()
        bench.perform(.allowPairing(since: bench.now))
        #expect(bench.kernel.mayPair && !bench.shared.mayPair)
        bench.startDaemon()
        _ = bench.take()
        #expect(bench.isSharedAlone && bench.shared.mayPair)
    }

    @Test func `requests go to the way in use, and a bond is forgotten in both`() throws {
        let bench = Bench()
        try bench.bluetooth.removeBond(Self.address, at: bench.now)
        bench.start()
        bench.perform(.notify(.init(1), [1]))
        bench.startDaemon()
        _ = bench.take()
        bench.perform(.disconnectStrangers)
        bench.kernel.lock = StoreError("read-only")
        #expect(throws: StoreError("read-only")) {
            try bench.bluetooth.removeBond(Self.address, at: bench.now)
        }
        bench.perform(.start(BluetoothConfiguration(name: "Other", pairing: .none, services: [])))
        bench.perform(.advertise([]))
        #expect(
            bench.kernel.requests == ["removeBond", "start Drone", "notify", "stop", "removeBond"])
        #expect(
            bench.shared.requests == [
                "removeBond", "start Drone", "disconnectStrangers", "removeBond", "start Other",
            ])
        #expect(bench.shared.advertised.isEmpty)
        bench.shared.objection = "it is gone"
        bench.runsDaemon = false
        _ = bench.take()
        _ = bench.wait()
        _ = bench.take()
        #expect(bench.kernel.requests.last == "start Other" && bench.isKernelAlone)
        bench.perform(.stop)
        #expect(!bench.kernel.isRunning && bench.bluetooth.deadline == nil)
        // It begins with the kernel again, which looks.
        bench.perform(.start(Self.configuration))
        #expect(bench.isKernelAlone && bench.take().isEmpty)
    }
}
