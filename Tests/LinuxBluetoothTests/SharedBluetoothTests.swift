import Crypto
import Ports
import Simulation
import Testing
import Wire

@testable import LinuxBluetooth

struct SharedBluetoothTests {
    let store = MemoryStore()
    let now = Instant(microseconds: 5_000_000)

    /// Without a bus.
    func makeBluetooth() -> SharedBluetooth {
        SharedBluetooth(
            busAddress: "unix:path=/nowhere/bus", firstClient: 1, store: store, journal: RecordedJournal())
    }

    @Test func `what happened while something was asked is told at once, not with the next try`() {
        let bluetooth = makeBluetooth()
        #expect(bluetooth.objection == nil)
        bluetooth.perform(
            .start(BluetoothConfiguration(name: "board", pairing: .none, services: [])), at: now)
        #expect(bluetooth.deadline.map { $0 <= now } == true)
        guard case .unavailable(let reason)? = bluetooth.nextEvent(at: now) else {
            Issue.record("nothing is told")
            return
        }
        #expect(bluetooth.objection == reason)
        #expect(bluetooth.nextEvent(at: now) == nil)
        #expect(bluetooth.deadline == now + .seconds(30))
    }

    @Test func `a bond that is to be forgotten is known over a restart`() throws {
        try makeBluetooth().removeBond(FakeDaemon.phoneAddress, at: now)
        try makeBluetooth().removeBond(FakeDaemon.phoneAddress, at: now)
        #expect(store.records.keys.sorted() == ["forgotten-aabbcc000002-random"])
        var forgotten = ForgottenBonds(store: store, journal: RecordedJournal())
        #expect(forgotten.addresses == [FakeDaemon.phoneAddress])
        forgotten.removeAll()
        #expect(store.records.isEmpty && forgotten.addresses.isEmpty)
    }

    @Test func `one that would be known again after a restart is said to be so`() {
        store.plan(.powerCut(isWritten: false), atWrite: 1)
        let bluetooth = makeBluetooth()
        #expect(throws: StoreError.self) { try bluetooth.removeBond(FakeDaemon.phoneAddress, at: now) }
    }

    @Test func `bonds to be forgotten are bounded, and damaged records set aside`() throws {
        try store.save("forgotten-nonsense", Secret([1, 2, 3]))
        var forgotten = ForgottenBonds(store: store, journal: RecordedJournal())
        #expect(forgotten.addresses.isEmpty && store.setAside == ["forgotten-nonsense"])
        for number in 0...ForgottenBonds.most {
            try forgotten.add(BluetoothAddress(MACAddress(rawValue: UInt64(number)), isRandom: false))
        }
        #expect(forgotten.addresses.count == ForgottenBonds.most)
        #expect(store.records.count == ForgottenBonds.most)
        #expect(forgotten.addresses.first?.octets.rawValue == 1)
    }
}
