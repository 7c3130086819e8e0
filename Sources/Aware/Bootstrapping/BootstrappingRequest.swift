public import Frames
public import Wire

/// The initiator's side of bootstrapping: asks a publisher to show a PIN, and waits until it does.
///
/// Legal transitions:
///
///     asking ─accepted→ agreed        asking ─rejected, or nobody answers→ failed
///       ↑  ↘come back→ waiting ─time is up→ asking
///       └───────────────┘
public struct BootstrappingRequest: Sendable {
    /// What the dialogue asks for.
    public enum Action: Equatable, Sendable {
        case send(PairingBootstrapping)
        /// The publisher shows its PIN now.
        case agreed
        case failed(Failure)
    }

    /// Why the dialogue ended without a PIN.
    public enum Failure: Error, Equatable, Sendable {
        case noAnswer
        case rejected(Reason)
        /// The publisher accepts, but in another way than it was asked for.
        case otherMethod(BootstrappingMethods)
        case sentAwayTooOften
    }

    /// Why an answer was passed over; it may be another dialogue's, or hostile.
    public enum Refusal: Error, Equatable, Sendable {
        case notAnAnswer
        case otherDialogue
        case notAsking
        /// A cookie that would not fit beside the rest into the elements of PASN.
        case longCookie
    }

    private enum State: Sendable {
        case idle
        case asking(Asking)
        case waiting(until: Instant, Asking)
        case over
    }

    private struct Asking: Sendable {
        var cookie: [UInt8]
        var repeats: Instant
        var gives: Instant
        var timesSentAway: Int
    }

    /// An unanswered request is repeated; what was acknowledged can still have been lost.
    private static let interval = TimeUnits.seconds(1)
    private static let patience = TimeUnits.seconds(12)
    private static let longestWait = TimeUnits.seconds(120)
    private static let timesSentAwayLimit = 20
    /// Octets. The specification allows 255; a publisher needs a few.
    private static let longestCookie = 128

    private let dialogToken: UInt8
    private var state = State.idle

    /// `dialogToken` is not zero.
    public init(dialogToken: UInt8) {
        self.dialogToken = dialogToken
    }

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        switch state {
        case .idle, .over: nil
        case .asking(let asking): min(asking.repeats, asking.gives)
        case .waiting(let until, _): until
        }
    }

    /// Asks for the first time. Once.
    public mutating func start(at now: Instant) -> [Action] {
        ask(cookie: [], timesSentAway: 0, at: now)
    }

    /// Throws where the answer is passed over; nothing changes then.
    public mutating func receive(_ answer: PairingBootstrapping, at now: Instant) throws(Refusal) -> [Action]
    {
        guard case .asking(let asking) = state else { throw .notAsking }
        guard answer.dialogToken == dialogToken else { throw .otherDialogue }
        switch answer.step {
        case .advertisement, .request:
            throw .notAnAnswer
        case .accepted:
            state = .over
            return answer.methods.contains(.pinDisplay) ? [.agreed] : [.failed(.otherMethod(answer.methods))]
        case .rejected(let reason):
            state = .over
            return [.failed(.rejected(reason))]
        case .comeBack(let after, let cookie):
            guard cookie.count <= Self.longestCookie else { throw .longCookie }
            return comeBack(after: after, cookie: cookie, asking, at: now)
        }
    }

    /// Lets time pass: repeats the request, asks again when it is our turn, or gives up.
    public mutating func advance(to now: Instant) -> [Action] {
        switch state {
        case .idle, .over:
            return []
        case .waiting(let until, let asking):
            guard until <= now else { return [] }
            return ask(cookie: asking.cookie, timesSentAway: asking.timesSentAway, at: now)
        case .asking(var asking):
            if asking.gives <= now {
                state = .over
                return [.failed(.noAnswer)]
            }
            guard asking.repeats <= now else { return [] }
            asking.repeats = now + Self.interval
            state = .asking(asking)
            return [.send(request(asking.cookie))]
        }
    }

    private mutating func ask(cookie: [UInt8], timesSentAway: Int, at now: Instant) -> [Action] {
        state = .asking(
            Asking(
                cookie: cookie, repeats: now + Self.interval, gives: now + Self.patience,
                timesSentAway: timesSentAway))
        return [.send(request(cookie))]
    }

    private mutating func comeBack(
        after: TimeUnits, cookie: [UInt8], _ asking: Asking, at now: Instant
    ) -> [Action] {
        guard asking.timesSentAway < Self.timesSentAwayLimit else {
            state = .over
            return [.failed(.sentAwayTooOften)]
        }
        var next = asking
        next.cookie = cookie
        next.timesSentAway += 1
        state = .waiting(until: now + min(after, Self.longestWait), next)
        return []
    }

    private func request(_ cookie: [UInt8]) -> PairingBootstrapping {
        PairingBootstrapping(dialogToken: dialogToken, step: .request(cookie: cookie), methods: .pinKeypad)
    }
}

extension BootstrappingRequest.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAnswer: "no answer"
        case .rejected(let reason): "rejected, reason \(reason.rawValue)"
        case .otherMethod(let methods): "it offers other methods (\(methods.rawValue))"
        case .sentAwayTooOften: "sent away too often"
        }
    }
}

extension BootstrappingRequest.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAnswer, .otherDialogue, .notAsking: "not the answer that is due"
        case .longCookie: "a cookie that is too long"
        }
    }
}
