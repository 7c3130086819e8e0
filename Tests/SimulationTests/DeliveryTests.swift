import Ports
import Simulation
import Testing
import Wire

struct DeliveryTests {
    @Test func `a frame to nobody is tried a few times, then reported as not acknowledged`() throws {
        let stage = try Stage(1)
        try stage.gather()
        let heard = Heard()
        stage.world.capture = heard
        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        try stage.send(0, to: MACAddress(rawValue: 0x02dead_beef01), cookie: 9)
        stage.run(TimeUnits(1024))
        #expect(stage.sent(0).map(\.cookie) == [9])
        #expect(stage.sent(0).map(\.acknowledged) == [false])
        let attempts = heard.frames.filter { $0.count > 24 && $0[0] == 0xd0 }
        #expect(attempts.count == 4)
        #expect(attempts.map { $0[1] & 0x08 } == [0, 8, 8, 8])
        #expect(Set(attempts.map { [UInt8]($0[22..<24]) }).count == 1)
        #expect(stage.radios[0].counters.unacknowledged == 1)
    }

    @Test func `lost frames and acknowledgements are made good, and nothing arrives twice`() throws {
        let stage = try Stage(2, seed: 5)
        try stage.gather()
        try stage.introduce(0, 1)
        stage.forget()
        stage.world.loss = 0.3
        for number in 0..<40 {
            try stage.send(0, to: stage.addresses[1], cookie: UInt32(number), tag: UInt8(number))
        }
        stage.run(TimeUnits(20_000))
        let tags = stage.received(1).compactMap(\.last)
        #expect(tags == Set(tags).sorted(), "in order and once")
        #expect(tags.count >= 37)
        #expect(stage.radios[1].counters.duplicates > 0)
        #expect(stage.sent(0).count == 40)
        let acknowledged = stage.sent(0).filter(\.acknowledged).map { UInt8($0.cookie) }
        #expect(Set(acknowledged).isSubset(of: Set(tags)), "what is acknowledged has arrived")
    }

    @Test func `an acknowledgement is an 802.11 control frame`() throws {
        let stage = try Stage(2)
        try stage.gather()
        let heard = Heard()
        stage.world.capture = heard
        try stage.send(0, to: stage.addresses[1])
        stage.run(TimeUnits(600))
        #expect(heard.frames.contains([0xd4, 0, 0, 0] + stage.addresses[0].octets))
    }

    @Test func `others do not see what is not for them`() throws {
        let stage = try Stage(3)
        try stage.gather()
        stage.forget()
        try stage.send(0, to: stage.addresses[1])
        stage.run(TimeUnits(600))
        #expect(stage.received(1).count == 1)
        #expect(stage.received(2).isEmpty)
    }

    @Test func `the queue has an end`() throws {
        let stage = try Stage(1)
        try stage.gather()
        stage.runToWindow(plus: TimeUnits(100))
        for _ in 0..<64 { try stage.send(0, to: .nanNetwork) }
        #expect(throws: RadioError(.noRoom, "too many frames wait")) { try stage.send(0, to: .nanNetwork) }
        stage.forget()
        stage.run(TimeUnits(512))
        #expect(stage.sent(0).count == 64)
    }

    @Test func `only what a program registers for reaches it`() throws {
        let stage = try Stage(2)
        try stage.gather()
        stage.forget()
        var other = try stage.frame(0, to: stage.addresses[1])
        other[28] = 0x14
        try stage.perform(0, .send(other, cookie: 1))
        stage.run(TimeUnits(600))
        #expect(stage.received(1).isEmpty)
        #expect(stage.radios[1].counters.unwanted == 0 || stage.radios[1].counters.unwanted == 1)
        #expect(stage.sent(0).map(\.acknowledged) == [true])
    }

    @Test func `what a kernel refuses is refused`() throws {
        let stage = try Stage(1)
        func cause(_ body: () throws -> Void) -> RadioError.Cause? {
            do { try body() } catch let error as RadioError { return error.cause } catch {}
            return nil
        }
        let peer = MACAddress(rawValue: 0x02dead_beef01)
        #expect(cause { try stage.perform(0, .addPeer(peer)) } == .notRunning)
        #expect(cause { try stage.start(0, preference: 0) } == .malformed)
        #expect(cause { try stage.start(0, preference: 255) } == .malformed)
        try stage.start(0)
        #expect(cause { try stage.send(0, to: peer) } == .notRunning, "not in a cluster yet")
        stage.run(TimeUnits(600))
        let schedule = PeerSchedule(committedWindows: 1, channelSwitchTime: 0, sequence: 1, slots: 2)
        #expect(cause { try stage.perform(0, .setPeerSchedule(peer, schedule)) } == .unknownPeer)
        #expect(cause { try stage.perform(0, .removePeer(peer)) } == .unknownPeer)
        #expect(cause { try stage.perform(0, .installPairingKey(peer, key(1))) } == .unknownPeer)
        #expect(cause { try stage.perform(0, .openDataPath(stage.dataPeer(0), key: nil)) } == .unknownPeer)
        #expect(cause { try stage.perform(0, .closeDataPath(peer)) } == .unknownPeer)
        #expect(cause { try stage.perform(0, .send([0xd0, 0], cookie: 1)) } == .malformed)
        let blank = LocalSchedule(slots: 2, frequency: 2437, availability: [])
        #expect(cause { try stage.perform(0, .setLocalSchedule(blank)) } == .malformed)
        var foreign = try stage.frame(0, to: peer)
        foreign[15] ^= 1
        #expect(cause { try stage.perform(0, .send(foreign, cookie: 1)) } == .malformed)
        #expect(cause { try stage.send(0, to: peer, category: 0x7f) } == .malformed)
        #expect(cause { try stage.send(0, to: peer, category: 9) } == .unknownPeer)
    }
}

/// All that stations sent.
final class Heard: AirCapture {
    private(set) var datagrams: [AirDatagram] = []
    var frames: [[UInt8]] { datagrams.map(\.frame) }

    func capture(_ datagram: AirDatagram, isSent: Bool) { datagrams.append(datagram) }
}
