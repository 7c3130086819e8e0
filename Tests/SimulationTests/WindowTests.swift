import Ports
import Simulation
import Testing
import Wire

struct WindowTests {
    static let period: UInt64 = 512 * 1024

    @Test func `a lone station founds a cluster after a period and a window`() throws {
        let stage = try Stage(1)
        try stage.start(0)
        let start = stage.world.now
        stage.run(TimeUnits(600))
        guard case .started(let interface, let identifier, _) = stage.events[0][0].event else {
            Issue.record("not started")
            return
        }
        #expect(identifier == interface.interfaceIdentifier)
        guard case .clusterJoined(let cluster, true) = stage.events[0][1].event else {
            Issue.record("no cluster")
            return
        }
        #expect(cluster.rawValue >> 16 == 0x506f_9a01)
        #expect(stage.events[0][1].time == start + TimeUnits(528))
    }

    @Test func `windows are due at their end, every 512 TU`() throws {
        let stage = try Stage(2)
        try stage.gather()
        stage.forget()
        stage.run(TimeUnits(5120))
        for index in 0...1 {
            let times = stage.windows(index)
            #expect(times.count == 10)
            for time in times {
                #expect(12 * 1024...16 * 1024 ~= time.microseconds % Self.period)
            }
            for (one, next) in zip(times, times.dropFirst()) {
                #expect(next.microseconds - one.microseconds == Self.period)
            }
        }
    }

    @Test func `a second station joins the cluster that it hears`() throws {
        let stage = try Stage(2)
        try stage.gather()
        #expect(stage.clusters(of: 0).count == 1)
        #expect(stage.clusters(of: 1) == stage.clusters(of: 0))
    }

    @Test func `multicast waits for the window`() throws {
        let stage = try Stage(2)
        try stage.gather()
        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        try stage.send(0, to: .nanNetwork, cookie: 7)
        stage.run(TimeUnits(400))
        #expect(stage.received(1).isEmpty)
        #expect(stage.sent(0).isEmpty)
        stage.run(TimeUnits(50))
        #expect(stage.received(1).count == 1)
        #expect(stage.sent(0).map(\.cookie) == [7])
    }

    @Test func `unicast to a stranger waits for the window and is acknowledged`() throws {
        let stage = try Stage(2)
        try stage.gather()
        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        try stage.send(0, to: stage.addresses[1], cookie: 3)
        stage.run(TimeUnits(411))
        #expect(stage.received(1).isEmpty)
        stage.run(TimeUnits(3))
        #expect(stage.received(1).count == 1)
        #expect(stage.sent(0).map(\.cookie) == [3])
        #expect(stage.sent(0).map(\.acknowledged) == [true])
    }

    @Test func `unicast to a scheduled peer uses common slots`() throws {
        let stage = try Stage(2)
        try stage.gather()
        try stage.introduce(0, 1)
        stage.runToWindow(plus: TimeUnits(100))
        stage.forget()
        try stage.send(0, to: stage.addresses[1])
        stage.run(TimeUnits(1))
        #expect(stage.sent(0).map(\.acknowledged) == [true])
    }
}
