import Testing
import Wire

@testable import BluetoothLE

/// The same octets for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

struct HostileClientTests {
    /// One of every PDU that the server does something with.
    static let pdus: [[UInt8]] = [
        "02f700", "0401001400", "060100ffff00280a18", "080100ffff0328", "0a0c00", "0c0c000100", "0e03000500",
        "100100ffff0028", "120f000102", "120d000100", "160f0000000102", "1801", "1e", "520f0001", "20030005",
        "080100ffff00ffeeddccbbaa998877665544332211", "d20f00010000000000000000000000000000",
    ].map { [UInt8](hex: $0) ?? [] }

    /// Whatever is answered is short enough, is an answer to what was asked, and is one.
    static func check(_ server: inout ATTServer, _ pdu: [UInt8], _ client: Client) {
        let before = server.isReady
        server.receive(pdu, from: client.values, at: client.now)
        #expect(server.news.count <= server.database.attributes.count)
        guard before, let answer = server.outgoing else { return }
        #expect(answer.count <= server.mtu)
        if answer.first == 0x01 { #expect(answer.count == 5 && answer[1] == pdu.first) }
    }

    @Test func `every prefix and every flipped bit of every PDU`() {
        let client = Client()
        for security in [LinkSecurity.open, .encrypted, .authenticated] {
            for pdu in Self.pdus {
                for count in 0...pdu.count {
                    var server = ATTServer(Client.database)
                    server.security = security
                    Self.check(&server, Array(pdu[..<count]), client)
                }
                for bit in 0..<8 * pdu.count {
                    var changed = pdu
                    changed[bit / 8] ^= 1 << UInt8(bit % 8)
                    var server = ATTServer(Client.database)
                    server.security = security
                    Self.check(&server, changed, client)
                }
            }
        }
    }

    @Test func `ten thousand connections of clients that err`() {
        var random = SeededGenerator(state: 42)
        var client = Client()
        for _ in 0..<10_000 {
            var server = ATTServer(Client.database)
            server.security = [.open, .encrypted, .authenticated].randomElement(using: &random) ?? .open
            server.isBonded = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 1...24, using: &random) {
                Self.check(&server, Self.faulty(using: &random), client)
                if Int.random(in: 0..<4, using: &random) == 0 { server.notify(.open, [1, 2, 3]) }
                if Int.random(in: 0..<4, using: &random) > 0 { server.sent(at: client.now) }
                client.now = client.now + TimeUnits(UInt32.random(in: 0...9_000, using: &random))
                server.advance(to: client.now)
            }
            #expect(server.news.count <= 3)
        }
        #expect(client.values.writes.allSatisfy { $0.count <= 512 })
    }

    private static func faulty(using random: inout SeededGenerator) -> [UInt8] {
        var pdu = pdus.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: pdu = Array(pdu.prefix(Int.random(in: 0...pdu.count, using: &random)))
        case 1 where !pdu.isEmpty:
            pdu[Int.random(in: 0..<pdu.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: pdu += [UInt8](repeating: 7, count: Int.random(in: 0...600, using: &random))
        case 3:
            pdu = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        default: break
        }
        return pdu
    }

    @Test func `who floods and does not read is answered once, and others all the time`() {
        var flood = Client()
        var calm = Client()
        #expect(flood.ask("120d000100") == "13")
        for round in 0..<10_000 {
            flood.server.receive([0x0a, 0x0c, 0x00], from: flood.values, at: flood.now)
            flood.server.notify(.open, [UInt8(truncatingIfNeeded: round)])
            #expect(!flood.server.isReady)
            #expect(calm.ask("0a0300").hasPrefix("0b"))
        }
        #expect(flood.server.news.count == 1)
        #expect(flood.next().hasPrefix("0b"))
        #expect(flood.next() == "1b0c00" + String(hex: [UInt8(truncatingIfNeeded: 9_999)]))
        #expect(flood.next() == "")
    }
}
