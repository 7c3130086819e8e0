import Crypto
import Ports
import Simulation
import Testing
import Wire

@testable import LinuxBluetooth

struct BondsTests {
    let store = MemoryStore()
    let now = Instant(microseconds: 1_000_000)

    private func keep(_ last: UInt64, number: UInt32) -> BluetoothAddress {
        var bond = ManagementTests.bond
        bond.address = BluetoothAddress(MACAddress(rawValue: last), isRandom: false)
        bond.number = number
        Bonds(store: store, journal: RecordedJournal()).keep(bond)
        return bond.address
    }

    @Test func `bonds come back in the order in which they were made`() {
        let addresses = [keep(9, number: 1), keep(3, number: 2), keep(5, number: 3)]
        let bluetooth = LinuxBluetooth(store: store, journal: RecordedJournal())
        #expect(bluetooth.bonds == addresses)
    }

    @Test func `of too many bonds the newest come back`() {
        for number in 1...UInt32(Adapter.mostBonds + 1) { _ = keep(UInt64(number), number: number) }
        let bonds = LinuxBluetooth(store: store, journal: RecordedJournal()).bonds
        #expect(bonds.count == Adapter.mostBonds && bonds.first?.octets.rawValue == 2)
    }

    @Test func `a bond is forgotten for good though Bluetooth is off`() throws {
        let address = keep(9, number: 1)
        let bluetooth = LinuxBluetooth(store: store, journal: RecordedJournal())
        try bluetooth.removeBond(address, at: now)
        #expect(try bluetooth.bonds.isEmpty && store.names().isEmpty)
    }

    @Test func `of a bond whose record stays it is said, and it is forgotten until then`() {
        let address = keep(9, number: 1)
        let bluetooth = LinuxBluetooth(store: store, journal: RecordedJournal())
        store.plan(.powerCut(isWritten: false), atWrite: store.writes + 1)
        #expect(throws: StoreError.self) { try bluetooth.removeBond(address, at: now) }
        #expect(bluetooth.bonds.isEmpty && store.records.count == 1)
    }
}
