import BluetoothLE
import Crypto
import Ports
import Testing
import Wire

@testable import LinuxBluetooth

/// The adapter against a kernel of a few lines that answers everything.
struct AdapterTests {
    static let phone = ManagementTests.phone
    static let own = MACAddress(rawValue: 0xc655_4433_2211)
    static let advertisement = BluetoothAdvertisement(data: [2, 10, 4], scanResponse: [], interval: 100)

    /// Plays the kernel and whoever owns the adapter.
    final class Bench {
        var adapter: Adapter
        var now = Instant(microseconds: 1_000_000)
        var controllers: [UInt16] = [0]
        var supported: ControllerSettings = [
            .powered, .connectable, .bondable, .lowEnergy, .secureConnections, .staticAddress, .classic,
        ]
        var current: ControllerSettings = []
        var mostInstances: UInt8 = 5
        var surroundings = Adapter.Surroundings()
        /// Commands that get this status, or none where it is nil.
        var refusals: [ManagementCommand.Opcode: ManagementStatus?] = [:]
        var commands: [ManagementCommand] = []
        var told: [BluetoothEvent] = []
        var listened: [BluetoothAddress] = []
        var isClosed = false
        var hasLeft = false
        var kept: [BluetoothAddress] = []
        var forgotten: [BluetoothAddress] = []
        var renamed: [BluetoothAddress] = []

        init(leavesToDaemon: Bool = true, bonds: [Bond] = []) {
            adapter = Adapter(leavesToDaemon: leavesToDaemon, staticAddress: AdapterTests.own, bonds: bonds)
        }

        func start(_ pairing: BluetoothConfiguration.Pairing = .passkey) {
            perform(
                adapter.start(
                    BluetoothConfiguration(name: "Drone", pairing: pairing, services: []), at: now))
        }

        func allowPairing(since given: Instant? = Instant(microseconds: 7)) {
            perform(adapter.allowPairing(since: given, at: now))
        }

        func advertise(_ advertisements: [BluetoothAdvertisement] = [AdapterTests.advertisement]) {
            perform(adapter.advertise(advertisements, at: now))
        }

        func say(_ event: ManagementMessage.Event, index: UInt16 = 0) {
            perform(adapter.receive(ManagementMessage(index: index, event: event), at: now))
        }

        /// Lets it wait until something has to be done.
        @discardableResult func wait() -> UInt64 {
            guard let deadline = adapter.deadline else { return 0 }
            let waited = deadline.microseconds(since: now)
            now = max(now, deadline)
            perform(adapter.advance(to: now))
            return waited / 1_000_000
        }

        func perform(_ actions: [Adapter.Action]) {
            for action in actions {
                switch action {
                case .send(let command):
                    commands.append(command)
                    answer(command)
                case .survey: perform(adapter.surveyed(surroundings, at: now))
                case .listen(let address): listened.append(address)
                case .close: isClosed = true
                case .tell(let event): told.append(event)
                case .keep(let bond): kept.append(bond.address)
                case .forget(let address): forgotten.append(address)
                case .rename(_, let address): renamed.append(address)
                case .leave: hasLeft = true
                }
            }
        }

        private func answer(_ command: ManagementCommand) {
            var status = ManagementStatus.success
            if let refusal = refusals[command.opcode] {
                guard let refusal else { return }
                status = refusal
            }
            var octets: [UInt8] = []
            switch command.opcode {
            case .readIndexList:
                octets = [UInt8(controllers.count), 0] + controllers.flatMap { [UInt8($0), 0] }
            case .readInformation:
                octets = [1, 0, 0, 0xcc, 0xbb, 0xaa, 9, 0, 0]
                for settings in [supported, current] {
                    for shift in [0, 8, 16, 24] as [UInt32] {
                        octets.append(UInt8(truncatingIfNeeded: settings.rawValue >> shift))
                    }
                }
            case .readAdvertisingFeatures:
                octets = [0, 0, 0, 0, 31, 31, mostInstances, 0]
            default: break
            }
            say(.answer(command.opcode, status, octets), index: command.index)
        }

        var names: [String] { commands.map { "\($0.name)" } }

        func sent(_ opcode: ManagementCommand.Opcode) -> [ManagementCommand] {
            commands.filter { $0.opcode == opcode }
        }
    }

    // MARK: Bringing it up

    @Test func `a free controller is set up whole, then advertises`() {
        let bench = Bench(bonds: [ManagementTests.bond])
        bench.start()
        #expect(
            bench.commands == [
                .readIndexList(), .readInformation(0),
                .setPowered(0, false),
                .setLowEnergy(0, true), .setClassic(0, false), .allowSecureConnections(0),
                .setBondable(0, false), .setIOCapability(0, .noInputNoOutput),
                .setStaticAddress(0, Self.own),
                .setLocalName(0, "Drone"), .loadLongTermKeys(0, [ManagementTests.bond]),
                .loadIdentityKeys(0, [ManagementTests.bond]), .setConnectable(0, true), .setPowered(0, true),
                .removeAdvertising(0, instance: 0), .readAdvertisingFeatures(0),
            ])
        #expect(bench.told == [.ready(BluetoothAddress(Self.own, isRandom: true))])
        #expect(bench.listened == [BluetoothAddress(Self.own, isRandom: true)])
        bench.commands = []
        bench.advertise()
        #expect(
            bench.commands == [
                .addAdvertisingParameters(0, instance: 5, interval: 100),
                .addAdvertisingData(0, instance: 5, data: [2, 10, 4], scanResponse: []),
            ])
        #expect(bench.adapter.deadline == nil)
    }

    @Test func `who may not pair finds a controller that does not bond`() {
        let bench = Bench()
        bench.start(.none)
        #expect(bench.commands.contains(.setBondable(0, false)))
        #expect(bench.commands.contains(.setIOCapability(0, .noInputNoOutput)))
    }

    @Test func `a controller that a daemon has is left as it is`() {
        let bench = Bench()
        bench.surroundings.hasDaemon = true
        bench.surroundings.mayAdminister = false
        bench.current = [.powered, .lowEnergy, .classic]
        bench.start()
        bench.advertise()
        #expect(bench.commands == [.readIndexList(), .readInformation(0)])
        #expect(bench.hasLeft && bench.told.isEmpty && bench.adapter.deadline == nil)
    }

    @Test func `a daemon gets the controller with its own address and what goes with that`() {
        let bench = Bench()
        bench.surroundings.hasDaemon = true
        bench.current = [.powered, .lowEnergy, .staticAddress]
        bench.start()
        #expect(
            bench.commands.dropFirst(2) == [
                .setPowered(0, false), .setStaticAddress(0, MACAddress(rawValue: 0)), .setClassic(0, true),
                .setPowered(0, true),
            ])
        #expect(bench.hasLeft && bench.listened.isEmpty && bench.adapter.deadline == nil)
    }

    @Test func `a controller that is busy with its daemon is given back a little later`() {
        let bench = Bench()
        bench.surroundings.hasDaemon = true
        bench.current = [.powered, .lowEnergy, .staticAddress]
        bench.refusals[.setPowered] = .busy
        bench.start()
        #expect(!bench.hasLeft)
        bench.refusals = [.setPowered: .permissionDenied]
        #expect(bench.wait() == 1)
        #expect(bench.hasLeft)
    }

    @Test func `a controller that goes while it is given back, or says nothing, is left all the same`() {
        for isGone in [false, true] {
            let bench = Bench()
            bench.surroundings.hasDaemon = true
            bench.current = [.powered, .lowEnergy, .staticAddress]
            bench.refusals[.setStaticAddress] = .some(nil)
            bench.start()
            #expect(!bench.hasLeft)
            if isGone { bench.say(.controllerRemoved) } else { bench.wait() }
            #expect(bench.hasLeft && bench.adapter.deadline == nil)
        }
    }

    @Test func `where it is ours alone a daemon does not matter, nor get the clients for long`() {
        let bench = Bench(leavesToDaemon: false)
        bench.surroundings.hasDaemon = true
        bench.start()
        #expect(bench.commands.contains(.setPowered(0, false)))
        #expect(bench.listened.count == 1)
        #expect(bench.wait() == 2)
        #expect(9...10 ~= bench.wait())
        #expect(bench.listened.count == 3)
        #expect(bench.adapter.deadline == nil)
        bench.advertise()
        #expect(bench.listened.count == 4 && bench.sent(.addAdvertisingData).count == 1)
    }

    @Test func `a controller without Bluetooth LE is passed over`() {
        let bench = Bench()
        bench.supported = [.powered, .classic]
        bench.controllers = [0, 1]
        bench.start()
        #expect(bench.sent(.readInformation).count == 2)
        #expect(bench.told == [.unavailable("there is no Bluetooth controller")])
        #expect(bench.adapter.deadline == nil)
    }

    @Test func `without the right to it, it says so and rests`() {
        let bench = Bench()
        bench.surroundings.mayAdminister = false
        bench.start()
        #expect(
            bench.told == [.unavailable("this program may not use Bluetooth: it lacks CAP_NET_ADMIN")])
        #expect(bench.adapter.deadline == nil)
        #expect(bench.commands.count == 2)
    }

    // MARK: What goes wrong

    @Test func `refusals are tried again, later each time`() {
        let bench = Bench()
        bench.refusals[.setPowered] = .failed
        bench.start()
        var pauses: [UInt64] = []
        for _ in 0..<9 { pauses.append(bench.wait()) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 64, 64])
        #expect(
            bench.told == [.unavailable("the Bluetooth controller refuses to power off: it failed")])
        bench.refusals = [:]
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
    }

    @Test(arguments: [
        ManagementCommand.Opcode.readIndexList, .readInformation, .setPowered, .setLowEnergy, .setConnectable,
        .readAdvertisingFeatures, .addAdvertisingParameters, .addAdvertisingData,
    ])
    func `a kernel that does not answer is asked again`(opcode: ManagementCommand.Opcode) {
        let bench = Bench()
        bench.refusals[opcode] = .some(nil)
        bench.advertise()
        bench.start()
        #expect(bench.wait() == 20)
        guard case .unavailable = bench.told.last else {
            Issue.record("it said nothing")
            return
        }
        bench.refusals = [:]
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
        #expect(bench.sent(.addAdvertisingData).count >= 1)
    }

    @Test func `what can be done without may be refused`() {
        let bench = Bench()
        for opcode in [
            ManagementCommand.Opcode.removeAdvertising, .setLocalName, .loadLongTermKeys, .loadIdentityKeys,
        ] { bench.refusals[opcode] = .rejected }
        bench.start()
        #expect(bench.told == [.ready(BluetoothAddress(Self.own, isRandom: true))])
    }

    @Test func `answers that make no sense end the attempt`() {
        let bench = Bench()
        bench.refusals[.readIndexList] = .some(nil)
        bench.start()
        bench.say(.answer(.readIndexList, .success, [9]), index: ManagementCommand.noIndex)
        guard case .unavailable = bench.told.last, bench.adapter.deadline != nil else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `an answer that nobody asked for changes nothing`() {
        let bench = Bench()
        bench.start()
        bench.commands = []
        bench.say(.answer(.setPowered, .failed, []))
        bench.say(.answer(.readIndexList, .success, [0, 0]), index: ManagementCommand.noIndex)
        #expect(bench.commands.isEmpty && bench.told.count == 1)
    }

    // MARK: What others take away

    @Test func `after a daemon has started it listens and advertises again where it is ours alone`() {
        let bench = Bench(leavesToDaemon: false)
        bench.start()
        bench.advertise()
        let listeners = bench.listened.count
        bench.surroundings.hasDaemon = true
        bench.current = [.powered, .lowEnergy, .staticAddress]
        bench.say(.advertisingRemoved(5))
        #expect(
            bench.told.last == .unavailable("another program took the Bluetooth advertisement away"))
        #expect(bench.wait() == 1)
        #expect(bench.sent(.addAdvertisingData).count == 2)
        #expect(bench.listened.count == listeners + 1)
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
        #expect(!bench.isClosed && !bench.hasLeft)
    }

    @Test func `a daemon that takes the advertisement away gets the controller`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.say(.passkey(Self.phone, 0))
        bench.surroundings.hasDaemon = true
        bench.current = [.powered, .lowEnergy, .staticAddress]
        bench.say(.advertisingRemoved(5))
        #expect(bench.told.contains(.passkeyOver))
        bench.commands = []
        #expect(bench.wait() == 1)
        #expect(bench.commands.dropFirst(2).first == .setPowered(0, false))
        #expect(bench.isClosed && bench.hasLeft && bench.adapter.deadline == nil)
    }

    @Test func `a daemon that has started unnoticed gets it when there is something to advertise`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.surroundings.hasDaemon = true
        bench.commands = []
        bench.advertise([])
        #expect(!bench.hasLeft)
        bench.say(.passkey(Self.phone, 0))
        bench.advertise()
        #expect(
            bench.commands == [.removeAdvertising(0, instance: 5), .readIndexList(), .readInformation(0)])
        #expect(bench.isClosed && bench.hasLeft)
        #expect(bench.told.suffix(2) == [.passkeyOver, .unavailable("bluetoothd has started")])
    }

    @Test(arguments: [
        ManagementMessage.Event.settings([.powered, .lowEnergy, .bondable]),
        .nameChanged,
    ])
    func `a daemon that only changes something gets the controller too`(event: ManagementMessage.Event) {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.say(event, index: 1)
        bench.say(event)
        #expect(!bench.hasLeft && bench.told.count == 1 && bench.adapter.deadline == nil)
        bench.surroundings.hasDaemon = true
        bench.say(event)
        #expect(bench.hasLeft && bench.isClosed)
    }

    @Test func `what others advertise is theirs`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.say(.advertisingRemoved(1))
        bench.say(.advertisingRemoved(5), index: 1)
        #expect(bench.told.count == 1 && bench.adapter.deadline == nil)
    }

    @Test func `a switch that is thrown is waited for without waking`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.surroundings.block = "blocked"
        bench.say(.settings([.lowEnergy]))
        bench.wait()
        #expect(bench.told.last == .unavailable("blocked"))
        #expect(bench.adapter.deadline == nil)
        bench.surroundings.block = nil
        bench.perform(bench.adapter.switchesChanged(at: bench.now))
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
        #expect(bench.sent(.addAdvertisingData).count == 2)
    }

    @Test func `a switch that cannot be watched is looked at now and then`() {
        let bench = Bench()
        bench.surroundings.block = "blocked"
        bench.surroundings.watchesSwitches = false
        bench.start()
        #expect(bench.wait() == 30)
        #expect(bench.wait() == 30)
        bench.surroundings.block = nil
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
    }

    @Test func `a plug is pulled and put back`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.controllers = []
        bench.say(.controllerRemoved)
        #expect(bench.told.suffix(2).first == .unavailable("the Bluetooth controller is gone"))
        #expect(bench.adapter.deadline == nil)
        bench.controllers = [0]
        bench.say(.controllerAdded)
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
        #expect(bench.sent(.addAdvertisingData).count == 2)
    }

    @Test func `no controller yet, then there is one`() {
        let bench = Bench()
        bench.controllers = []
        bench.start()
        #expect(bench.told == [.unavailable("there is no Bluetooth controller")])
        bench.controllers = [3]
        bench.say(.controllerAdded, index: 3)
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
    }

    @Test func `a controller that cannot be read is said to be so, and read again`() {
        let bench = Bench()
        bench.refusals[.readInformation] = .failed
        bench.start()
        var pauses: [UInt64] = []
        for _ in 0..<8 { pauses.append(bench.wait()) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 64])
        #expect(
            bench.told == [
                .unavailable("the Bluetooth controller refuses to read what it can do: it failed")
            ])
        bench.refusals = [:]
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
    }

    @Test func `a controller that goes while it is read is no controller`() {
        let bench = Bench()
        bench.refusals[.readInformation] = .invalidIndex
        bench.start()
        #expect(bench.told == [.unavailable("there is no Bluetooth controller")])
        #expect(bench.adapter.deadline == nil)
    }

    @Test func `of two controllers the one that can be read is used`() {
        let bench = Bench()
        bench.controllers = [0, 1]
        bench.refusals[.readInformation] = .some(nil)
        bench.start()
        bench.refusals = [:]
        bench.say(.answer(.readInformation, .failed, []))
        #expect(bench.told == [.ready(BluetoothAddress(Self.own, isRandom: true))])
        #expect(bench.adapter.controller == 1)
    }

    @Test func `one that cannot be used does not keep a new one waiting`() {
        let bench = Bench()
        bench.refusals[.readInformation] = .failed
        bench.start()
        for _ in 0..<6 { bench.wait() }
        bench.say(.controllerAdded, index: 1)
        #expect(bench.wait() == 1)
    }

    // MARK: Advertisements

    @Test func `a controller that comes while another is read is not missed`() {
        let bench = Bench()
        bench.refusals[.readInformation] = .some(nil)
        bench.start()
        bench.say(.controllerAdded, index: 1)
        bench.refusals = [:]
        bench.say(.answer(.readInformation, .failed, []))
        bench.wait()
        #expect(bench.told.last == .ready(BluetoothAddress(Self.own, isRandom: true)))
    }

    @Test func `advertisements change while earlier ones are under way`() {
        let bench = Bench()
        bench.start()
        bench.refusals[.addAdvertisingParameters] = .some(nil)
        bench.advertise()
        let other = BluetoothAdvertisement(data: [1, 1], scanResponse: [], interval: 500)
        bench.advertise([other, Self.advertisement])
        bench.refusals = [:]
        bench.commands = []
        bench.say(.answer(.addAdvertisingParameters, .success, []))
        #expect(
            bench.commands == [
                .removeAdvertising(0, instance: 5),
                .addAdvertisingParameters(0, instance: 5, interval: 500),
                .addAdvertisingData(0, instance: 5, data: [1, 1], scanResponse: []),
                .addAdvertisingParameters(0, instance: 4, interval: 100),
                .addAdvertisingData(0, instance: 4, data: [2, 10, 4], scanResponse: []),
            ])
        bench.commands = []
        bench.advertise([])
        #expect(
            bench.commands == [
                .removeAdvertising(0, instance: 5), .removeAdvertising(0, instance: 4),
            ])
    }

    @Test func `while somebody is connected others can find it`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.commands = []
        bench.say(.connected(Self.phone))
        #expect(bench.names == ["remove an advertisement", "advertise", "advertise"])
        bench.commands = []
        bench.say(.disconnected(Self.phone))
        #expect(bench.names == ["remove an advertisement", "advertise", "advertise"], "and after him")
    }

    @Test func `a controller that serves one alone advertises again after him`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.refusals[.addAdvertisingData] = .rejected
        bench.say(.connected(Self.phone))
        #expect(bench.told.count == 1)
        bench.refusals = [:]
        bench.commands = []
        bench.say(.disconnected(Self.phone))
        #expect(bench.names == ["remove an advertisement", "advertise", "advertise"])
    }

    @Test func `what is to go goes though somebody connects meanwhile`() {
        let bench = Bench()
        bench.start()
        let second = BluetoothAdvertisement(data: [2, 10, 5], scanResponse: [], interval: 100)
        bench.advertise([Self.advertisement, second])
        bench.refusals[.removeAdvertising] = .some(nil)
        bench.commands = []
        bench.advertise([])
        bench.say(.connected(Self.phone))
        bench.refusals = [:]
        bench.say(.answer(.removeAdvertising, .success, []))
        #expect(bench.commands == [.removeAdvertising(0, instance: 5), .removeAdvertising(0, instance: 4)])
    }

    @Test func `a refusal because somebody has connected meanwhile does no harm`() {
        let bench = Bench()
        bench.start()
        bench.refusals[.addAdvertisingData] = .some(nil)
        bench.advertise()
        bench.refusals[.addAdvertisingData] = .rejected
        bench.say(.connected(Self.phone))
        bench.say(.answer(.addAdvertisingData, .rejected, []))
        #expect(bench.told.count == 1)
        bench.refusals = [:]
        bench.commands = []
        bench.say(.disconnected(Self.phone))
        #expect(bench.sent(.addAdvertisingData).count == 1 && bench.sent(.setPowered).isEmpty)
    }

    @Test func `at its end nothing of it stays on the air`() {
        let bench = Bench()
        bench.start()
        bench.advertise()
        bench.commands = []
        bench.perform(bench.adapter.stop(at: bench.now))
        #expect(bench.commands == [.removeAdvertising(0, instance: 5)])
        #expect(bench.isClosed && bench.adapter.deadline == nil)
        bench.say(.controllerAdded)
        bench.say(.advertisingRemoved(5))
        #expect(bench.commands.count == 1)
    }

    // MARK: Pairing

    static let key = ManagementTests.bond.key
    static let resolvable = MACAddress(rawValue: 0x4605_0403_0201)

    @Test func `a passkey is shown until the phone has bonded`() {
        let bench = Bench()
        bench.start()
        let changing = BluetoothAddress(Self.resolvable, isRandom: true)
        bench.say(.passkey(changing, 1_234))
        #expect(bench.told.last == .passkey([0, 0, 1, 2, 3, 4]))
        bench.say(
            .newIdentityKey(
                isToBeKept: true, resolvable: Self.resolvable, Self.phone, Key(Secret([UInt8](0...15)))))
        #expect(bench.renamed == [Self.phone])
        bench.say(.newLongTermKey(isToBeKept: true, Self.phone, Self.key))
        #expect(bench.told.suffix(2) == [.bonded(Self.phone), .passkeyOver])
        #expect(bench.kept == [Self.phone])
        #expect(bench.adapter.bonds.count == 1 && bench.adapter.bonds[0].identityKey != nil)
    }

    @Test func `a wrong passkey is told of, and no bond made`() {
        let bench = Bench()
        bench.start()
        bench.say(.passkey(Self.phone, 0))
        bench.say(.authenticationFailed(Self.phone, .authenticationFailed))
        #expect(
            bench.told.suffix(2) == [.passkeyOver, .pairingFailed(Self.phone, reason: "wrong passkey")])
        #expect(bench.kept.isEmpty)
    }

    @Test func `who leaves while it pairs, ends it`() {
        let bench = Bench()
        bench.start()
        bench.say(.passkey(Self.phone, 0))
        bench.say(.disconnected(BluetoothAddress(Self.own, isRandom: true)))
        #expect(bench.told.last == .passkey([0, 0, 0, 0, 0, 0]))
        bench.say(.disconnected(Self.phone))
        #expect(bench.told.last == .passkeyOver)
        bench.say(.passkey(Self.phone, 0))
        bench.say(.controllerRemoved)
        #expect(bench.told.contains(.passkeyOver))
    }

    @Test func `a key that is not to be kept is not`() {
        let bench = Bench()
        bench.start()
        bench.say(.newLongTermKey(isToBeKept: false, Self.phone, Self.key))
        bench.say(.newLongTermKey(isToBeKept: true, Self.phone, Self.key), index: 1)
        #expect(bench.kept.isEmpty)
    }

    @Test func `a key that proves nothing, or that a listener knows, is no bond`() {
        for (kind, size) in [(0, 16), (1, 16), (2, 16), (4, 16), (3, 7)] as [(UInt8, UInt8)] {
            let bench = Bench()
            bench.start()
            bench.allowPairing()
            bench.commands = []
            var key = Self.key
            key.kind = kind
            key.size = size
            bench.say(.newLongTermKey(isToBeKept: true, Self.phone, key))
            #expect(bench.kept.isEmpty && bench.commands == [.unpair(0, Self.phone)])
        }
    }

    @Test func `a refused key leaves the bond of a phone whose address it came with`() {
        let bench = Bench(bonds: [ManagementTests.bond])
        bench.start()
        bench.allowPairing()
        bench.commands = []
        bench.say(.newLongTermKey(isToBeKept: false, Self.phone, Self.key))
        #expect(
            bench.commands == [
                .unpair(0, Self.phone), .loadLongTermKeys(0, [ManagementTests.bond]),
                .loadIdentityKeys(0, [ManagementTests.bond]),
            ])
        #expect(bench.adapter.bonds.count == 1 && bench.forgotten.isEmpty)
    }

    @Test func `nobody compares numbers on a board`() {
        let bench = Bench()
        bench.start()
        bench.commands = []
        bench.say(.confirmation(Self.phone))
        #expect(bench.commands == [.refuseConfirmation(0, Self.phone)])
    }

    static let closing: [ManagementCommand] = [
        .setBondable(0, false), .setIOCapability(0, .noInputNoOutput),
    ]
    static let opening: [ManagementCommand] = [.setBondable(0, true), .setIOCapability(0, .displayOnly)]

    @Test func `phones pair while the owner lets them only`() {
        let bench = Bench()
        bench.start()
        bench.commands = []
        bench.allowPairing()
        bench.allowPairing()
        #expect(bench.commands == Self.opening)
        bench.commands = []
        bench.allowPairing(since: nil)
        #expect(bench.commands == Self.closing)
    }

    @Test func `where nobody may pair over Bluetooth the owner's word changes nothing`() {
        let bench = Bench()
        bench.start(.none)
        bench.commands = []
        bench.allowPairing()
        #expect(bench.commands.isEmpty)
    }

    @Test func `who fails has to connect anew, and too many end it until the owner speaks again`() {
        let bench = Bench()
        bench.start()
        bench.allowPairing()
        for attempt in 1...PairingAdmission.mostFailures {
            bench.commands = []
            bench.say(.passkey(Self.phone, 0))
            bench.say(.authenticationFailed(Self.phone, .authenticationFailed))
            let isLast = attempt == PairingAdmission.mostFailures
            #expect(bench.commands == [.disconnect(0, Self.phone)] + (isLast ? Self.closing : []))
            guard case .pairingFailed(_, let reason)? = bench.told.last else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(reason == "wrong passkey" || isLast && reason.hasPrefix("wrong passkey, too often"))
        }
        bench.commands = []
        bench.allowPairing()
        #expect(bench.commands.isEmpty, "the same word")
        bench.allowPairing(since: bench.now)
        #expect(bench.commands == Self.opening)
    }

    @Test func `a second pairing does not take the first one's passkey off the panel`() {
        let bench = Bench()
        bench.start()
        bench.allowPairing()
        bench.say(.passkey(Self.phone, 123_456))
        bench.commands = []
        let other = BluetoothAddress(MACAddress(rawValue: 0xf1f2_f3f4_f5f6), isRandom: true)
        bench.say(.passkey(other, 1))
        #expect(bench.told.last == .passkey([1, 2, 3, 4, 5, 6]) && bench.commands == [.disconnect(0, other)])
        bench.say(.authenticationFailed(other, .authenticationFailed))
        #expect(!bench.told.contains(.passkeyOver))
    }

    @Test func `a phone that pairs again replaces its bond`() {
        let bench = Bench(bonds: [ManagementTests.bond])
        bench.start()
        bench.say(.newLongTermKey(isToBeKept: true, Self.phone, Self.key))
        #expect(bench.adapter.bonds.count == 1)
        #expect(bench.told.last == .bonded(Self.phone))
    }

    @Test func `what is kept of a client lasts as long as its bond`() {
        let bench = Bench(bonds: [ManagementTests.bond])
        var memory = ClientMemory()
        memory.services = 7
        #expect(bench.adapter.remember(memory, of: Self.phone)?.memory == memory)
        #expect(bench.adapter.remember(memory, of: Self.phone) == nil, "nothing new")
        #expect(bench.adapter.memory(of: Self.phone) == memory)
        bench.start()
        bench.say(.newLongTermKey(isToBeKept: true, Self.phone, Self.key))
        #expect(bench.adapter.memory(of: Self.phone) == ClientMemory())
        bench.say(.unpaired(Self.phone))
        #expect(bench.adapter.memory(of: Self.phone) == nil)
        #expect(bench.adapter.remember(memory, of: Self.phone) == nil)
    }

    @Test func `a bond is forgotten by us, by others, and when there are too many`() {
        let bench = Bench(bonds: [ManagementTests.bond])
        bench.start()
        bench.commands = []
        bench.perform(bench.adapter.removeBond(Self.phone, at: bench.now))
        #expect(bench.commands == [.unpair(0, Self.phone)] && bench.forgotten == [Self.phone])
        bench.say(.newLongTermKey(isToBeKept: true, Self.phone, Self.key))
        bench.say(.unpaired(Self.phone))
        #expect(bench.adapter.bonds.isEmpty && bench.forgotten.count == 2)
        for number in 0...Adapter.mostBonds {
            let address = BluetoothAddress(MACAddress(rawValue: UInt64(number)), isRandom: false)
            bench.say(.newLongTermKey(isToBeKept: true, address, Self.key))
        }
        #expect(bench.adapter.bonds.count == Adapter.mostBonds)
        #expect(bench.forgotten.last?.octets.rawValue == 0)
    }

    // MARK: Everything at any time

    @Test func `every event is survived in every state`() throws {
        let events = try ManagementTests.messages.map {
            try ManagementMessage(parsing: try ManagementTests.octets($0)).event
        }
        let stops: [ManagementCommand.Opcode?] = [
            .readIndexList, .readInformation, .setPowered, .readAdvertisingFeatures, .addAdvertisingData, nil,
        ]
        for stop in stops {
            for block in [nil, "blocked"] {
                for event in events {
                    let bench = Bench()
                    bench.surroundings.block = block
                    if let stop { bench.refusals[stop] = .some(nil) }
                    bench.advertise()
                    bench.start()
                    bench.say(event)
                    bench.say(event, index: 1)
                    bench.refusals = [:]
                    bench.surroundings.block = nil
                    // Whatever that was, it is up within a few waits, or rests where it was told of no change.
                    for _ in 0..<4 { bench.wait() }
                    bench.perform(bench.adapter.switchesChanged(at: bench.now))
                    bench.wait()
                    #expect(
                        bench.told.last { if case .passkeyOver = $0 { false } else { true } } != nil,
                        "stopped at \(String(describing: stop))")
                    #expect(bench.told.contains(.ready(BluetoothAddress(Self.own, isRandom: true))))
                }
            }
        }
    }
}
