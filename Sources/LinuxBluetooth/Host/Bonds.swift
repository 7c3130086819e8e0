import Crypto
import Ports
import Wire

/// Bonds over a restart, as records of the store.
struct Bonds {
    let store: any Store
    let journal: any Journal

    /// Every bond whose record is whole, the oldest first. The others are set aside, which is said.
    func load() -> [Bond] {
        var bonds: [Bond] = []
        do throws(StoreError) {
            for name in try store.names().sorted() where name.hasPrefix(Bond.recordPrefix) {
                guard let record = try store.load(name) else { continue }
                do throws(WireError) {
                    let bond = try Bond(parsing: record.secret)
                    let later = bonds.firstIndex { $0.number > bond.number }
                    bonds.insert(bond, at: later ?? bonds.endIndex)
                } catch {
                    journal.write(.warning, "the record \(name) is damaged (\(error)) and set aside")
                    try store.setAside(name)
                }
            }
        } catch {
            journal.write(.warning, "cannot read the Bluetooth bonds: \(error.explanation)")
        }
        return bonds.suffix(Adapter.mostBonds)
    }

    /// A store that fails is told of; the bond then lasts until the restart.
    func keep(_ bond: Bond) {
        do throws(StoreError) {
            try store.save(Bond.recordName(bond.address), bond.record())
        } catch {
            journal.write(.warning, "cannot keep a Bluetooth bond: \(error.explanation)")
        }
    }

    func remove(_ address: BluetoothAddress) throws(StoreError) {
        try store.remove(Bond.recordName(address))
    }

    func forget(_ address: BluetoothAddress) {
        do throws(StoreError) {
            try remove(address)
        } catch {
            journal.write(.warning, "cannot remove a Bluetooth bond: \(error.explanation)")
        }
    }
}
