import Crypto
import Glibc
import Ports
import Testing
import Wire

@testable import Simulation

struct WorldTests {
    @Test func `a day of an idle station and its peer takes seconds`() throws {
        let world = World()
        let radios = [world.makeRadio(), world.makeRadio()]
        var windows = [0, 0]
        let owners = radios.map { Owner($0) }
        for owner in owners { world.add(owner) }
        for (index, radio) in radios.enumerated() {
            try radio.perform(
                .start(
                    RadioConfiguration(
                        managementAddress: MACAddress(rawValue: 0x02_0000_0000_01 + UInt64(index)),
                        masterPreference: 2)), at: world.now)
        }
        let start = processorTime()
        world.run(for: .seconds(86_400))
        #expect(processorTime() - start < 20, "seconds of this thread, however busy the machine is")
        for index in 0...1 { windows[index] = owners[index].windows }
        #expect(windows.allSatisfy { 164_790...164_800 ~= $0 })
        #expect(world.now.microseconds >= 86_400_000_000)
    }

    @Test func `the same seed makes the same world`() throws {
        func play(_ seed: UInt64) throws -> [[UInt8]] {
            let stage = try Stage(3, seed: seed)
            let heard = Heard()
            stage.world.capture = heard
            stage.world.loss = 0.2
            for index in 0..<3 { try stage.start(index) }
            stage.run(TimeUnits(2000))
            for index in 0..<3 { try stage.send(index, to: stage.addresses[(index + 1) % 3]) }
            stage.run(TimeUnits(4000))
            return heard.frames
        }
        #expect(try play(4) == play(4))
        #expect(try play(4) != play(5))
    }

    @Test func `waiting for something ends when it is so, or at the limit`() throws {
        let stage = try Stage(1)
        try stage.radios[0].perform(
            .start(RadioConfiguration(managementAddress: stage.addresses[0], masterPreference: 1)),
            at: stage.world.now)
        let owner = Owner(stage.radios[0])
        stage.world.add(owner)
        let start = stage.world.now
        #expect(stage.world.run(within: .seconds(5)) { owner.windows == 2 })
        #expect(stage.world.now < start + .seconds(2))
        #expect(!stage.world.run(within: .seconds(5)) { owner.windows == 100 })
        #expect(stage.world.now.microseconds(since: start) >= 5_000_000)
    }

    @Test func `a station out of reach hears nothing and is not heard`() throws {
        let stage = try Stage(2)
        try stage.gather()
        stage.radios[1].isAway = true
        stage.forget()
        try stage.send(0, to: .nanNetwork)
        try stage.send(0, to: stage.addresses[1], cookie: 2)
        stage.run(TimeUnits(1100))
        #expect(stage.received(1).isEmpty)
        #expect(stage.sent(0).map(\.acknowledged) == [false, false])
    }

    @Test func `the calendar follows the clock`() {
        let world = World()
        let date = world.clock.date
        world.run(for: .seconds(100))
        #expect(world.clock.date == date + 100)
    }

    @Test func `a store fails as planned, and keeps the old record or the new one`() throws {
        let store = MemoryStore()
        try store.save("a", Secret([1]))
        store.plan(.failure, atWrite: 2)
        store.plan(.powerCut(isWritten: false), atWrite: 4)
        store.plan(.powerCut(isWritten: true), atWrite: 5)
        #expect(throws: StoreError.self) { try store.save("a", Secret([2])) }
        #expect(octets(try store.load("a")) == [1])
        try store.save("b", Secret([3]))
        #expect(throws: StoreError.self) { try store.remove("b") }
        #expect(throws: StoreError.self) { try store.names() }
        store.restorePower()
        #expect(try store.names() == ["a", "b"])
        #expect(throws: StoreError.self) { try store.save("a", Secret([4])) }
        store.restorePower()
        #expect(octets(try store.load("a")) == [4])
        try store.setAside("a")
        #expect(try store.names() == ["b"])
        #expect(store.setAside == ["a"])
        #expect(store.writes == 6)
    }

    @Test func `every datagram from outside is a frame or an error`() throws {
        let datagram = AirDatagram(time: 5, frequency: 2437, signal: -40, frame: Array(0..<50))
        let octets = try datagram.octets()
        #expect(try AirDatagram(parsing: octets) == datagram)
        for count in 0..<octets.count {
            #expect(throws: WireError.self) { try AirDatagram(parsing: [UInt8](octets[..<count])) }
        }
        #expect(throws: WireError.self) { try AirDatagram(parsing: octets + [0]) }
        #expect(throws: WireError.self) {
            try AirDatagram(time: 0, frequency: 0, signal: 0, frame: Array(repeating: 0, count: 2400))
                .octets()
        }
    }

    @Test func `random frames trap nobody`() throws {
        let stage = try Stage(2)
        try stage.gather()
        try stage.introduce(0, 1)
        try stage.connect(0, 1, keys: (key(1), key(1)))
        try stage.perform(0, .installPairingKey(stage.addresses[1], key(2)))
        var generator = SeededGenerator(seed: 77)
        let heads: [[UInt8]] = [
            try FrameHead(
                .action, receiver: stage.addresses[0], transmitter: stage.addresses[1],
                cluster: stage.cluster(of: 0)
            ).octets(),
            try FrameHead(
                .beacon, receiver: .broadcast, transmitter: stage.addresses[1], cluster: stage.cluster(of: 0)
            ).octets(),
            try FrameHead(
                .data, receiver: stage.radios[0].dataInterface ?? .broadcast,
                transmitter: stage.radios[1].dataInterface ?? .broadcast, cluster: stage.cluster(of: 0)
            ).octets(),
            try FrameHead(acknowledgementTo: stage.addresses[0]).octets(),
        ]
        for round in 0..<3000 {
            var frame = heads[round % 4]
            frame += (0..<generator.number(below: 80)).map { _ in UInt8(truncatingIfNeeded: generator.next())
            }
            if generator.happens(0.5) { frame[1] |= 0x40 }
            if generator.happens(0.3) { frame.removeLast(Int(generator.number(below: UInt64(frame.count)))) }
            let time = stage.world.now.microseconds
            stage.radios[0].arrive(
                AirDatagram(time: time, frequency: 2437, signal: -30, frame: frame), at: stage.world.now)
            if round % 50 == 0 { stage.run(TimeUnits(1)) }
        }
        stage.run(TimeUnits(2000))
        try stage.send(1, to: stage.addresses[0], tag: 0xaa)
        stage.run(TimeUnits(1100))
        #expect(stage.received(0).contains { $0.last == 0xaa })
    }

    private func octets(_ key: Key?) -> [UInt8] { key?.secret.withOctets { [UInt8]($0) } ?? [] }
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Takes its radio's events, as an agent does.
private final class Owner: Turnable {
    let radio: WorldRadio
    private(set) var windows = 0

    init(_ radio: WorldRadio) { self.radio = radio }

    var deadline: Instant? { radio.deadline }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {
        while let event = radio.nextEvent(at: now) {
            if case .windowDue = event { windows += 1 }
        }
    }
}
