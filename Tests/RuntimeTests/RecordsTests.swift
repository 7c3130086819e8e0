import Aware
import Crypto
import Ports
import Runtime
import Simulation
import Testing

struct RecordsTests {
    let store = MemoryStore()
    let journal = RecordedJournal()
    var records: Records { Records(store: store, journal: journal) }

    private func damage(_ name: String) throws {
        let record = try #require(try store.load(name))
        var octets = record.secret.withOctets { [UInt8]($0) }
        octets[octets.count / 2] ^= 1
        try store.save(name, Secret(octets))
    }

    @Test func `an identity is made once`() throws {
        let first = try records.identity(entropy: SeededEntropy(seed: 1))
        let second = try records.identity(entropy: SeededEntropy(seed: 2))
        #expect(isSame(first.nik, second.nik))
        #expect(store.writes == 1)
    }

    @Test func `a damaged identity is set aside and made anew, which is said`() throws {
        let first = try records.identity(entropy: SeededEntropy(seed: 1))
        try damage("identity")
        let second = try records.identity(entropy: SeededEntropy(seed: 2))
        #expect(!isSame(first.nik, second.nik))
        #expect(store.setAside == ["identity"])
        #expect(journal.entries.first?.importance == .warning)
        #expect(journal.entries.first?.line.contains("devices have to pair again") == true)
        let third = try records.identity(entropy: SeededEntropy(seed: 3))
        #expect(isSame(second.nik, third.nik))
    }

    @Test func `a damaged device is set aside, and the rest is used`() throws {
        for number in 1...3 { records.save(try .numbered(UInt8(number), name: "phone \(number)")) }
        let damaged = try PairedPeer.numbered(2, name: "phone 2").id
        try damage("peer-\(damaged)")
        #expect(Set(try records.peers().map(\.name.text)) == ["phone 1", "phone 3"])
        #expect(store.setAside == ["peer-\(damaged)"])
        #expect(journal.entries.count == 1)
        #expect(try records.peers().count == 2)
        #expect(journal.entries.count == 1, "it is said once")
    }

    @Test func `records of others are left alone`() throws {
        try store.save("lease", Secret([1, 2, 3]))
        #expect(try records.peers().isEmpty)
        #expect(store.setAside.isEmpty && store.records.count == 1)
    }

    @Test func `an empty record and one of another kind are damaged`() throws {
        try store.save("peer-0", Secret([]))
        _ = try records.identity(entropy: SeededEntropy(seed: 1))
        let identity = try #require(try store.load("identity"))
        try store.save("peer-1", identity.secret)
        #expect(try records.peers().isEmpty)
        #expect(store.setAside.sorted() == ["peer-0", "peer-1"])
    }

    @Test func `a store that fails is told of, and does not end the program`() throws {
        let device = try PairedPeer.numbered(1, name: "Ada")
        store.plan(.failure, atWrite: 1)
        store.plan(.failure, atWrite: 2)
        records.save(device)
        #expect(throws: StoreError.self) { try records.remove(device.id) }
        #expect(journal.entries.map(\.importance) == [.warning])
        #expect(journal.entries.first?.line.hasPrefix("cannot keep Ada (\(device.id))") == true)
    }

    private func isSame(_ one: Key, _ other: Key) -> Bool {
        one.secret.withOctets { [UInt8]($0) } == other.secret.withOctets { [UInt8]($0) }
    }
}
