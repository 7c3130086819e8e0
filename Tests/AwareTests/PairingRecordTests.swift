import Frames
import Ports
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// What is remembered of a pairing, and what becomes of it on a worn-out card.
struct PairingRecordTests {
    private func peer(lifetime: UInt32? = 43_200, services: [ShortText] = ["_drone-service._udp"]) throws
        -> PairedPeer
    {
        let identity = try #require(Identity(nik: .nik(0xf0)))
        return try #require(
            PairedPeer(
                identity: identity, npk: .npk(0x5a), name: "Zoë's phone",
                vendor: "Acme",
                model: "", services: services, pairedAt: 1_700_000_000, lastSeen: 1_700_000_123,
                lifetime: lifetime))
    }

    private func text(_ record: borrowing Secret) -> String {
        String(decoding: record.withOctets { [UInt8]($0) }, as: UTF8.self)
    }

    @Test func `a record is a text that a person can read`() throws {
        let lines = text(try peer().record()).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.dropLast(2) == [
                "awared-peer 1", "name Zoë's phone", "vendor Acme", "model ", "service _drone-service._udp",
                "nik f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0",
                "npk 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a", "suite 7",
                "paired_at 1700000000", "last_seen 1700000123", "lifetime 43200",
            ])
        #expect(lines[lines.count - 2].hasPrefix("sha256 "))
        #expect(lines.last == "")
    }

    @Test func `a bond over Bluetooth is in the record, and only where there is one`() throws {
        var tied = try peer()
        tied.bluetooth = BluetoothAddress(MACAddress(rawValue: 0xc655_4433_2211), isRandom: true)
        #expect(text(tied.record()).contains("lifetime 43200\nbluetooth c6:55:44:33:22:11 random\nsha256 "))
        #expect(try PairedPeer(parsing: tied.record()).bluetooth == tied.bluetooth)
        #expect(try PairedPeer(parsing: try peer().record()).bluetooth == nil)
        for wrong in ["", "c6:55:44:33:22:11", "c655443322 11 random", "c6:55:44:33:22:11 known"] {
            #expect(BluetoothAddress(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `what was written is read again`() throws {
        for original in [
            try peer(), try peer(lifetime: nil), try peer(lifetime: 0, services: []),
            try peer(services: .init(repeating: "_a._tcp", count: 40)),
        ] {
            let read = try PairedPeer(parsing: original.record())
            #expect(read.id == original.id)
            #expect(read.identity.nik.seen == original.identity.nik.seen)
            #expect(read.npk.seen == original.npk.seen)
            #expect(read.suite == .pasn128)
            #expect(read.name == original.name)
            #expect(read.vendor == original.vendor)
            #expect(read.model == original.model)
            #expect(read.services == original.services)
            #expect(read.services.count <= PairedPeer.serviceLimit)
            #expect(read.pairedAt == original.pairedAt)
            #expect(read.lastSeen == original.lastSeen)
            #expect(read.lifetime == original.lifetime)
            #expect(text(read.record()) == text(original.record()))
        }
        let identity = Identity(from: PairingEntropy(1))
        #expect(try Identity(parsing: identity.record()).nik.seen == identity.nik.seen)
    }

    @Test func `no record that is cut, longer, or changed in one bit is taken`() throws {
        let whole = try peer().record().withOctets { [UInt8]($0) }
        let own = Identity(from: PairingEntropy(1)).record().withOctets { [UInt8]($0) }
        for octets in [whole, own] {
            for count in 0..<octets.count {
                expectRefused(Array(octets.prefix(count)))
            }
            for flipped in flips(of: octets) { expectRefused(flipped) }
            expectRefused(octets + [0x0a])
            expectRefused(octets + octets)
            expectRefused([UInt8](repeating: 0x0a, count: octets.count))
        }
    }

    private func expectRefused(_ octets: [UInt8]) {
        #expect(throws: RecordRefusal.self) { try PairedPeer(parsing: Secret(octets)) }
        #expect(throws: RecordRefusal.self) { try Identity(parsing: Secret(octets)) }
    }

    /// A record with a right check line, made of any lines.
    private func record(_ lines: [String]) -> Secret {
        let content = Array(lines.map { $0 + "\n" }.joined().utf8)
        let check = "sha256 \(String(hex: HashFunction.sha256.digest(content)))\n"
        return Secret(content + Array(check.utf8))
    }

    @Test func `a whole record that says something else is refused by name`() throws {
        let good = text(try peer().record()).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast(2).map(String.init)
        func refusal(_ change: (inout [String]) -> Void) -> RecordRefusal? {
            var lines = good
            change(&lines)
            do throws(RecordRefusal) {
                _ = try PairedPeer(parsing: record(lines))
                return nil
            } catch { return error }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0[0] = "awared-peer 2" } == .unsupported)
        #expect(refusal { $0[0] = "awared-identity 1" } == .unsupported)
        #expect(refusal { $0 = [] } == .truncated)
        #expect(refusal { $0.remove(at: 1) } == .missing("name"))
        #expect(refusal { $0.swapAt(1, 2) } == .missing("name"))
        #expect(refusal { $0.remove(at: 5) } == .missing("nik"))
        #expect(refusal { $0[5] = "nik f0" } == .invalid("nik"))
        #expect(refusal { $0[6] = "npk zz" } == .invalid("npk"))
        #expect(refusal { $0[7] = "suite 256" } == .invalid("suite"))
        #expect(refusal { $0[8] = "paired_at -1" } == .invalid("paired_at"))
        #expect(refusal { $0[9] = "last_seen 99999999999999999999" } == .invalid("last_seen"))
        #expect(refusal { $0[10] = "lifetime 4294967296" } == .invalid("lifetime"))
        #expect(refusal { $0[1] = "name " + String(repeating: "x", count: 65) } == .invalid("name"))
        #expect(refusal { $0[1] = "name a\u{1b}[2J" } == .invalid("name"))
        #expect(
            refusal { $0.insert(contentsOf: [String](repeating: "service a", count: 16), at: 4) }
                == .invalid("service"))
        #expect(refusal { $0.append("colour blue") } == .leftOver)
        #expect(throws: RecordRefusal.truncated) { try PairedPeer(parsing: Secret([])) }
    }

    @Test func `a name is made harmless`() {
        #expect(ShortText("Anna\u{0}\u{1b}[31m\n\u{7f}\u{9b}\u{2028}\u{202e}").text == "Anna[31m")
        #expect(ShortText(String(repeating: "ü", count: 40)).text == String(repeating: "ü", count: 32))
        #expect(ShortText(String(repeating: "a", count: 63) + "ü").text.utf8.count == 63)
        #expect(ShortText("").text == "")
        #expect(ShortText("👩🏽‍🚀").text == "👩🏽‍🚀")
    }

    @Test func `an id follows from the identity alone`() throws {
        let one = try peer()
        var other = try peer(lifetime: nil)
        other.name = "renamed"
        other.lastSeen += 1
        #expect(one.id == other.id)
        #expect(one.id.count == 8)
        #expect([UInt8](hex: one.id) != nil)
        let resolution = one.identity.resolution(of: PairingSides.phone, entropy: PairingEntropy(1))
        #expect(one.isSender(of: resolution, at: PairingSides.phone))
        #expect(!one.isSender(of: resolution, at: PairingSides.accessory))
    }
}
