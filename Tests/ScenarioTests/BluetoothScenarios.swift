import BluetoothLE
import Foundation
import Ports
import Simulation
import Testing
import Wire

@testable import Accessory

struct BluetoothScenarios {
    let world = World(seed: 5)

    private func board(_ settings: [(String, String)] = [], store: MemoryStore = MemoryStore()) throws
        -> Board
    {
        let board = try Board(
            in: world, store: store, settings: settings.map { ("bluetooth", $0.0, $0.1) })
        world.run(for: .seconds(2))
        return board
    }

    private func phone(_ board: Board, number: UInt64 = 1) -> BluetoothPhone {
        BluetoothPhone(in: world, with: board.bluetooth, number: number)
    }

    private static let passkey = [("pairing", "passkey")]

    private func progress(_ octets: [UInt8]) throws -> OnboardingProgress {
        try OnboardingProgress(parsing: octets)
    }

    private func watched(_ board: Board) -> [String] {
        board.control.lines.compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["event"] as? String
        }
    }

    // MARK: Finding

    @Test func `a phone finds the accessory, and the advertisement says which service it is`() throws {
        let board = try board()
        let found = try #require(board.bluetooth.advertisements.first)
        #expect(board.bluetooth.advertisements.count == 1)
        #expect(found.data.count == 28)
        let data = try AdvertisingData(parsing: found.data)
        let tie: [UInt8] = [0x34, 0x25, 0xf1, 0x7b] + board.accessory.shortIdentifier.prefix(2)
        #expect(
            data.elements == [
                .services([.custom(0x832e_b559_5af9_4d93, 0x8623_bdef_d811_a033)], isComplete: true),
                .serviceData(.assigned(0xb559), tie),
            ])
        #expect(
            try AdvertisingData(parsing: found.scanResponse).elements
                == [.name(Array("My Drone".utf8), isComplete: true)])
    }

    @Test func `fast for half a minute, then slower, then not any more`() throws {
        let board = try board()
        #expect(board.bluetooth.advertisements.first?.interval == 20)
        world.run(for: .seconds(31))
        #expect(board.bluetooth.advertisements.first?.interval == 152)
        #expect(board.bluetooth.advertisingChanges == 3, "at the start, once it was ready, and slower")
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(1))
        #expect(board.bluetooth.advertisements.isEmpty)
        _ = board.ask("pairing open 20")
        world.run(for: .seconds(1))
        #expect(board.bluetooth.advertisements.first?.interval == 20)
        world.run(for: .seconds(30))
        #expect(board.bluetooth.advertisements.isEmpty)
    }

    @Test func `who wants to is found always`() throws {
        let board = try board([("advertise", "always")])
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(1))
        #expect(board.bluetooth.advertisements.first?.interval == 1022)
    }

    @Test func `Improv and transport blocks have advertisements of their own`() throws {
        let board = try board([("improv", "on"), ("tds", "020a084b149696965ea633")])
        let found = board.bluetooth.advertisements
        #expect(found.count == 3)
        #expect(String(hex: found[1].data).hasSuffix("0916774602070000" + "0000"))
        #expect(String(hex: found[2].data) == "0c26020a084b149696965ea633")
    }

    // MARK: Reading

    @Test func `a phone reads what the accessory is, and how its Wi-Fi Aware does`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        let information = try AccessoryInformation(parsing: phone.read(BluetoothPhone.information).value)
        #expect(information.vendor == "Example Inc" && information.model == "Example Model")
        #expect(information.name == "My Drone" && information.firmware == "1")
        #expect(information.capabilities == [.identify, .openPairing])
        #expect(information.identifier == board.accessory.shortIdentifier)

        let aware = try AwareState(parsing: phone.read(BluetoothPhone.aware).value)
        #expect(aware.radio == .up(channel: 6, address: board.address))
        #expect(aware.services.map { $0.name } == ["_drone-service._udp"])
        #expect(aware.services.map { $0.identifier } == [[0x34, 0x25, 0xf1, 0x7b, 0xda, 0x31]])
        #expect((590...600).contains(aware.pairingSeconds))

        #expect(phone.read(.assigned(0x2a29)).value == Array("Example Inc".utf8))
        #expect(phone.read(.assigned(0x2a00)).value == Array("My Drone".utf8))
        #expect(phone.read(BluetoothPhone.result).error == 0xff, "nobody pairs over Bluetooth here")
    }

    @Test func `a board whose radio is gone says over Bluetooth why`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.subscribe(to: BluetoothPhone.aware))
        board.radio.breakDown(at: world.now)
        world.run(for: .seconds(1))
        guard case .down(let reason) = try AwareState(parsing: phone.read(BluetoothPhone.aware).value).radio
        else {
            Issue.record("the radio is up")
            return
        }
        #expect(reason.contains("went away"))
        #expect(phone.notified(BluetoothPhone.aware).count == 1)
    }

    // MARK: One onboarding

    @Test func `a phone follows over Bluetooth how it pairs over Wi-Fi Aware`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.subscribe(to: BluetoothPhone.progress))
        let person = try Person(in: world)
        #expect(person.ask())
        let pin = try #require(board.pin)
        #expect(person.finish(with: pin), "\(person.story)")
        world.run(for: .seconds(7))
        let told = phone.notified(BluetoothPhone.progress)
        #expect(try told.map { try progress($0) } == [.pinShown, .paired, .idle])
        #expect(board.bluetooth.advertisements.isEmpty)
        for value in told { #expect(!String(hex: value).contains(String(hex: Array(pin.utf8)))) }
    }

    @Test func `a phone hears that the PIN was wrong, and that it may be tried again`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.subscribe(to: BluetoothPhone.progress))
        let person = try Person(in: world)
        #expect(person.ask())
        #expect(!person.finish(with: "000000"))
        world.run(for: .seconds(7))
        let told = try phone.notified(BluetoothPhone.progress).map { try progress($0).standing }
        #expect(told.first == .pinShown && told.last == .open(seconds: 0))
        guard told.count > 2, case .failed(let reason) = told[1] else {
            Issue.record("\(told)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func `bonded and paired it is one device, and one that is forgotten`() throws {
        let board = try board(Self.passkey)
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.read(BluetoothPhone.result).error == 0x05)
        #expect(phone.write([4], to: BluetoothPhone.control) == 0x83, "it has to pair first")
        #expect(
            phone.pair {
                guard case .passkey(let digits)? = board.panel.states.last else { return nil }
                return digits
            })
        #expect(phone.read(BluetoothPhone.result).value == [0, 0, 0, 0, 0])
        #expect(phone.write([4], to: BluetoothPhone.control) == nil)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(1))

        let device = try #require(board.devices.first)
        #expect(board.devices.count == 1)
        #expect(device.bluetooth == phone.address)
        #expect(phone.read(BluetoothPhone.result).value == [1] + device.identity.shortIdentifier)
        guard case .reply(let text, _) = board.ask("devices --json") else { return }
        #expect(String(decoding: text, as: UTF8.self).contains("\"bluetooth\":\"c0:ff:ee:00:00:01\""))
        #expect(watched(board).contains("tied"))

        // The tie outlives a restart.
        board.cutPower()
        let again = try self.board(Self.passkey, store: board.store)
        #expect(again.devices.first?.bluetooth == phone.address)
        _ = again.ask("forget \(device.id)")
        #expect(again.devices.isEmpty)
    }

    @Test func `forgetting a device removes its bond`() throws {
        let board = try board(Self.passkey)
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.pair { SimulatedBluetooth.passkey })
        #expect(phone.write([4], to: BluetoothPhone.control) == nil)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        #expect(board.bluetooth.bonds == [phone.address])
        _ = board.ask("forget --all")
        #expect(board.bluetooth.bonds.isEmpty)
    }

    @Test func `a bonded phone's subscriptions hold, and it is told of other services`() throws {
        let board = try board(Self.passkey)
        let phone = phone(board)
        #expect(phone.connect() && phone.pair { SimulatedBluetooth.passkey })
        #expect(phone.ask([0x12, 0x09, 0x00, 0x02, 0x00]) == [0x13])
        #expect(phone.subscribe(to: BluetoothPhone.progress))
        phone.disconnect()
        #expect(phone.connect())
        _ = board.ask("pairing close")
        world.run(for: .seconds(1))
        #expect(phone.notified(BluetoothPhone.progress).count == 1)
        #expect(phone.indications.isEmpty)
        board.agent.reconfigure(
            try Board.configuration([("bluetooth", "pairing", "passkey"), ("bluetooth", "improv", "on")]),
            at: world.now)
        #expect(phone.connect())
        #expect(phone.indications.isEmpty)
        #expect(phone.read(.assigned(0x2a00)).error == 0)
        world.run(for: .seconds(1))
        phone.listen()
        #expect(phone.indications == [[0x1d, 0x08, 0x00, 0x01, 0x00, 0xff, 0xff]])
        phone.disconnect()
        #expect(phone.connect())
        #expect(phone.read(.assigned(0x2a00)).error == 0)
        #expect(phone.indications.count == 1)
    }

    @Test func `who was let in for the onboarding goes when it is over`() throws {
        let board = try board(Self.passkey)
        let owner = phone(board)
        #expect(owner.connect() && owner.pair { SimulatedBluetooth.passkey })
        let stranger = BluetoothPhone(in: world, with: board.bluetooth, number: 2)
        #expect(stranger.connect())
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(5))
        #expect(stranger.read(.assigned(0x2a00)).error == 0)
        world.run(for: .seconds(10))
        #expect(stranger.ask([0x0a, 3, 0]) == nil)
        #expect(owner.ask([0x0a, 3, 0]) != nil)
    }

    @Test func `who is bonded only is listed, and forgotten by what is listed`() throws {
        let board = try board(Self.passkey)
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.pair { SimulatedBluetooth.passkey })
        let id = "c0:ff:ee:00:00:01"
        #expect(board.ask("devices").text.contains("\n\(id)  (over Bluetooth only)\n"))
        let line = "{\"id\":\"\(id)\",\"name\":null,\"connected\":false,\"bluetooth\":\"\(id)\"}"
        #expect(board.ask("devices --json").text == "[\(line)]\n")
        #expect(board.ask("forget c0:ff:ee:00:00:02").text == "no device c0:ff:ee:00:00:02 is paired\n")
        #expect(board.ask("forget \(id)").text == "forgot \(id)\n")
        #expect(board.bluetooth.bonds.isEmpty)
        #expect(board.ask("devices --json").text == "[]\n")
        #expect(watched(board).contains("bond_forgotten"))
        world.run(for: .milliseconds(10))
        #expect(phone.connect() && phone.pair { SimulatedBluetooth.passkey })
        #expect(board.ask("forget --all").text == "forgot 1 devices\n")
        #expect(board.bluetooth.bonds.isEmpty)
        #expect(phone.connect() && phone.pair { SimulatedBluetooth.passkey })
        board.buttons.press(.held, at: world.now)
        world.run(for: .seconds(1))
        #expect(board.bluetooth.bonds.isEmpty)
    }

    @Test func `nobody says forgot while what is kept of a bond is still there`() throws {
        let board = try board(Self.passkey)
        let owner = phone(board)
        #expect(owner.connect() && owner.pair { SimulatedBluetooth.passkey })
        #expect(owner.write([4], to: BluetoothPhone.control) == nil)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        _ = board.ask("pairing open")
        world.run(for: .milliseconds(10))
        let other = phone(board, number: 2)
        #expect(other.connect() && other.pair { SimulatedBluetooth.passkey })
        let device = try #require(board.devices.first)

        board.bluetooth.lock = StoreError("bond: read-only")
        for id in [device.id, "c0:ff:ee:00:00:02"] {
            let answer = board.ask("forget \(id)")
            #expect(answer.status == 1)
            #expect(answer.text == "\(id): forgotten until the next start only: bond: read-only\n")
        }
        #expect(board.bluetooth.bonds.isEmpty && board.devices.isEmpty, "it gets in no more all the same")
        #expect(watched(board).contains("bond_stays"))
        #expect(!watched(board).contains("bond_forgotten"))
        board.bluetooth.lock = nil
        #expect(board.ask("forget --all").status == 0)
    }

    @Test func `strangers that bond make the oldest of them be forgotten, and no paired device`() throws {
        let board = try board(Self.passkey + [("advertise", "always")])
        let owner = phone(board)
        #expect(owner.connect() && owner.pair { SimulatedBluetooth.passkey })
        #expect(owner.write([4], to: BluetoothPhone.control) == nil)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        let strangers = (2...40).map { phone(board, number: $0) }
        _ = board.ask("pairing open")
        for stranger in strangers {
            #expect(stranger.connect() && stranger.pair { SimulatedBluetooth.passkey })
            stranger.disconnect()
        }
        #expect(
            board.bluetooth.bonds
                == [owner.address] + strangers.suffix(Accessory.looseBondLimit).map(\.address))
        #expect(board.devices.first?.bluetooth == owner.address)
    }

    @Test func `two phones that claim the next device get none`() throws {
        let board = try board(Self.passkey)
        let phones = [phone(board), phone(board, number: 2)]
        for phone in phones {
            #expect(phone.connect())
            #expect(phone.pair { SimulatedBluetooth.passkey })
            #expect(phone.write([4], to: BluetoothPhone.control) == nil)
        }
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        #expect(board.devices.first?.bluetooth == nil)
        #expect(phones[0].read(BluetoothPhone.result).value == [0, 0, 0, 0, 0])
    }

    @Test func `a wrong passkey bonds nobody`() throws {
        let board = try board(Self.passkey)
        let phone = phone(board)
        #expect(phone.connect())
        #expect(!phone.pair { [0, 0, 0, 0, 0, 0] })
        #expect(phone.read(BluetoothPhone.result).error == 0x05)
        #expect(watched(board).contains("bond_failed"))
        #expect(board.panel.states.last.map { if case .passkey = $0 { true } else { false } } == false)
    }

    @Test func `whoever is called by an open window may pair by then`() throws {
        let board = try board(Self.passkey)
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(1))
        #expect(board.bluetooth.advertisements.isEmpty && !board.bluetooth.mightPair)
        _ = board.ask("pairing open 20")
        world.run(for: .seconds(1))
        #expect(!board.bluetooth.advertisements.isEmpty && board.bluetooth.mightPair)
        world.run(for: .seconds(30))
        #expect(!board.bluetooth.mightPair)
    }

    // MARK: The control point

    @Test func `a phone has the accessory show itself`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.write([1], to: BluetoothPhone.control) == nil)
        #expect(board.panel.states.last == .identify)
        #expect(phone.write([9], to: BluetoothPhone.control) == 0x80)
        #expect(phone.write([1, 1], to: BluetoothPhone.control) == 0x0d)
    }

    @Test func `a phone that has the accessory show itself all the time is refused, Improv or not`() throws {
        let board = try board([("improv", "on")])
        let phone = phone(board)
        #expect(phone.connect())
        for _ in 0..<3 {
            #expect(phone.write([1], to: BluetoothPhone.control) == nil)
            world.run(for: .seconds(6))
        }
        #expect(phone.write([1], to: BluetoothPhone.control) == 0x86)
        #expect(phone.write([2, 0, 2], to: Self.command) == nil)
        world.run(for: .seconds(1))
        #expect(board.panel.states.last != .identify)
        #expect(board.accessory.refusals.count(of: "identify asked too often") == 2)
        world.run(for: .seconds(20))
        #expect(phone.write([2, 0, 2], to: Self.command) == nil)
        world.run(for: .seconds(1))
        #expect(board.panel.states.last == .identify)
    }

    @Test func `nobody hides how pairing ended by having the accessory show itself`() throws {
        let board = try board([("advertise", "always")])
        let phone = phone(board)
        #expect(phone.connect())
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        #expect(phone.write([1], to: BluetoothPhone.control) == 0x86)
        #expect(try progress(phone.read(BluetoothPhone.progress).value) == .paired)
    }

    @Test func `nobody opens pairing over Bluetooth where the owner says never`() throws {
        let board = try board([("open-window", "never"), ("advertise", "always")])
        _ = board.ask("pairing close")
        let phone = phone(board)
        #expect(phone.connect())
        board.buttons.press(.noted, at: world.now)
        world.run(for: .seconds(1))
        #expect(phone.write([2], to: BluetoothPhone.control) == 0x81)
        #expect(!board.accessory.window.isOpen)
    }

    @Test func `a press of the button lets a phone open pairing, once, within a minute`() throws {
        let board = try board()
        _ = board.ask("pairing close")
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.write([2], to: BluetoothPhone.control) == 0x82)
        board.buttons.press(.noted, at: world.now)
        world.run(for: .seconds(50))
        #expect(phone.write([2], to: BluetoothPhone.control) == nil)
        #expect(board.accessory.window.isOpen)
        #expect(phone.write([3], to: BluetoothPhone.control) == nil)
        #expect(!board.accessory.window.isOpen)
        #expect(phone.write([2], to: BluetoothPhone.control) == 0x82, "the press is spent")
        board.buttons.press(.noted, at: world.now)
        world.run(for: .seconds(62))
        #expect(phone.write([2], to: BluetoothPhone.control) == 0x82, "too late")
    }

    @Test
    func `a press that opened pairing itself, or was the start of holding, lets no phone open it again`()
        throws
    {
        let board = try board()
        _ = board.ask("pairing close")
        let phone = phone(board)
        #expect(phone.connect())
        for press in [[.short], [.holding(completes: world.now + .seconds(5)), .released]] as [[ButtonPress]]
        {
            for part in press { board.buttons.press(part, at: world.now) }
            world.run(for: .seconds(1))
            _ = board.ask("pairing close")
            #expect(phone.write([2], to: BluetoothPhone.control) == 0x82)
        }
    }

    @Test func `the radio's address, which changes lest it be followed, is told only for setting up`() throws
    {
        let board = try board([("advertise", "always")])
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        let phone = phone(board)
        #expect(phone.connect())
        #expect(
            try AwareState(parsing: phone.read(BluetoothPhone.aware).value).radio
                == .up(channel: 6, address: nil))
        _ = board.ask("pairing open")
        #expect(
            try AwareState(parsing: phone.read(BluetoothPhone.aware).value).radio
                == .up(channel: 6, address: board.address))
    }

    @Test func `opening again does not forgive wrong guesses, and nobody closes what another opened`() throws
    {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        let person = try Person(in: world)
        #expect(person.ask())
        person.type("000000")
        let isLocked = { if case .locked = board.accessory.window.standing { true } else { false } }
        #expect(world.run(within: .seconds(40), until: isLocked))
        board.buttons.press(.noted, at: world.now)
        #expect(phone.write([2], to: BluetoothPhone.control) == nil)
        #expect(isLocked())
        #expect(phone.write([3], to: BluetoothPhone.control) == 0x85)
        #expect(board.accessory.window.isOpen)
    }

    @Test func `a bonded phone opens pairing where the owner lets it`() throws {
        let board = try board(Self.passkey + [("open-window", "bonded")])
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.write([2], to: BluetoothPhone.control) == 0x83)
        let late = self.phone(board, number: 2)
        #expect(late.connect())
        #expect(phone.pair { SimulatedBluetooth.passkey })
        _ = board.ask("pairing close")
        world.run(for: .seconds(1))
        #expect(!late.pair { SimulatedBluetooth.passkey }, "nobody pairs over Bluetooth any more")
        #expect(phone.write([2], to: BluetoothPhone.control) == nil)
        #expect(board.accessory.window.isOpen)
    }

    @Test func `a bonded phone that closes and opens pairing does not forgive wrong guesses`() throws {
        let board = try board(Self.passkey + [("open-window", "bonded")])
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.pair { SimulatedBluetooth.passkey })
        let person = try Person(in: world)
        #expect(person.ask())
        person.type("000000")
        let isLocked = { if case .locked = board.accessory.window.standing { true } else { false } }
        #expect(world.run(within: .seconds(40), until: isLocked))
        #expect(phone.write([3], to: BluetoothPhone.control) == nil)
        #expect(!board.accessory.window.isOpen)
        #expect(phone.write([2], to: BluetoothPhone.control) == nil)
        #expect(isLocked())
    }

    // MARK: Trouble

    @Test func `a phone that takes nothing in stops neither another nor the accessory`() throws {
        let board = try board()
        let stalled = phone(board)
        let other = phone(board, number: 2)
        #expect(stalled.connect() && other.connect())
        #expect(stalled.subscribe(to: BluetoothPhone.progress))
        let connection = try #require(stalled.connection)
        board.bluetooth.stall(connection, true, at: world.now)
        for _ in 0..<100 { board.bluetooth.send([0x0a, 0x03, 0x00], from: connection) }
        for round in 0..<20 {
            _ = board.ask(round % 2 == 0 ? "pairing close" : "pairing open 60")
            world.run(for: .seconds(1))
            #expect(other.read(.assigned(0x2a00)).value == Array("My Drone".utf8))
        }
        board.bluetooth.stall(connection, false, at: world.now)
        stalled.listen()
        #expect(stalled.notifications.values.map { $0.count } == [1], "the newest alone")
    }

    @Test func `Bluetooth that goes and comes back is told of, and the accessory is found again`() throws {
        let board = try board()
        board.bluetooth.fail("switched off")
        world.run(for: .seconds(1))
        guard case .reply(let text, _) = board.ask("status") else { return }
        #expect(String(decoding: text, as: UTF8.self).contains("bluetooth  unavailable: switched off"))
        board.bluetooth.recover()
        world.run(for: .seconds(1))
        guard case .reply(let json, _) = board.ask("status --json") else { return }
        #expect(
            String(decoding: json, as: UTF8.self).contains(
                "\"bluetooth\":{\"state\":\"on\",\"address\":\"c6:55:44:33:22:11\"}"))
        #expect(!board.bluetooth.advertisements.isEmpty)
        #expect(watched(board).contains("bluetooth_unavailable"))
    }

    @Test func `switched off in the configuration nothing is found, until it is switched on`() throws {
        let board = try board([("use", "off")])
        #expect(board.bluetooth.advertisements.isEmpty)
        board.agent.reconfigure(try Board.configuration([]), at: world.now)
        world.run(for: .seconds(1))
        #expect(!board.bluetooth.advertisements.isEmpty)
        board.agent.reconfigure(try Board.configuration([("bluetooth", "use", "off")]), at: world.now)
        #expect(board.bluetooth.advertisements.isEmpty)
    }

    @Test func `a passkey leaves the panel when Bluetooth is switched off or starts anew`() throws {
        for changed in [[("use", "off")], Self.passkey + [("improv", "on")]] {
            let board = try board(Self.passkey)
            let phone = phone(board)
            #expect(phone.connect())
            #expect(!phone.pair { nil })
            #expect(board.panel.states.last == .passkey(SimulatedBluetooth.passkey))
            let settings = changed.map { ("bluetooth", $0.0, $0.1) }
            board.agent.reconfigure(try Board.configuration(settings), at: world.now)
            world.run(for: .seconds(1))
            #expect(board.panel.states.last != .passkey(SimulatedBluetooth.passkey), "\(changed)")
            board.cutPower()
        }
    }

    @Test func `an accessory that takes its leave is found no more`() throws {
        let board = try board()
        let phone = phone(board)
        #expect(phone.connect())
        board.agent.stop(at: world.now)
        #expect(board.bluetooth.advertisements.isEmpty)
        #expect(phone.ask([0x0a, 0x03, 0x00]) == nil)
        world.run(for: .seconds(3))
        #expect(board.agent.isGone)
    }

    // MARK: Improv

    private static let command = BluetoothUUID.custom(0x0046_7768_6228_2272, 0x4663_2774_7826_8003)
    private static let state = BluetoothUUID.custom(0x0046_7768_6228_2272, 0x4663_2774_7826_8001)
    private static let error = BluetoothUUID.custom(0x0046_7768_6228_2272, 0x4663_2774_7826_8002)

    private func settings(_ password: String) throws -> [UInt8] {
        var frame = FrameWriter(limit: 300)
        ImprovCommand.connect(name: SimulatedNetwork.name, password: Array(password.utf8)).write(into: &frame)
        return try frame.finish()
    }

    @Test func `a phone puts the board into a network while pairing is open`() throws {
        let board = try board([("improv", "on")])
        let phone = phone(board)
        #expect(phone.connect())
        #expect(phone.read(Self.state).value == [2])
        _ = phone.ask([0x02, 0x05, 0x02])
        #expect(phone.write(try settings("wrong"), to: Self.command) == nil)
        #expect(phone.read(Self.state).value == [3])
        world.run(for: .seconds(4))
        #expect(phone.read(Self.error).value == [3])
        #expect(phone.read(Self.state).value == [2])
        #expect(phone.write(try settings("correct horse"), to: Self.command) == nil)
        world.run(for: .seconds(4))
        #expect(board.network.isJoined)
        #expect(phone.read(Self.state).value == [4])
        #expect(board.bluetooth.advertisements.count == 1, "there is nothing more to provision")
        #expect(watched(board).contains("network_joined"))
        for entry in board.journal.entries { #expect(!entry.line.contains("horse")) }
    }

    @Test func `a board that was put into a network is put into another at the next press`() throws {
        let board = try board([("improv", "on")])
        let phone = phone(board)
        #expect(phone.connect())
        _ = phone.ask([0x02, 0x05, 0x02])
        let right = try settings("correct horse")
        let join = {
            #expect(phone.write(right, to: Self.command) == nil)
            world.run(for: .seconds(4))
            #expect(phone.read(Self.state).value == [4])
        }
        join()
        let person = try Person(in: world)
        #expect(person.pair(with: board), "\(person.story)")
        world.run(for: .seconds(65))
        #expect(board.bluetooth.advertisements.isEmpty, "the window was open all the time")
        board.buttons.press(.noted, at: world.now)
        world.run(for: .seconds(1))
        #expect(phone.connect(), "it was let go with everybody")
        _ = phone.ask([0x02, 0x05, 0x02])
        #expect(phone.read(Self.state).value == [2])
        #expect(board.bluetooth.advertisements.count == 2, "found again")
        world.run(for: .seconds(60))
        #expect(phone.read(Self.state).value == [4], "nobody did")
        #expect(board.bluetooth.advertisements.isEmpty)
        _ = board.ask("pairing open 60")
        world.run(for: .seconds(1))
        join()
    }

    @Test func `a network is joined though Bluetooth is switched off meanwhile`() throws {
        let board = try board([("improv", "on")])
        let phone = phone(board)
        #expect(phone.connect())
        _ = phone.ask([0x02, 0x05, 0x02])
        #expect(phone.write(try settings("correct horse"), to: Self.command) == nil)
        board.agent.reconfigure(try Board.configuration([("bluetooth", "use", "off")]), at: world.now)
        world.run(for: .seconds(4))
        #expect(board.network.isJoined)
        #expect(watched(board).contains("network_joined"))
    }

    @Test func `without the owner nobody puts the board into a network`() throws {
        let board = try board([("improv", "on")])
        let phone = phone(board)
        #expect(phone.connect())
        _ = board.ask("pairing close")
        world.run(for: .seconds(65))
        #expect(phone.read(Self.state).value == [1])
        _ = phone.ask([0x02, 0x05, 0x02])
        #expect(phone.write(try settings("correct horse"), to: Self.command) == nil)
        #expect(phone.read(Self.error).value == [4])
        board.buttons.press(.noted, at: world.now)
        world.run(for: .seconds(1))
        #expect(phone.read(Self.state).value == [2])
    }
}
