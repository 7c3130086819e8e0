import Accessory
import Aware
import Crypto
import Frames
import Phone
import Ports
import Runtime
import Simulation
import Testing
import Wire

struct AgentTests {
    @Test func `an agent that was stopped is gone when its farewell is said, and does nothing after`() throws
    {
        let rig = try Rig()
        rig.world.run(for: .seconds(5))
        rig.agent.stop(at: rig.world.now)
        rig.agent.stop(at: rig.world.now)
        #expect(rig.world.run(within: .seconds(2)) { rig.agent.isGone })
        #expect(rig.control.answerer == nil)
        #expect(rig.control.lines.filter { $0.contains("withdrawn") }.count == 1)
        let lines = rig.journal.entries.count
        rig.world.run(for: .seconds(60))
        #expect(rig.journal.entries.count == lines)
    }

    @Test func `it can be stopped before its radio has started`() throws {
        let rig = try Rig()
        rig.agent.stop(at: rig.world.now)
        #expect(rig.world.run(within: .seconds(2)) { rig.agent.isGone })
        #expect(rig.agent.accessory.status(at: rig.world.now).services.isEmpty)
    }

    @Test func `a channel is made for each service, and for a new one when it comes`() throws {
        let rig = try Rig()
        #expect(rig.made == ["_drone-service._udp"])
        rig.agent.reconfigure(
            try Rig.configuration(["_drone-service._udp", "_second._udp"]), at: rig.world.now)
        #expect(
            rig.agent.accessory.status(at: rig.world.now).services == ["_drone-service._udp", "_second._udp"])
    }

    /// A radio that does not start, as often as wanted.
    final class SulkingRadio: Radio {
        var failures: Int
        private(set) var starts = 0
        private var events: [RadioEvent] = []

        init(failures: Int) {
            self.failures = failures
        }

        var deadline: Instant? { events.isEmpty ? nil : Instant(microseconds: 0) }
        func addDescriptors(to set: inout DescriptorSet) {}
        func nextEvent(at now: Instant) -> RadioEvent? { events.isEmpty ? nil : events.removeFirst() }
        func report(_ event: RadioEvent) { events.append(event) }
        func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
            guard case .start = request else { return }
            starts += 1
            guard starts > failures else { throw RadioError(.gone, "no such device") }
            events.append(
                .started(
                    dataInterface: MACAddress(rawValue: 0x0200_0000_0007), interfaceIdentifier: 7,
                    capabilities: .simulated))
        }
    }

    /// Of no device yet, on that radio.
    private func agent(
        _ radio: SulkingRadio, in world: World, journal: RecordedJournal = RecordedJournal(),
        control: (any LocalControl)? = nil
    ) throws -> AccessoryAgent {
        let entropy = SeededEntropy(seed: 3)
        return AccessoryAgent(
            Accessory(
                configuration: try Rig.configuration(["_drone-service._udp"]),
                identity: Identity(from: entropy), devices: [], entropy: entropy),
            in: AccessoryAgent.Surroundings(
                radio: radio, panels: [], records: Records(store: MemoryStore(), journal: journal),
                clock: world.clock, journal: journal, control: control,
                makeChannel: { SilentChannel($0.publication.name.text) }))
    }

    @Test func `a radio that does not start, or goes away, is tried again`() throws {
        let world = World(seed: 3)
        let radio = SulkingRadio(failures: 2)
        let journal = RecordedJournal()
        let agent = try agent(radio, in: world, journal: journal)
        world.add(agent)
        agent.start(at: world.now)
        #expect(agent.accessory.status(at: world.now).radio == "off")
        world.run(for: .seconds(12))
        #expect(radio.starts == 3)
        #expect(agent.accessory.status(at: world.now).radio == "on")
        let address = agent.accessory.status(at: world.now).address

        radio.report(.stopped(RadioError(.gone, "rfkill")))
        world.run(for: .seconds(1))
        #expect(agent.accessory.status(at: world.now).radio == "off")
        world.run(for: .seconds(6))
        #expect(agent.accessory.status(at: world.now).radio == "on")
        #expect(agent.accessory.status(at: world.now).address != address, "a new address every time")
        #expect(
            journal.entries.filter { $0.line.contains("lost the radio") }.count == 2, "a reason is told once")
    }

    /// Turned by the agent, and counting.
    final class CountingControl: LocalControl {
        var answerer: (any LocalAnswerer)?
        let hasListeners = false
        private(set) var turns = 0
        var deadline: Instant? { nil }
        func addDescriptors(to set: inout DescriptorSet) {}
        func turn(at now: Instant) { turns += 1 }
        func broadcast(_ line: String) {}
    }

    @Test func `a flood from the radio leaves the others their turns, and is taken to its end`() throws {
        let radio = SulkingRadio(failures: 0)
        let control = CountingControl()
        let world = World(seed: 4)
        let agent = try agent(radio, in: world, control: control)
        agent.start(at: world.now)
        for _ in 0..<1_000 { radio.report(.windowDue) }
        var turns = 0
        while let deadline = radio.deadline, turns < 1_000 {
            #expect(agent.deadline == deadline, "what is left is due")
            agent.turn(at: world.now)
            turns += 1
        }
        #expect(turns > 10 && turns < 100)
        #expect(control.turns == turns)
    }

    /// Turns somebody until it has had enough.
    final class Waiting: Waiter {
        var now = Instant(microseconds: 0)
        private(set) var deadlines: [Instant?] = []
        private(set) var descriptors: [Int] = []
        func wait(for set: DescriptorSet, until deadline: Instant?) -> Instant {
            deadlines.append(deadline)
            descriptors.append(set.interests.count)
            if let deadline { now = max(now, deadline) }
            return now
        }
    }

    final class Guest: Turnable {
        var deadline: Instant?
        var turns = 0
        var whenTurned: () -> Void = {}
        init(deadline: Instant?) { self.deadline = deadline }
        func addDescriptors(to set: inout DescriptorSet) { set.add(5) }
        func turn(at now: Instant) {
            turns += 1
            whenTurned()
        }
    }

    @Test func `the loop waits for the earliest, turns everyone, and ends when it is told`() {
        let waiter = Waiting()
        let loop = Loop(waiter: waiter)
        let early = Guest(deadline: Instant(microseconds: 5))
        let late = Guest(deadline: Instant(microseconds: 9))
        let idle = Guest(deadline: nil)
        for guest in [late, early, idle] { loop.add(guest) }
        early.whenTurned = {
            early.deadline = nil
            if early.turns == 2 { loop.stop() }
        }
        loop.run()
        #expect(waiter.deadlines == [Instant(microseconds: 5), Instant(microseconds: 9)])
        #expect(waiter.descriptors == [3, 3], "not those of the time before as well")
        #expect([early.turns, late.turns, idle.turns] == [2, 2, 2], "everyone has had the last turn")
    }
}
