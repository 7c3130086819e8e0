import Foundation
import Ports
import Testing
import Wire

@testable import Accessory

struct EventTests {
    static let address = MACAddress(rawValue: 0x0200_0000_0001)
    static let phone = BluetoothAddress(address, isRandom: true)
    static let events: [Event] = [
        .started(address: address), .clusterJoined(address), .published(["_a._udp", "_b._udp"]), .withdrawn,
        .radioLost("gone"), .pairingOpened(seconds: 120), .pairingClosed,
        .attempt(peer: address, name: "Ada's \"phone\""), .paired(device: "12345678", name: "Ada\u{1b}[2J"),
        .locked(seconds: 8), .recognised(device: "12345678", name: "Ada", address: address),
        .forgotten(device: "12345678", name: "Ada"),
        .connected(device: "12345678", name: "Ada", service: "_a._udp"),
        .disconnected(device: "12345678", name: "Ada", service: "_a._udp", reason: "idle"),
        .buttonPressed, .forgettingBegan(seconds: 9), .forgettingStopped, .forgettingCompleted(devices: 2),
        .partFailed(part: "tm1637 on GPIO23", reason: "held by \u{1b}"), .partRecovered(part: "buttons"),
        .refused(peer: address, name: "", reason: "wrong PIN"), .bluetoothReady(phone),
        .bluetoothUnavailable("switched off\n"), .bluetoothConnected(phone), .passkeyShown, .bonded(phone),
        .bondFailed(phone, reason: "wrong passkey"), .bondForgotten(phone),
        .bondStays(phone, reason: "read-only\n"),
        .tied(device: "12345678", name: "Ada\u{1b}", address: phone), .identified, .networkJoined,
        .networkFailed("wrong password"),
    ]

    @Test(arguments: events)
    func `is one line for the journal and one object for who watches`(_ event: Event) throws {
        #expect(!event.description.isEmpty)
        #expect(!event.description.unicodeScalars.contains { $0.value < 0x20 })
        #expect(!event.json.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(event.json.utf8))
        let members = try #require(object as? [String: Any])
        #expect(members["event"] as? String == event.name)
    }

    @Test func `all have names of their own`() {
        #expect(Set(Self.events.map(\.name)).count == Self.events.count)
    }

    @Test func `a flood of news is told at a rate`() {
        var budget = RateBudget(20, interval: .seconds(1))
        var now = Instant(microseconds: 1_000_000)
        var told = 0
        for _ in 0..<10_000 {
            now = now + .milliseconds(10)
            if budget.allows(at: now) { told += 1 }
        }
        // Twenty at once, then one each second for a hundred.
        #expect((100...125).contains(told))
        let isAllowed = budget.allows(at: now + .seconds(3_600))
        #expect(isAllowed)
    }
}
