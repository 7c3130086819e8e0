import Crypto
import Ports
import Wire

/// Whose bonds bluetoothd is to remove as soon as it can be asked, over a restart of this program too.
struct ForgottenBonds {
    private(set) var addresses: [BluetoothAddress] = []
    private let store: any Store
    private let journal: any Journal

    private static let recordPrefix = "forgotten-"
    /// The oldest goes for one more.
    static let most = 64

    init(store: any Store, journal: any Journal) {
        self.store = store
        self.journal = journal
        load()
    }

    /// - Throws: where it would not be known after a restart.
    mutating func add(_ address: BluetoothAddress) throws(StoreError) {
        guard !addresses.contains(address) else { return }
        if addresses.count >= Self.most { remove(addresses.removeFirst()) }
        addresses.append(address)
        try store.save(Self.recordPrefix + address.recordName, Secret(Array(address.description.utf8)))
    }

    mutating func removeAll() {
        for address in addresses { remove(address) }
        addresses = []
    }

    private func remove(_ address: BluetoothAddress) {
        do throws(StoreError) {
            try store.remove(Self.recordPrefix + address.recordName)
        } catch {
            journal.write(.warning, "cannot remove a record of Bluetooth: \(error.explanation)")
        }
    }

    private mutating func load() {
        do throws(StoreError) {
            for name in try store.names() where name.hasPrefix(Self.recordPrefix) {
                guard let record = try store.load(name) else { continue }
                let text = record.secret.withOctets { String(decoding: $0, as: UTF8.self) }
                guard let address = BluetoothAddress(text), addresses.count < Self.most else {
                    try store.setAside(name)
                    continue
                }
                addresses.append(address)
            }
        } catch {
            journal.write(.warning, "cannot read which Bluetooth bonds to forget: \(error.explanation)")
        }
    }
}
