public import Ports
public import Wire

/// What a ``FaultyRadio`` does to frames. Probabilities are 0 … 1, each on its own.
public struct Faults: Sendable {
    /// Received and acknowledged, but never seen by the host: the hardest case for a protocol.
    public var loss = 0.0
    /// Not sent at all, and reported as not acknowledged.
    public var sentLoss = 0.0
    /// Received twice.
    public var repetition = 0.0
    /// Received after the next frame.
    public var reordering = 0.0
    /// Received later, up to ``longestDelay``.
    public var delay = 0.0
    /// Received with one bit changed. Where the frame was protected, its check fails, and it is lost.
    public var corruption = 0.0
    public var longestDelay = TimeUnits(1024)

    public init() {}
}

/// Disturbs another radio, always in the same way for the same seed.
public final class FaultyRadio: Radio {
    /// What happened to frames so far.
    public struct Tally: Equatable, Sendable {
        public var lost = 0
        public var notSent = 0
        public var repeated = 0
        public var reordered = 0
        public var delayed = 0
        public var corrupted = 0
    }

    public var faults: Faults
    public var isOn = true
    /// Frames for which this is false pass unharmed.
    public var concerns: ([UInt8]) -> Bool = { _ in true }
    public private(set) var tally = Tally()

    private let radio: any Radio
    private var generator: SeededGenerator
    private var held: [Held] = []
    /// Waits for a frame to come first.
    private var overtaken: Held?

    private struct Held {
        var time: Instant
        var event: RadioEvent
    }

    /// A frame that nobody overtakes comes so much later.
    private static let overtakingLimit = TimeUnits(600)
    private static let heldLimit = 256

    public init(_ radio: any Radio, faults: Faults, seed: UInt64) {
        self.radio = radio
        self.faults = faults
        generator = SeededGenerator(seed: seed)
    }

    public var deadline: Instant? {
        .earliest(radio.deadline, .earliest(held.first?.time, overtaken?.time))
    }

    public func addDescriptors(to set: inout DescriptorSet) { radio.addDescriptors(to: &set) }

    public func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        switch request {
        case .start, .stop:
            held = []
            overtaken = nil
        case .send(let octets, let cookie):
            if isOn, concerns(octets), generator.happens(faults.sentLoss) {
                tally.notSent += 1
                return hold(.sent(cookie: cookie, acknowledged: false), until: now)
            }
        case .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey,
            .openDataPath, .closeDataPath:
            break
        }
        try radio.perform(request, at: now)
    }

    public func nextEvent(at now: Instant) -> RadioEvent? {
        if let event = takeHeld(at: now) { return event }
        while let event = radio.nextEvent(at: now) {
            guard case .received(let frame) = event, isOn, concerns(frame.octets) else { return event }
            if let disturbed = disturb(frame, at: now) { return disturbed }
        }
        return takeHeld(at: now)
    }

    /// What is left to be received now.
    private func disturb(_ frame: ReceivedFrame, at now: Instant) -> RadioEvent? {
        var frame = frame
        if generator.happens(faults.loss) {
            tally.lost += 1
            return nil
        }
        if generator.happens(faults.corruption) {
            tally.corrupted += 1
            guard frame.octets.count > 1, frame.octets[1] & FrameFlags.protected == 0 else { return nil }
            let bit = generator.number(below: UInt64(frame.octets.count * 8))
            frame.octets[Int(bit / 8)] ^= 1 << UInt8(bit % 8)
        }
        if generator.happens(faults.repetition) {
            tally.repeated += 1
            hold(.received(frame), until: now)
        }
        if generator.happens(faults.delay) {
            tally.delayed += 1
            let most = UInt64(faults.longestDelay.count)
            hold(.received(frame), until: now + TimeUnits(UInt32(generator.number(below: most + 1))))
            return nil
        }
        if let waiting = overtaken {
            overtaken = nil
            hold(waiting.event, until: now)
        } else if generator.happens(faults.reordering) {
            tally.reordered += 1
            overtaken = Held(time: now + Self.overtakingLimit, event: .received(frame))
            return nil
        }
        return .received(frame)
    }

    private func hold(_ event: RadioEvent, until time: Instant) {
        guard held.count < Self.heldLimit else { return }
        var index = held.count
        while index > 0, held[index - 1].time > time { index -= 1 }
        held.insert(Held(time: time, event: event), at: index)
    }

    private func takeHeld(at now: Instant) -> RadioEvent? {
        if let waiting = overtaken, waiting.time <= now {
            overtaken = nil
            hold(waiting.event, until: waiting.time)
        }
        guard let first = held.first, first.time <= now else { return nil }
        return held.removeFirst().event
    }
}
