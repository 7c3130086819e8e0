import Ports
import Testing
import Wire

@testable import LinuxBluetooth

struct SharedBluetoothTests {
    @Test func `what happened while something was asked is told at once, not with the next try`() {
        let bluetooth = SharedBluetooth(adapter: nil, busAddress: "unix:path=/nowhere/bus")
        let now = Instant(microseconds: 5_000_000)
        bluetooth.perform(
            .start(BluetoothConfiguration(name: "board", pairing: .none, services: [])), at: now)
        #expect(bluetooth.deadline.map { $0 <= now } == true)
        guard case .unavailable? = bluetooth.nextEvent(at: now) else {
            Issue.record("nothing is told")
            return
        }
        #expect(bluetooth.nextEvent(at: now) == nil)
        #expect(bluetooth.deadline == now + .seconds(30))
    }
}
