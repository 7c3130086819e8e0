import Crypto
import Foundation
import Ports
import Testing
import Wire

@testable import Simulation

struct ProtectionTests {
    @Test func `protected frames are encrypted on the air and arrive as plain text`() throws {
        let (stage, heard) = try paired(key(1), key(1))
        try stage.send(0, to: stage.addresses[1], category: 9, tag: 0x77)
        stage.run(TimeUnits(2))
        let frame = try #require(stage.received(1).first)
        #expect(frame[1] & 0x40 != 0)
        #expect([UInt8](frame[24...]) == [9, 0x09, 0x50, 0x6f, 0x9a, 0x13, 0x77])
        let onAir = try #require(heard.frames.first { $0[0] == 0xd0 })
        #expect(onAir.count == 24 + 8 + 7 + 8)
        #expect(onAir[1] & 0x40 != 0)
        #expect([UInt8](onAir[24..<32]) == [1, 0, 0, 0x20, 0, 0, 0, 0])
        #expect(!onAir.contains([0x09, 0x50, 0x6f, 0x9a]))
    }

    @Test func `a wrong key never delivers`() throws {
        let (stage, _) = try paired(key(1), key(2))
        for _ in 0..<5 { try stage.send(0, to: stage.addresses[1], category: 9) }
        stage.run(TimeUnits(600))
        #expect(stage.received(1).isEmpty)
        #expect(stage.radios[1].counters.undecryptable == 5)
        #expect(stage.sent(0).map(\.acknowledged) == Array(repeating: true, count: 5), "the MAC acknowledges")
    }

    @Test func `without a key a protected frame is neither sent nor received`() throws {
        let (stage, _) = try paired(key(1), nil)
        try stage.send(0, to: stage.addresses[1], category: 9)
        stage.run(TimeUnits(600))
        #expect(stage.received(1).isEmpty)
        #expect(stage.radios[1].counters.undecryptable == 1)
        #expect(throws: RadioError.self) { try stage.send(1, to: stage.addresses[0], category: 9) }
        #expect(throws: RadioError.self) { try stage.send(0, to: .nanNetwork, category: 9) }
        try stage.perform(0, .removePairingKey(stage.addresses[1]))
        #expect(throws: RadioError.self) { try stage.send(0, to: stage.addresses[1], category: 9) }
    }

    @Test func `public frames of paired stations stay in clear`() throws {
        let (stage, heard) = try paired(key(1), key(1))
        try stage.send(0, to: stage.addresses[1], category: 4)
        stage.run(TimeUnits(2))
        #expect(stage.received(1).count == 1)
        #expect(heard.frames.allSatisfy { $0[1] & 0x40 == 0 })
    }

    @Test func `replayed, changed and unprotected frames are dropped and counted`() throws {
        let (stage, heard) = try paired(key(1), key(1))
        try stage.send(0, to: stage.addresses[1], category: 9)
        stage.run(TimeUnits(2))
        let original = try #require(heard.datagrams.first { $0.frame[0] == 0xd0 })
        var radio = stage.radios[1]
        func inject(_ change: (inout [UInt8]) -> Void) {
            var datagram = original
            datagram.time = stage.world.now.microseconds
            datagram.frame[22] ^= 0x50
            change(&datagram.frame)
            radio.arrive(datagram, at: stage.world.now)
            stage.run(TimeUnits(2))
        }
        stage.forget()
        inject { _ in }
        #expect(radio.counters.replayed == 1)
        inject {
            $0[24] = 9
            $0[33] ^= 1
        }
        #expect(radio.counters.undecryptable == 1)
        inject {
            $0[24] = 9
            $0[5] ^= 1
        }  // another receiver: not even ours
        inject {
            $0[24] = 9
            $0[17] ^= 1
        }  // another cluster
        #expect(radio.counters.elsewhere == 1)
        inject {
            $0[24] = 9
            $0[27] = 0x60
        }
        #expect(radio.counters.undecryptable == 1)
        inject { $0 = [UInt8]($0[..<30]) }
        #expect(radio.counters.malformed == 2)
        inject {
            $0[1] &= ~0x40
            $0 = $0[..<24] + [9, 0x09, 0x50, 0x6f, 0x9a, 0x13]
        }
        #expect(radio.counters.unprotected == 1)
        #expect(stage.received(1).isEmpty)
        radio = stage.radios[1]
    }

    @Test func `a key that is installed again goes on counting`() throws {
        let (stage, heard) = try paired(key(1), key(1))
        for _ in 0..<2 {
            try stage.send(0, to: stage.addresses[1], category: 9)
            stage.run(TimeUnits(2))
            try stage.perform(0, .installPairingKey(stage.addresses[1], key(1)))
        }
        #expect(heard.frames.filter { $0[0] == 0xd0 }.map { $0[24] } == [1, 2])
        #expect(stage.received(1).count == 2)
    }

    @Test func `recorded frames of another implementation open, and ours are the same octets`() throws {
        let recorded = try recordedFrames()
        #expect(recorded.count == 9)
        for (isData, frame) in recorded {
            let secret = isData ? "cec625ee8c5aa3cf5722d3773e74c283" : "c153c6992e70bf785780b3b0dd89d75b"
            let count = isData ? FrameHead.dataCount : FrameHead.managementCount
            var link = ProtectedLink(key: Key(Secret([UInt8](hex: secret) ?? [])))
            let plain = try link.open(frame, headCount: count)
            let number = try #require(CCMP.packetNumber(of: frame, headCount: count))
            #expect(
                CCMP.seal(plain, headCount: count, packetNumber: number, key: link.key.secret) == frame)
            if isData {
                let packet = try PathPacket(parsing: [UInt8](plain[count...]))
                #expect(
                    try [UInt8](packet.octets()[16...]) == [UInt8](plain[(count + 16)...]),
                    "but for the hop limit")
            } else {
                #expect([UInt8](plain[24..<29]) == [9, 0x09, 0x50, 0x6f, 0x9a])
            }
        }
    }

    private func recordedFrames() throws -> [(isData: Bool, octets: [UInt8])] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/air/encrypted.frames")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let octets = [UInt8](hex: String(words[1])) else { return nil }
            return (words[0] == "data", octets)
        }
    }

    private func paired(_ one: Key?, _ other: Key?) throws -> (Stage, Heard) {
        let stage = try Stage(2)
        try stage.gather()
        try stage.introduce(0, 1)
        if let one { try stage.perform(0, .installPairingKey(stage.addresses[1], one)) }
        if let other { try stage.perform(1, .installPairingKey(stage.addresses[0], other)) }
        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        let heard = Heard()
        stage.world.capture = heard
        return (stage, heard)
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
