import Crypto
public import Ports
public import Wire

/// Several stations in one process, on one air, in a time that jumps from one thing to do to the next.
///
/// Everything in it follows from its seed.
public final class World {
    public let clock: VirtualClock
    /// The same for all who ask, in the order of their asking.
    public let entropy: SeededEntropy

    /// How much of what is on the air is lost for a receiver, acknowledgements too; 0 … 1.
    public var loss = 0.0
    /// Looks at what is on the air.
    public var capture: (any AirCapture)?

    private var generator: SeededGenerator
    private var radios: [WorldRadio] = []
    private var participants: [any Turnable] = []

    /// Far enough from zero that a station which counts backwards would be noticed.
    private static let start = Instant(microseconds: 1_000_000_000)
    private static let startDate: UInt64 = 1_767_225_600

    public init(seed: UInt64 = 1) {
        clock = VirtualClock(now: Self.start, date: Self.startDate)
        entropy = SeededEntropy(seed: seed)
        generator = SeededGenerator(seed: ~seed)
    }

    public var now: Instant { clock.now }

    /// A new station. Whoever owns it turns it.
    public func makeRadio() -> WorldRadio {
        let radio = WorldRadio(entropy: SeededEntropy(seed: generator.next()))
        radios.append(radio)
        return radio
    }

    /// Takes part from now on.
    public func add(_ participant: any Turnable) { participants.append(participant) }

    /// Takes part no more, as after a power cut.
    public func remove(_ participant: any Turnable) { participants.removeAll { $0 === participant } }

    /// Takes the station off the air for good.
    public func remove(_ radio: WorldRadio) { radios.removeAll { $0 === radio } }

    /// Lets `span` pass.
    public func run(for span: TimeUnits) { run(until: now + span) }

    /// Lets time pass until then.
    public func run(until end: Instant) {
        while step(until: end) {}
        clock.now = max(now, end)
    }

    /// Lets time pass until something is so, and says whether it became so within `limit`.
    public func run(within limit: TimeUnits, until isSo: () -> Bool) -> Bool {
        let end = now + limit
        while !isSo() {
            guard step(until: end) else {
                clock.now = max(now, end)
                return isSo()
            }
        }
        return true
    }

    /// Moves time to the next thing to do and turns everyone concerned. False where there is nothing until `end`.
    public func step(until end: Instant) -> Bool {
        var next: Instant?
        for radio in radios { next = .earliest(next, radio.airDeadline) }
        for participant in participants { next = .earliest(next, participant.deadline) }
        guard let next, next <= end else { return false }
        clock.now = max(now, next)
        progress.count(at: now)
        for radio in radios where radio.isDue(at: now) { radio.turn(at: now) }
        for participant in participants {
            if let deadline = participant.deadline, deadline <= now { participant.turn(at: now) }
        }
        for radio in radios {
            for datagram in radio.takeOutbox() { transmit(datagram, from: radio) }
        }
        return true
    }

    private var progress = Progress()

    /// Time that stands still means that somebody asks for turns and does nothing in them.
    private struct Progress {
        private static let limit = 100_000
        private var time = Instant(microseconds: 0)
        private var steps = 0

        mutating func count(at now: Instant) {
            steps = now == time ? steps + 1 : 0
            time = now
            if steps > Self.limit { die("the world stands still: somebody is due again and again") }
        }
    }

    private func transmit(_ datagram: AirDatagram, from sender: WorldRadio) {
        capture?.capture(datagram, isSent: true)
        guard !sender.isAway else { return }
        let arrival = Instant(microseconds: now.microseconds &+ Self.airTime(of: datagram.frame))
        for radio in radios where radio !== sender && !radio.isAway && radio.group == sender.group {
            guard !generator.happens(loss) else { continue }
            radio.arrive(datagram, at: arrival)
        }
    }

    /// At 6 Mb/s with preamble, in microseconds.
    private static func airTime(of frame: [UInt8]) -> UInt64 { 24 + UInt64(frame.count) * 8 / 6 }
}
