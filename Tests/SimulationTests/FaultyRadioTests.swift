import Ports
import Simulation
import Testing
import Wire

struct FaultyRadioTests {
    @Test func `the same seed disturbs in the same way`() throws {
        var faults = Faults()
        faults.loss = 0.2
        faults.repetition = 0.2
        faults.reordering = 0.2
        faults.delay = 0.2
        faults.corruption = 0.2
        #expect(try play(faults, seed: 3).frames == play(faults, seed: 3).frames)
        #expect(try play(faults, seed: 3).frames != play(faults, seed: 4).frames)
        let tally = try play(faults, seed: 3).tally
        for count in [tally.lost, tally.repeated, tally.reordered, tally.delayed, tally.corrupted] {
            #expect(8...40 ~= count)
        }
    }

    @Test func `nothing happens without faults, or while they are off`() throws {
        #expect(try play(Faults(), seed: 3).frames.compactMap(\.last) == Array(0..<100))
        var faults = Faults()
        faults.loss = 1
        #expect(try play(faults, seed: 3, isOn: false).frames.count == 100)
        #expect(try play(faults, seed: 3).frames.isEmpty)
    }

    @Test func `lost frames were acknowledged`() throws {
        var faults = Faults()
        faults.loss = 1
        #expect(try play(faults, seed: 3).acknowledged == 100)
    }

    @Test func `frames that are not concerned pass`() throws {
        var faults = Faults()
        faults.loss = 1
        let frames = try play(faults, seed: 3) { $0.last.map { $0 < 50 } ?? false }.frames
        #expect(frames.compactMap(\.last) == Array(50..<100))
    }

    @Test func `reordered frames swap places, repeated ones come twice`() throws {
        var faults = Faults()
        faults.reordering = 0.3
        let swapped = try play(faults, seed: 3).frames.compactMap(\.last)
        #expect(swapped != Array(0..<100))
        #expect(swapped.sorted() == Array(0..<100))
        faults.reordering = 0
        faults.repetition = 1
        #expect(try play(faults, seed: 3).frames.compactMap(\.last) == (0..<100).flatMap { [$0, $0] })
    }

    @Test func `what is not sent is reported as not acknowledged`() throws {
        var faults = Faults()
        faults.sentLoss = 1
        let stage = try Stage(1)
        try stage.gather()
        let radio = FaultyRadio(stage.radios[0], faults: faults, seed: 1)
        try radio.perform(.send(stage.frame(0, to: .nanNetwork), cookie: 8), at: stage.world.now)
        guard case .sent(cookie: 8, acknowledged: false)? = radio.nextEvent(at: stage.world.now) else {
            Issue.record("not reported")
            return
        }
    }

    /// A hundred numbered frames through a disturbed receiver.
    private func play(
        _ faults: Faults, seed: UInt64, isOn: Bool = true,
        concerns: @escaping ([UInt8]) -> Bool = { _ in true }
    ) throws -> (frames: [[UInt8]], tally: FaultyRadio.Tally, acknowledged: Int) {
        let stage = try Stage(2)
        try stage.gather()
        try stage.introduce(0, 1)
        let receiver = Receiver(FaultyRadio(stage.radios[1], faults: faults, seed: seed))
        receiver.radio.isOn = isOn
        receiver.radio.concerns = concerns
        stage.onTurn = { receiver.turn(at: $0) }
        stage.forget()
        for number in 0..<100 {
            try stage.send(0, to: stage.addresses[1], cookie: UInt32(number), tag: UInt8(number))
            stage.run(TimeUnits(20))
        }
        stage.run(TimeUnits(2000))
        return (receiver.frames, receiver.radio.tally, stage.sent(0).count(where: \.acknowledged))
    }
}

private final class Receiver {
    let radio: FaultyRadio
    private(set) var frames: [[UInt8]] = []

    init(_ radio: FaultyRadio) { self.radio = radio }

    func turn(at now: Instant) {
        while let event = radio.nextEvent(at: now) {
            if case .received(let frame) = event { frames.append(frame.octets) }
        }
    }
}
