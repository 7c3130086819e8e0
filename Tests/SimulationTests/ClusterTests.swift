import Frames
import Ports
import Testing
import Wire

@testable import Simulation

struct ClusterTests {
    @Test func `stations that start together end in one cluster`() throws {
        let stage = try Stage(4)
        for index in 0..<4 { try stage.start(index) }
        stage.run(TimeUnits(3000))
        #expect(Set((0..<4).map { stage.cluster(of: $0) }).count == 1)
    }

    @Test func `two clusters that hear each other merge to the higher grade`() throws {
        let stage = try Stage(4)
        for (index, preference) in [(0, 50), (1, 2), (2, 200), (3, 2)] as [(Int, UInt8)] {
            stage.radios[index].group = index / 2
            try stage.start(index, preference: preference)
        }
        stage.run(TimeUnits(3000))
        #expect(stage.cluster(of: 0) == stage.cluster(of: 1))
        #expect(stage.cluster(of: 2) == stage.cluster(of: 3))
        let (low, high) = (stage.cluster(of: 0), stage.cluster(of: 2))
        #expect(low != high)

        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        for radio in stage.radios { radio.group = 0 }
        stage.run(TimeUnits(1100))
        for index in 0..<4 { #expect(stage.cluster(of: index) == high) }
        #expect(stage.clusters(of: 1).count >= 2)
        #expect(stage.clusters(of: 2).count == 1, "the higher grade notices nothing")
        guard case .clusterJoined(high, isNew: false)? = stage.events[0].first(where: isJoined)?.event else {
            Issue.record("not joined")
            return
        }
    }

    @Test func `frames that wait for a window are lost in a merge, and not reported`() throws {
        let stage = try Stage(2)
        stage.radios[0].group = 1
        try stage.start(0, preference: 2)
        try stage.start(1, preference: 200)
        stage.run(TimeUnits(3000))
        stage.runToWindow(plus: TimeUnits(100))
        stage.radios[0].group = 0
        stage.forget()
        try stage.send(0, to: stage.addresses[1], cookie: 5)
        stage.run(TimeUnits(1100))
        #expect(stage.cluster(of: 0) == stage.cluster(of: 1))
        #expect(stage.sent(0).isEmpty)
        #expect(stage.received(1).isEmpty)
        #expect(stage.radios[1].counters.elsewhere > 0)
    }

    @Test func `when the master goes the others keep the cluster`() throws {
        let stage = try Stage(3)
        try stage.gather()
        let cluster = stage.cluster(of: 0)
        let heard = Heard()
        try stage.perform(0, .stop)
        stage.run(TimeUnits(512 * 6))
        stage.world.capture = heard
        stage.forget()
        stage.run(TimeUnits(5120))
        let beacons = heard.frames.filter { $0[0] == 0x80 }
        #expect(beacons.count == 10, "one master, one beacon a window")
        #expect(Set(beacons.map { [UInt8]($0[10..<16]) }).count == 1)
        #expect(stage.windows(1).count == 10)
        try stage.start(0, preference: 1)
        stage.run(TimeUnits(1100))
        #expect(stage.cluster(of: 0) == cluster)
    }

    @Test func `a station with a higher preference becomes master of the cluster that it joins`() throws {
        let stage = try Stage(2)
        try stage.start(0, preference: 2)
        stage.run(TimeUnits(1100))
        try stage.start(1, preference: 200)
        stage.run(TimeUnits(2000))
        #expect(stage.cluster(of: 1) == stage.cluster(of: 0))
        let heard = Heard()
        stage.world.capture = heard
        stage.run(TimeUnits(5120))
        #expect(
            Set(heard.frames.filter { $0[0] == 0x80 }.map { [UInt8]($0[10..<16]) }) == [
                stage.addresses[1].octets
            ])
    }

    private func isJoined(_ entry: (time: Instant, event: RadioEvent)) -> Bool {
        if case .clusterJoined = entry.event { true } else { false }
    }
}

struct HostileBeaconTests {
    @Test(arguments: [0, 1, 511 * 1024, (1 << 62) - 1, 1 << 62, 1 << 63, .max] as [UInt64])
    func `no claimed time makes a station spin or stop`(timestamp: UInt64) throws {
        let stage = try Stage(1)
        try stage.gather()
        let time = stage.world.now.microseconds
        let beacon = BeaconFrame(
            timestamp: timestamp, interval: TimeUnits(512),
            attributes: [
                .masterIndication(MasterIndication(preference: 254, randomFactor: 255)),
                .cluster(ClusterAttribute(anchorRank: .max, hopCount: 0, beaconTime: 0)),
            ])
        let head = FrameHead(
            .beacon, receiver: .broadcast, transmitter: MACAddress(rawValue: 0x02de_adbe_ef01),
            cluster: MACAddress(rawValue: 0x506f_9a01_ffff))
        let frame = try head.octets() + beacon.octets()
        stage.radios[0].arrive(
            AirDatagram(time: time, frequency: 2437, signal: -30, frame: frame), at: stage.world.now)
        stage.run(TimeUnits(1))
        let isAccepted = timestamp <= 1 << 62
        #expect(stage.cluster(of: 0) == head.cluster || !isAccepted)
        stage.forget()
        stage.run(TimeUnits(5120))
        #expect(9...10 ~= stage.windows(0).count)
    }
}
