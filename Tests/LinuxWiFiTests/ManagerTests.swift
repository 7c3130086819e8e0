import BluetoothLE
import Crypto
import Ports
import SystemBus
import Testing
import Wire

@testable import LinuxWiFi

/// Joining a network through NetworkManager, whose part the test plays.
struct ManagerTests {
    static let start = Instant(microseconds: 1_000_000)
    static let device = "/org/freedesktop/NetworkManager/Devices/3"
    static let connection = "/org/freedesktop/NetworkManager/Settings/9"
    static let name = Array("Home".utf8)
    static let password = Key(Secret(Array("password".utf8)))

    static func interface(_ name: String, _ fields: [(name: String, value: BusValue)]) -> BusValue {
        .entry(.string(name), .dictionary(fields))
    }

    static func point(_ name: String, strength: UInt8, rsn: UInt32) -> BusValue {
        .entry(
            .path("/org/freedesktop/NetworkManager/AccessPoint/\(strength)"),
            .array(
                of: "{sa{sv}}",
                [
                    interface(
                        ManagerNames.accessPoint,
                        [
                            ("Ssid", .octets(Array(name.utf8))), ("Strength", .octet(strength)),
                            ("Flags", .uint32(rsn == 0 ? 0 : 1)), ("WpaFlags", .uint32(0)),
                            ("RsnFlags", .uint32(rsn)),
                        ])
                ]))
    }

    static func objects(state: UInt32 = 30) -> BusValue {
        let wireless = BusValue.array(
            of: "{sa{sv}}",
            [
                interface(ManagerNames.device, [("State", .uint32(state))]),
                interface(ManagerNames.wireless, [("LastScan", .int64(5))]),
            ])
        return .array(
            of: "{oa{sa{sv}}}",
            [
                .entry(.path(device), wireless), point("Home", strength: 80, rsn: 0x188),
                point("modern", strength: 60, rsn: 0x488), point("open", strength: 200, rsn: 0),
            ])
    }

    static func state(_ state: UInt32, reason: UInt32, from sender: String = ":1.5") -> BusMessage {
        BusMessage(
            .signal, from: sender, path: device, interface: ManagerNames.device, member: "StateChanged",
            [.uint32(state), .uint32(50), .uint32(reason)])
    }

    static func members(_ actions: [ManagerTask.Action]) -> [String] {
        actions.compactMap { if case .call(let call) = $0 { call.member } else { nil } }
    }

    static func adding(_ name: String, _ credentials: Credentials) -> (ManagerTask, BusValue?) {
        var task = ManagerTask.join(Array(name.utf8), credentials, password, at: start)
        let actions = task.receive(answer: [objects()], from: ":1.5", at: start)
        guard case .call(let call) = actions.first else { return (task, nil) }
        return (task, call.body.first)
    }

    static func connecting() -> ManagerTask {
        var (task, _) = adding("Home", .passphrase)
        _ = task.receive(answer: [.path(connection), .path("/active")], from: ":1.5", at: start)
        return task
    }

    @Test func `a network is joined with what it wants`() {
        let (_, home) = Self.adding("Home", .passphrase)
        #expect(home?.signature == "a{sa{sv}}")
        #expect(home?["802-11-wireless"]?["ssid"] == .octets(Self.name))
        #expect(home?["802-11-wireless"]?["hidden"] == .boolean(false))
        #expect(home?["802-11-wireless-security"]?["key-mgmt"] == .string("wpa-psk"))
        #expect(home?["802-11-wireless-security"]?["psk"] == .secret(BusSecret(Self.password)))
        #expect(
            Self.adding("modern", .passphrase).1?["802-11-wireless-security"]?["key-mgmt"] == .string("sae"))
        let hidden = Self.adding("hidden", .none).1
        #expect(hidden?["802-11-wireless"]?["hidden"] == .boolean(true))
        #expect(hidden?["802-11-wireless-security"] == nil)
    }

    @Test func `it ends when the network has let us in`() {
        var task = Self.connecting()
        #expect(task.receive(signal: Self.state(100, reason: 0, from: ":1.6"), at: Self.start).isEmpty)
        #expect(task.receive(signal: Self.state(60, reason: 0), at: Self.start).isEmpty)
        #expect(task.receive(signal: Self.state(70, reason: 0), at: Self.start) == [.ended(.joined)])
    }

    @Test func `a wrong password leaves nothing behind`() {
        var task = Self.connecting()
        let actions = task.receive(signal: Self.state(120, reason: 7), at: Self.start)
        #expect(Self.members(actions) == ["Delete"])
        #expect(
            task.receive(answer: [], from: ":1.5", at: Self.start)
                == [.ended(.failed("the password is wrong"))])
    }

    @Test func `what takes too long ends`() {
        var task = Self.connecting()
        #expect(Self.members(task.expire(at: task.deadline)) == ["Delete"])
        #expect(task.expire(at: task.deadline) == [.ended(.failed("the network was not joined in time"))])
    }

    @Test func `networks are listed after a scan, or as they were heard where none is allowed`() {
        let list = WiFiProvisionerEvent.found([
            WiFiNetwork(name: Array("open".utf8), signal: -50, isProtected: false),
            WiFiNetwork(name: Self.name, signal: -60, isProtected: true),
            WiFiNetwork(name: Array("modern".utf8), signal: -70, isProtected: true),
        ])
        var task = ManagerTask.scan(at: Self.start)
        #expect(Self.members(task.start()) == ["GetManagedObjects"])
        #expect(
            Self.members(task.receive(answer: [Self.objects()], from: ":1.5", at: Self.start)) == [
                "RequestScan"
            ])
        var refused = task
        #expect(refused.receive(failure: BusFailure("x", "not now")) == [.ended(list)])
        #expect(task.receive(answer: [], from: ":1.5", at: Self.start).isEmpty)
        let scanned = BusMessage(
            .signal, from: ":1.5", path: Self.device, member: "PropertiesChanged",
            [.string(ManagerNames.wireless), .dictionary([("LastScan", .int64(9))])])
        #expect(Self.members(task.receive(signal: scanned, at: Self.start)) == ["GetManagedObjects"])
        #expect(task.receive(answer: [Self.objects()], from: ":1.5", at: Self.start) == [.ended(list)])
    }

    @Test func `without an interface of its own it says so`() {
        var task = ManagerTask.join(Self.name, .passphrase, Self.password, at: Self.start)
        #expect(
            task.receive(answer: [Self.objects(state: 10)], from: ":1.5", at: Self.start)
                == [.ended(.failed("NetworkManager has no Wi-Fi interface"))])
    }
}
