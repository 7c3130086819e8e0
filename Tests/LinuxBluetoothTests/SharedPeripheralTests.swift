import BluetoothLE
import Ports
import SystemBus
import Testing
import Wire

@testable import LinuxBluetooth

/// A peripheral on bluetoothd, from its start to everything that can take it away.
struct SharedPeripheralTests {
    static let start = Instant(microseconds: 1_000_000)
    static let statePath = "/awared/services/service1/characteristic0"
    static let controlPath = "/awared/services/service1/characteristic1"
    static let secretPath = "/awared/services/service1/characteristic2"
    static let advertisement = BluetoothAdvertisement(data: [3, 3, 1, 2], scanResponse: [], interval: 100)

    var peripheral = SharedPeripheral(
        BluetoothConfiguration(name: "board", pairing: .passkey, services: ServiceTreeTests.services),
        adapter: nil)
    var now = Self.start

    /// Registered, advertising, with one phone that bluetoothd knows.
    static func registered(isPaired: Bool = false) -> Self {
        var test = Self()
        _ = test.peripheral.advertise([advertisement], at: test.now)
        _ = test.peripheral.receive(.success([.string(FakeDaemon.name)]), for: .findDaemon, at: test.now)
        let objects = FakeDaemon.objects([
            (FakeDaemon.adapter, FakeDaemon.adapterInterfaces()),
            (FakeDaemon.phone, FakeDaemon.phoneInterfaces(isPaired: isPaired)),
        ])
        _ = test.peripheral.receive(.success([objects]), for: .survey, at: test.now)
        _ = test.peripheral.receive(.success([]), for: .registerServices, at: test.now)
        return test
    }

    static func members(_ actions: [SharedAction]) -> [String] {
        actions.compactMap { if case .call(let call, _) = $0 { call.member } else { nil } }
    }

    static func events(_ actions: [SharedAction]) -> [BluetoothEvent] {
        actions.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    // MARK: Registering

    @Test mutating func `services, agent and advertisement are registered once bluetoothd is found`() {
        #expect(Self.members(peripheral.start(at: now)).last == "GetNameOwner")
        #expect(
            peripheral.advertise([Self.advertisement], at: now).isEmpty, "nobody knows yet whether it runs")
        let survey = peripheral.receive(.success([.string(FakeDaemon.name)]), for: .findDaemon, at: now)
        #expect(Self.members(survey) == ["GetManagedObjects"])
        let objects = FakeDaemon.objects([
            (FakeDaemon.adapter, FakeDaemon.adapterInterfaces(isPowered: false))
        ])
        let registration = peripheral.receive(.success([objects]), for: .survey, at: now)
        #expect(
            Self.members(registration) == ["Set", "Set", "Set", "RegisterApplication"],
            "nobody may pair yet")
        #expect(
            Self.members(peripheral.allowPairing(since: now)) == ["RegisterAgent", "RequestDefaultAgent"])
        #expect(peripheral.allowPairing(since: now).isEmpty)
        #expect(Self.members(peripheral.allowPairing(since: nil)) == ["UnregisterAgent"])
        let powered = FakeDaemon.changed(
            FakeDaemon.adapter, BusNames.adapter, [("Powered", .boolean(true))])
        #expect(peripheral.receive(signal: powered, at: now).isEmpty)
        let done = peripheral.receive(.success([]), for: .registerServices, at: now)
        #expect(Self.members(done) == ["RegisterAdvertisement"])
        #expect(Self.events(done) == [.ready(FakeDaemon.address)])
    }

    @Test mutating func `that bluetoothd does not run is said once the bus has said so`() {
        _ = peripheral.start(at: now)
        #expect(peripheral.advertise([Self.advertisement], at: now).isEmpty)
        let unknown = BusFailure("org.freedesktop.DBus.Error.NameHasNoOwner", "no such name")
        #expect(
            peripheral.receive(.failure(unknown), for: .findDaemon, at: now) == [
                .report(.unavailable("bluetoothd does not run"))
            ])
        #expect(peripheral.deadline == nil)
        #expect(
            Self.members(peripheral.receive(signal: FakeDaemon.owner(FakeDaemon.name), at: now)) == [
                "GetManagedObjects"
            ])
    }

    @Test mutating func `a bus that does not answer is not taken for one without bluetoothd`() throws {
        _ = peripheral.start(at: now)
        let patience = try #require(peripheral.deadline)
        #expect(
            Self.events(peripheral.advance(to: patience)) == [
                .unavailable("the message bus does not answer")
            ])
        #expect(peripheral.deadline == nil)
        let late = peripheral.receive(.success([.string(FakeDaemon.name)]), for: .findDaemon, at: now)
        #expect(Self.members(late) == ["GetManagedObjects"])
    }

    @Test mutating func `it comes back by itself after bluetoothd has gone and come`() {
        self = .registered()
        _ = peripheral.receive(call: FakeDaemon.read(Self.statePath), at: now)
        let gone = peripheral.receive(signal: FakeDaemon.owner(""), at: now)
        #expect(
            Self.events(gone) == [.disconnected(client: 1), .unavailable("bluetoothd does not run")])
        #expect(peripheral.deadline == nil)
        let back = peripheral.receive(signal: FakeDaemon.owner(":1.9"), at: now)
        #expect(Self.members(back) == ["GetManagedObjects"])
        #expect(
            peripheral.receive(call: FakeDaemon.read(Self.statePath), at: now) == [.refuse(.notForOthers)])
        // It has no controller yet, and tells when it has.
        let none = peripheral.receive(.success([FakeDaemon.objects([])]), for: .survey, at: now)
        #expect(Self.events(none) == [.unavailable("bluetoothd has no controller")])
        var added = FakeDaemon.added(FakeDaemon.adapter, FakeDaemon.adapterInterfaces())
        added.sender = ":1.9"
        #expect(Self.members(peripheral.receive(signal: added, at: now)) == ["GetManagedObjects"])
        let objects = FakeDaemon.objects([(FakeDaemon.adapter, FakeDaemon.adapterInterfaces())])
        #expect(
            Self.members(peripheral.receive(.success([objects]), for: .survey, at: now)).last
                == "RegisterApplication")
        let done = peripheral.receive(.success([]), for: .registerServices, at: now)
        #expect(Self.members(done) == ["RegisterAdvertisement"])
        #expect(Self.events(done) == [.ready(FakeDaemon.address)])
    }

    @Test mutating func `what bluetoothd refuses is said, and tried again`() {
        self = .registered()
        let refused = peripheral.receive(
            .failure(BusFailure("org.bluez.Error.Failed", "no\nroom")), for: .registerAdvertisement(1),
            at: now)
        #expect(
            Self.events(refused) == [.unavailable("bluetoothd refuses an advertisement: no\u{fffd}room")])
        let retry = now + SharedPeripheral.retry
        #expect(peripheral.deadline == retry)
        let again = peripheral.advance(to: retry)
        #expect(Self.members(again) == ["RegisterAdvertisement"])
        #expect(Self.events(again) == [.ready(FakeDaemon.address)])
    }

    @Test mutating func `bluetoothd that does not answer is asked again`() throws {
        _ = peripheral.receive(.success([.string(FakeDaemon.name)]), for: .findDaemon, at: now)
        let patience = try #require(peripheral.deadline)
        #expect(Self.events(peripheral.advance(to: patience)) == [.unavailable("bluetoothd does not answer")])
        let retry = try #require(peripheral.deadline)
        #expect(Self.members(peripheral.advance(to: retry)) == ["GetManagedObjects"])
    }

    @Test mutating func `it follows the switch of the controller`() {
        self = .registered()
        let off = FakeDaemon.changed(FakeDaemon.adapter, BusNames.adapter, [("Powered", .boolean(false))])
        let offActions = peripheral.receive(signal: off, at: now)
        #expect(Self.events(offActions) == [.unavailable("Bluetooth is switched off")])
        let on = FakeDaemon.changed(FakeDaemon.adapter, BusNames.adapter, [("Powered", .boolean(true))])
        let onActions = peripheral.receive(signal: on, at: now)
        #expect(Self.members(onActions) == ["RegisterAdvertisement"])
        #expect(Self.events(onActions) == [.ready(FakeDaemon.address)])
    }

    @Test mutating func `only what changes in the advertisements is registered anew`() {
        self = .registered()
        let other = BluetoothAdvertisement(data: [3, 3, 9, 9], scanResponse: [], interval: 100)
        #expect(
            Self.members(peripheral.advertise([Self.advertisement, other], at: now)) == [
                "RegisterAdvertisement"
            ])
        #expect(Self.members(peripheral.advertise([other], at: now)) == ["UnregisterAdvertisement"])
        let broken = BluetoothAdvertisement(data: [9, 9], scanResponse: [], interval: 100)
        let actions = peripheral.advertise([other, broken], at: now)
        #expect(Self.members(actions).isEmpty)
        guard case .unavailable = Self.events(actions).first else {
            Issue.record("a broken advertisement is not reported")
            return
        }
    }

    // MARK: Clients

    @Test mutating func `reads and writes are passed on with their client`() {
        self = .registered()
        let client = BluetoothClient(id: 1, address: FakeDaemon.phoneAddress, security: .open)
        #expect(
            peripheral.receive(call: FakeDaemon.read(Self.statePath, offset: 22), at: now) == [
                .report(.connected(client)), .read(.init(2), client, offset: 22),
            ])
        let write = FakeDaemon.call(
            "WriteValue", of: BusNames.characteristic, at: Self.controlPath,
            [.octets([1, 2]), .dictionary([("device", .path(FakeDaemon.phone))])])
        #expect(peripheral.receive(call: write, at: now) == [.write([1, 2], .init(3), client)])
        let gone = FakeDaemon.changed(FakeDaemon.phone, BusNames.device, [("Connected", .boolean(false))])
        let after = peripheral.receive(signal: gone, at: now)
        #expect(Self.events(after) == [.disconnected(client: 1)])
        #expect(Self.members(after) == ["UnregisterAdvertisement", "RegisterAdvertisement"], "anew")
    }

    @Test mutating func `what bluetoothd let through says how well a link is protected`() {
        self = .registered(isPaired: true)
        func security(_ actions: [SharedAction]) -> LinkSecurity? {
            if case .read(_, let client, _) = actions.last { client.security } else { nil }
        }
        #expect(security(peripheral.receive(call: FakeDaemon.read(Self.statePath), at: now)) == .encrypted)
        #expect(
            security(peripheral.receive(call: FakeDaemon.read(Self.secretPath), at: now)) == .authenticated)
        #expect(
            security(peripheral.receive(call: FakeDaemon.read(Self.statePath), at: now)) == .authenticated)
        for connected in [false, true] {
            let change = FakeDaemon.changed(
                FakeDaemon.phone, BusNames.device, [("Connected", .boolean(connected))])
            _ = peripheral.receive(signal: change, at: now)
        }
        #expect(security(peripheral.receive(call: FakeDaemon.read(Self.statePath), at: now)) == .encrypted)
    }

    @Test mutating func `others on the bus are not answered, nor believed`() {
        self = .registered()
        var read = FakeDaemon.read(Self.statePath)
        read.sender = ":1.66"
        #expect(peripheral.receive(call: read, at: now) == [.refuse(.notForOthers)])
        var off = FakeDaemon.changed(FakeDaemon.adapter, BusNames.adapter, [("Powered", .boolean(false))])
        off.sender = ":1.66"
        #expect(peripheral.receive(signal: off, at: now).isEmpty)
        var owner = FakeDaemon.owner("")
        owner.sender = ":1.66"
        #expect(peripheral.receive(signal: owner, at: now).isEmpty)
    }

    @Test mutating func `malformed calls are refused`() {
        self = .registered()
        let device = BusValue.dictionary([("device", .path(FakeDaemon.phone))])
        let far = BusValue.dictionary([("device", .path(FakeDaemon.phone)), ("offset", .uint16(1))])
        let long = BusValue.octets([UInt8](repeating: 0, count: 513))
        let cases: [(String, String, String, [BusValue], BusFailure)] = [
            ("ReadValue", BusNames.characteristic, Self.statePath, [], .invalidArguments),
            ("ReadValue", BusNames.characteristic, Self.statePath, [.string("x")], .invalidArguments),
            ("ReadValue", BusNames.characteristic, Self.controlPath, [device], .notPermitted),
            ("ReadValue", BusNames.characteristic, "/nowhere", [device], .unknownObject),
            ("WriteValue", BusNames.characteristic, Self.controlPath, [device], .invalidArguments),
            (
                "WriteValue", BusNames.characteristic, Self.controlPath, [.string("a"), device],
                .invalidArguments
            ),
            ("WriteValue", BusNames.characteristic, Self.controlPath, [long, device], .invalidLength),
            ("WriteValue", BusNames.characteristic, Self.controlPath, [.octets([]), far], .invalidOffset),
            ("WriteValue", BusNames.characteristic, Self.statePath, [.octets([]), device], .notPermitted),
            ("AcquireWrite", BusNames.characteristic, Self.statePath, [device], .unknownMethod),
            (
                "DisplayPasskey", BusNames.agent, BusNames.agentPath, [.path(FakeDaemon.phone)],
                .invalidArguments
            ),
            (
                "DisplayPasskey", BusNames.agent, BusNames.agentPath,
                [.path(FakeDaemon.phone), .uint32(1_000_000), .uint16(0)], .invalidArguments
            ),
            (
                "DisplayPasskey", BusNames.agent, BusNames.agentPath,
                [.path("/stranger"), .uint32(1), .uint16(0)], .unknownDevice
            ),
            (
                "Get", BusNames.properties, Self.statePath, [.string(BusNames.characteristic)],
                .invalidArguments
            ),
            ("Set", BusNames.properties, Self.statePath, [], .unknownMethod),
            ("Anything", "org.example", Self.statePath, [], .unknownMethod),
        ]
        for (member, interface, path, body, refusal) in cases {
            let call = FakeDaemon.call(member, of: interface, at: path, body)
            #expect(peripheral.receive(call: call, at: now) == [.refuse(refusal)], "\(member) \(body)")
        }
        let confirmation = FakeDaemon.call(
            "RequestConfirmation", of: BusNames.agent, at: BusNames.agentPath,
            [.path(FakeDaemon.phone), .uint32(1)])
        guard case .refuse(let refusal) = peripheral.receive(call: confirmation, at: now).first else {
            Issue.record("pairing without a passkey is not refused")
            return
        }
        #expect(refusal.name == "org.bluez.Error.Rejected")
    }

    @Test mutating func `strangers of which bluetoothd did not tell, and too many, are refused`() {
        self = .registered()
        let stranger = FakeDaemon.read(Self.statePath, by: "/org/bluez/hci0/dev_00")
        #expect(peripheral.receive(call: stranger, at: now) == [.refuse(.unknownDevice)])
        for number in 0..<300 {
            let added = FakeDaemon.added("/org/bluez/hci0/dev_\(number)", FakeDaemon.phoneInterfaces())
            _ = peripheral.receive(signal: added, at: now)
            _ = peripheral.receive(
                call: FakeDaemon.read(Self.statePath, by: "/org/bluez/hci0/dev_\(number)"), at: now)
        }
        #expect(peripheral.devices.count == SharedPeripheral.mostDevices)
        #expect(peripheral.clients.count == SharedPeripheral.mostClients)
    }

    @Test mutating func `in a crowd whoever comes last is known`() {
        self = .registered()
        for number in 0..<300 {
            let path = "/org/bluez/hci0/dev_\(number)"
            _ = peripheral.receive(
                signal: FakeDaemon.added(path, FakeDaemon.phoneInterfaces(isConnected: false)), at: now)
        }
        #expect(peripheral.devices.count == SharedPeripheral.mostDevices)
        #expect(peripheral.devices[FakeDaemon.phone] != nil, "who is connected stays")
        let owner = "/org/bluez/hci0/dev_299"
        _ = peripheral.receive(
            signal: FakeDaemon.changed(owner, BusNames.device, [("Connected", .boolean(true))]), at: now)
        let answer = peripheral.receive(call: FakeDaemon.read(Self.statePath, by: owner), at: now)
        guard case .read = answer.last else {
            Issue.record("\(answer)")
            return
        }
    }

    @Test mutating func `strangers are let go, but none who has paired`() {
        self = .registered()
        let friend = "/org/bluez/hci0/dev_friend"
        _ = peripheral.receive(
            signal: FakeDaemon.added(friend, FakeDaemon.phoneInterfaces(isPaired: true)), at: now)
        for phone in [FakeDaemon.phone, friend] {
            _ = peripheral.receive(call: FakeDaemon.read(Self.statePath, by: phone), at: now)
        }
        #expect(
            peripheral.disconnectStrangers() == [.call(.disconnect(FakeDaemon.phone), .courtesy)])
    }

    // MARK: Pairing

    func display(_ passkey: UInt32, typed: UInt16 = 0) -> BusMessage {
        FakeDaemon.call(
            "DisplayPasskey", of: BusNames.agent, at: BusNames.agentPath,
            [.path(FakeDaemon.phone), .uint32(passkey), .uint16(typed)])
    }

    @Test mutating func `a passkey is shown until the phone has paired`() {
        self = .registered()
        #expect(
            peripheral.receive(call: display(4096), at: now) == [
                .answer([]), .report(.passkey([0, 0, 4, 0, 9, 6])),
            ])
        #expect(peripheral.receive(call: display(4096, typed: 1), at: now) == [.answer([])])
        // The phone's identity comes with pairing, before its end.
        let identity = FakeDaemon.changed(
            FakeDaemon.phone, BusNames.device,
            [("Address", .string("AA:BB:CC:00:00:99")), ("AddressType", .string("public"))])
        #expect(peripheral.receive(signal: identity, at: now).isEmpty)
        let paired = FakeDaemon.changed(FakeDaemon.phone, BusNames.device, [("Paired", .boolean(true))])
        let address = BluetoothAddress(MACAddress(rawValue: 0xaabb_cc00_0099), isRandom: false)
        #expect(
            peripheral.receive(signal: paired, at: now) == [.report(.passkeyOver), .report(.bonded(address))])
        let bond = peripheral.removeBond(address)
        #expect(Self.members(bond) == ["RemoveDevice"])
    }

    @Test(arguments: ["cancelled", "gone", "late", "daemon gone"])
    mutating func `a passkey does not stay when pairing fails`(how: String) throws {
        self = .registered()
        _ = peripheral.receive(call: display(1), at: now)
        let actions =
            switch how {
            case "cancelled":
                peripheral.receive(
                    call: FakeDaemon.call("Cancel", of: BusNames.agent, at: BusNames.agentPath, []), at: now)
            case "gone":
                peripheral.receive(
                    signal: FakeDaemon.changed(
                        FakeDaemon.phone, BusNames.device, [("Connected", .boolean(false))]), at: now)
            case "late": peripheral.advance(to: try #require(peripheral.deadline))
            default: peripheral.receive(signal: FakeDaemon.owner(""), at: now)
            }
        let events = Self.events(actions)
        #expect(events.first == .passkeyOver)
        guard events.count > 1, case .pairingFailed(FakeDaemon.phoneAddress, _) = events[1] else {
            Issue.record("\(events)")
            return
        }
    }

    @Test mutating func `somebody else's pairing is none of ours`() {
        self = .registered()
        let paired = FakeDaemon.changed(FakeDaemon.phone, BusNames.device, [("Paired", .boolean(true))])
        #expect(peripheral.receive(signal: paired, at: now).isEmpty)
    }

    @Test mutating func `a bond that is forgotten while bluetoothd is away goes once it is back`() {
        self = .registered(isPaired: true)
        _ = peripheral.receive(signal: FakeDaemon.owner(""), at: now)
        #expect(peripheral.removeBond(FakeDaemon.phoneAddress).isEmpty)
        _ = peripheral.receive(signal: FakeDaemon.owner(FakeDaemon.name), at: now)
        let objects = FakeDaemon.objects([
            (FakeDaemon.adapter, FakeDaemon.adapterInterfaces()),
            (FakeDaemon.phone, FakeDaemon.phoneInterfaces(isPaired: true)),
        ])
        _ = peripheral.receive(.success([objects]), for: .survey, at: now)
        let actions = peripheral.receive(.success([]), for: .registerServices, at: now)
        #expect(Self.members(actions) == ["RemoveDevice", "RegisterAdvertisement"])
    }

    // MARK: Telling

    @Test mutating func `changed values go to bluetoothd alone`() {
        #expect(peripheral.notify(.init(2), [5]).isEmpty)
        self = .registered()
        #expect(
            peripheral.notify(.init(2), [5]) == [
                .tell(.dictionary([("Value", .octets([5]))]), path: Self.statePath, daemon: FakeDaemon.name)
            ])
        #expect(peripheral.notify(.init(99), [5]).isEmpty)
    }
}
