import Crypto
import Ports
import Testing
import Wire

@testable import Simulation

struct DataPathTests {
    @Test func `datagrams travel encrypted in QoS data frames`() throws {
        let (stage, heard) = try connected(key(1), key(1))
        send(stage, 0, 1, "hello")
        stage.run(TimeUnits(2))
        #expect(
            stage.radios[1].takeArrived() == [
                PathDatagram(
                    peer: try #require(stage.radios[0].dataInterface), sourcePort: 5000,
                    destinationPort: 14550,
                    payload: Array("hello".utf8))
            ])
        let frame = try #require(heard.frames.first { $0[0] == 0x88 })
        #expect(frame[1] == 0x40)
        #expect(frame.count == 26 + 8 + 8 + 40 + 8 + 5 + 8)
        #expect([UInt8](frame[16..<22]) == stage.cluster(of: 0).octets)
        #expect(heard.frames.contains { $0[0] == 0xd4 })
        send(stage, 1, 0, "back")
        stage.run(TimeUnits(2))
        #expect(stage.radios[0].takeArrived().map(\.payload) == [Array("back".utf8)])
    }

    @Test func `data waits for a common slot`() throws {
        let (stage, _) = try connected(key(1), key(1), slots: 1 << 20)
        send(stage, 0, 1, "later")
        stage.run(TimeUnits(200))
        #expect(stage.radios[1].takeArrived().isEmpty)
        stage.run(TimeUnits(30))
        #expect(stage.radios[1].takeArrived().count == 1)
    }

    @Test func `without common slots nothing is kept`() throws {
        let (stage, _) = try connected(nil, nil, slots: 0)
        send(stage, 0, 1, "never")
        #expect(stage.radios[0].counters.dropped == 1)
    }

    @Test func `neither a wrong key nor plain text gets through a secured path`() throws {
        for (one, other) in [(key(1), key(2)), (nil, key(2)), (key(1), nil)] as [(Key?, Key?)] {
            let (stage, _) = try connected(one, other)
            send(stage, 0, 1, "secret")
            stage.run(TimeUnits(600))
            #expect(stage.radios[1].takeArrived().isEmpty)
            let counters = stage.radios[1].counters
            #expect(counters.undecryptable + counters.unprotected == 1)
        }
    }

    @Test func `what does not fit, or finds no path, is counted`() throws {
        let (stage, _) = try connected(key(1), key(1))
        send(stage, 0, 1, String(repeating: "x", count: 1452))
        send(stage, 0, 1, String(repeating: "x", count: 1453))
        stage.run(TimeUnits(10))
        #expect(stage.radios[1].takeArrived().map(\.payload.count) == [1452])
        #expect(stage.radios[0].counters.dropped == 1)
        try stage.perform(0, .closeDataPath(stage.radios[1].dataInterface ?? .broadcast))
        send(stage, 0, 1, "gone")
        #expect(stage.radios[0].counters.dropped == 2)
        send(stage, 1, 0, "to a closed path")
        stage.run(TimeUnits(10))
        #expect(stage.radios[0].counters.unwanted == 1)
    }

    @Test func `many datagrams arrive in order, in spite of losses`() throws {
        let (stage, _) = try connected(key(1), key(1))
        stage.world.loss = 0.1
        for number in 0..<60 { send(stage, 0, 1, "\(number)") }
        stage.run(TimeUnits(4000))
        let numbers = stage.radios[1].takeArrived().compactMap {
            Int(String(decoding: $0.payload, as: UTF8.self))
        }
        #expect(numbers == Set(numbers).sorted())
        #expect(numbers.count >= 59)
    }

    @Test func `a path that nobody uses is reported once`() throws {
        let (stage, _) = try connected(key(1), key(1), idlePeriod: 3)
        stage.forget()
        stage.run(TimeUnits.seconds(2))
        send(stage, 0, 1, "still here")
        stage.run(TimeUnits.seconds(2))
        #expect(idle(stage, 0) == 0)
        stage.run(TimeUnits.seconds(8))
        #expect(idle(stage, 0) == 1)
        #expect(idle(stage, 1) == 1)
    }

    @Test func `a peer that is removed takes its paths along`() throws {
        let (stage, _) = try connected(key(1), key(1))
        try stage.perform(0, .removePeer(stage.addresses[1]))
        send(stage, 0, 1, "gone")
        #expect(stage.radios[0].counters.dropped == 1)
    }

    @Test func `every prefix and every changed octet of a packet is refused`() throws {
        let packet = PathPacket(
            source: 1, destination: 2, sourcePort: 3, destinationPort: 4, payload: [1, 2, 3, 4, 5])
        let octets = try packet.octets()
        #expect(try PathPacket(parsing: octets) == packet)
        for count in 0..<octets.count {
            #expect(throws: WireError.self) { try PathPacket(parsing: [UInt8](octets[..<count])) }
        }
        let ignored = Set(9...11).union([15, 8])  // flow label and hop limit are not covered
        for index in octets.indices where !ignored.contains(index) {
            var changed = octets
            changed[index] ^= 1
            #expect(throws: WireError.self, "octet \(index)") { try PathPacket(parsing: changed) }
        }
    }

    @Test func `a loopback address belongs to one station`() {
        var generator = SeededGenerator(seed: 3)
        var own: Set<UInt32> = []
        for _ in 0..<500 {
            let (one, other) = (MACAddress(random: generator.next()), MACAddress(random: generator.next()))
            own.insert(LoopbackAddress.own(one))
            #expect(LoopbackAddress.own(one) >> 22 == 0x7f40_0000 >> 22)
            #expect(LoopbackAddress.alias(of: one, at: other) >> 23 == 0x7f80_0000 >> 23)
            #expect(LoopbackAddress.alias(of: one, at: other) != LoopbackAddress.alias(of: other, at: one))
        }
        #expect(own.count >= 499)
    }

    private func idle(_ stage: Stage, _ index: Int) -> Int {
        stage.events[index].count { if case .dataPathIdle = $0.event { true } else { false } }
    }

    private func send(_ stage: Stage, _ from: Int, _ to: Int, _ text: String) {
        stage.radios[from].send(
            PathDatagram(
                peer: stage.radios[to].dataInterface ?? .broadcast, sourcePort: 5000, destinationPort: 14550,
                payload: Array(text.utf8)), at: stage.world.now)
    }

    private func connected(
        _ one: Key?, _ other: Key?, slots: UInt32 = 0xffff_fffe, idlePeriod: UInt16 = 0
    ) throws -> (Stage, Heard) {
        let stage = try Stage(2)
        try stage.gather()
        try stage.introduce(0, 1, slots: slots)
        try stage.connect(0, 1, keys: (one, other), idlePeriod: idlePeriod)
        stage.runToWindow(plus: TimeUnits(100))
        let heard = Heard()
        stage.world.capture = heard
        return (stage, heard)
    }
}
