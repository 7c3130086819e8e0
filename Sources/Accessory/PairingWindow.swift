public import Crypto
public import Ports
public import Wire

/// Decides when a stranger may try to pair, and what a wrong guess costs.
///
/// SAE gives a peer one guess per run, so the cost of guessing is set here: each failure doubles the wait before
/// the next attempt, and too many of them close the window until the owner opens it again. A peer that asks for a
/// PIN and never guesses costs its place only, or a crowd of askers could lock the owner out.
///
/// Legal transitions:
///
///     closed ─open→ open ─begin→ asked ─guess→ guessed ─succeed→ closed
///                    ↑  ↖─ expired ┘              │
///                    └──wait over── waiting ←─fail┘──tenth failure→ closed
public struct PairingWindow: Sendable {
    /// What is to be told of it.
    public enum Action: Equatable, Sendable {
        case opened(seconds: UInt32)
        case closed
        /// There is a PIN to be shown.
        case asked
        /// Nobody may try for a while.
        case locked(seconds: UInt32)
    }

    /// Why a peer does not get a PIN, or no guess at it.
    public enum Refusal: Error, Equatable, Sendable {
        case windowClosed
        case anotherAttemptRunning
        case wait(until: Instant)
        /// A guess without a PIN having been asked for.
        case notAsked
        /// A second guess at the same PIN, or a question that comes after the guess.
        case alreadyGuessed
    }

    private enum State: Sendable {
        case closed
        case open(closes: Instant)
        case asked(Attempt)
        case guessed(Attempt)
        case waiting(Waiting)
    }

    private struct Attempt: Sendable {
        /// When the window closes.
        var closes: Instant
        var peer: MACAddress
        var pin: PIN
        var givesUp: Instant
    }

    private struct Waiting: Sendable {
        /// When the window closes.
        var closes: Instant
        var ends: Instant
    }

    /// Longer than a person takes to type six digits; the phones' own limit is unknown.
    private static let attemptLimit = TimeUnits.seconds(60)
    /// Longer than SAE and the exchange of identity keys take on a bad link.
    private static let guessLimit = TimeUnits.seconds(30)
    static let failureLimit = 10

    private var state = State.closed
    /// Wrong guesses since the owner last opened it, or a device proved itself; and until when they cost.
    private var failures = 0
    private var costEnds = Instant(microseconds: 0)

    public init() {}

    /// When ``advance(to:)`` next has something to do. Nil while closed.
    public var deadline: Instant? {
        switch state {
        case .closed: nil
        case .open(let closes): closes
        case .asked(let attempt), .guessed(let attempt): attempt.givesUp
        case .waiting(let waiting): min(waiting.ends, waiting.closes)
        }
    }

    /// Whether the owner lets strangers pair, though they may have to wait for their turn.
    public var isOpen: Bool {
        if case .closed = state { false } else { true }
    }

    /// What a person should be shown of it.
    public var standing: PanelState {
        switch state {
        case .closed: .idle
        case .open(let closes): .open(until: closes)
        case .asked(let attempt), .guessed(let attempt): .pin(attempt.pin.digits)
        case .waiting(let waiting): .locked(until: waiting.ends)
        }
    }

    /// How long it stays open; nil while closed.
    public func secondsLeft(at now: Instant) -> UInt32? {
        switch state {
        case .closed: nil
        case .open(let closes): Self.seconds(until: closes, from: now)
        case .asked(let attempt), .guessed(let attempt): Self.seconds(until: attempt.closes, from: now)
        case .waiting(let waiting): Self.seconds(until: waiting.closes, from: now)
        }
    }

    /// Opens the window, or keeps it open from now on for `seconds`. Failures so far are forgiven: the owner is here.
    public mutating func open(seconds: UInt32, at now: Instant) -> [Action] {
        forgive()
        let closes = now + TimeUnits.seconds(seconds)
        switch state {
        case .closed, .open, .waiting:
            state = .open(closes: closes)
            return [.opened(seconds: seconds)]
        case .asked(var attempt):
            attempt.closes = closes
            state = .asked(attempt)
            return []
        case .guessed(var attempt):
            attempt.closes = closes
            state = .guessed(attempt)
            return []
        }
    }

    /// Opens the window for somebody who need not be at the board: what wrong guesses cost is still to be paid, and one
    /// that so many closed bears one more. Nothing where it is open.
    public mutating func reopen(seconds: UInt32, at now: Instant) -> [Action] {
        guard case .closed = state else { return [] }
        failures = min(failures, Self.failureLimit - 1)
        let closes = now + TimeUnits.seconds(seconds)
        guard now < costEnds else {
            state = .open(closes: closes)
            return [.opened(seconds: seconds)]
        }
        state = .waiting(Waiting(closes: closes, ends: costEnds))
        return [.opened(seconds: seconds), .locked(seconds: Self.seconds(until: costEnds, from: now))]
    }

    /// A guess that runs is spent.
    public mutating func close() -> [Action] {
        switch state {
        case .closed: return []
        case .guessed(let attempt): _ = charge(from: attempt.givesUp)
        case .open, .waiting, .asked: break
        }
        state = .closed
        return [.closed]
    }

    /// A peer asks for a PIN. One that asks again before it guessed is shown the same.
    public mutating func begin(
        by peer: MACAddress, entropy: any Entropy, at now: Instant
    ) throws(Refusal) -> [Action] {
        switch state {
        case .closed: throw .windowClosed
        case .asked(let attempt) where attempt.peer == peer: return []
        case .guessed(let attempt) where attempt.peer == peer: throw .alreadyGuessed
        case .asked, .guessed: throw .anotherAttemptRunning
        case .waiting(let waiting): throw .wait(until: waiting.ends)
        case .open(let closes):
            let pin = PIN(from: entropy)
            state = .asked(Attempt(closes: closes, peer: peer, pin: pin, givesUp: now + Self.attemptLimit))
            return [.asked]
        }
    }

    /// The peer starts the run of SAE that proves whether it knows the PIN, which is given out for it this once.
    public mutating func guess(by peer: MACAddress, at now: Instant) throws(Refusal) -> PIN {
        switch state {
        case .closed: throw .windowClosed
        case .open: throw .notAsked
        case .waiting(let waiting): throw .wait(until: waiting.ends)
        case .guessed(let attempt) where attempt.peer == peer: throw .alreadyGuessed
        case .asked(var attempt) where attempt.peer == peer:
            attempt.givesUp = now + Self.guessLimit
            state = .guessed(attempt)
            return attempt.pin
        case .asked, .guessed: throw .anotherAttemptRunning
        }
    }

    /// Whether the attempt that runs is this peer's.
    public func isAttempt(of peer: MACAddress) -> Bool {
        switch state {
        case .asked(let attempt), .guessed(let attempt): attempt.peer == peer
        case .closed, .open, .waiting: false
        }
    }

    /// The peer has proved itself; nobody else may pair until the owner opens the window again.
    public mutating func succeed(by peer: MACAddress) -> [Action] {
        guard case .guessed(let attempt) = state, attempt.peer == peer else { return [] }
        state = .closed
        forgive()
        return [.closed]
    }

    /// The peer's guess was wrong, or it fell silent, which on the air is the same.
    public mutating func fail(by peer: MACAddress, at now: Instant) -> [Action] {
        guard case .guessed(let attempt) = state, attempt.peer == peer else { return [] }
        let wait = charge(from: now)
        guard failures < Self.failureLimit else {
            state = .closed
            return [.closed]
        }
        state = .waiting(Waiting(closes: attempt.closes, ends: costEnds))
        return [.locked(seconds: wait)]
    }

    /// A wrong guess costs so many seconds.
    private mutating func charge(from now: Instant) -> UInt32 {
        failures = min(failures + 1, Self.failureLimit)
        let wait = UInt32(1) << UInt32(failures - 1)
        costEnds = now + .seconds(wait)
        return wait
    }

    private mutating func forgive() {
        failures = 0
        costEnds = Instant(microseconds: 0)
    }

    /// Ends the attempt that runs, which can be none of the owner's doing any more: the radio is gone. A guess is spent.
    public mutating func abandon(at now: Instant) -> [Action] {
        switch state {
        case .asked(let attempt):
            state = .open(closes: attempt.closes)
            return []
        case .guessed(let attempt): return fail(by: attempt.peer, at: now)
        case .closed, .open, .waiting: return []
        }
    }

    /// Lets time pass.
    public mutating func advance(to now: Instant) -> [Action] {
        var actions: [Action] = []
        while let deadline, deadline <= now {
            switch state {
            case .closed:
                return actions
            case .asked(let attempt):
                state = .open(closes: attempt.closes)
            case .guessed(let attempt):
                actions += fail(by: attempt.peer, at: deadline)
            case .waiting(let waiting) where waiting.ends < waiting.closes:
                state = .open(closes: waiting.closes)
                actions.append(.opened(seconds: Self.seconds(until: waiting.closes, from: deadline)))
            case .open, .waiting:
                state = .closed
                actions.append(.closed)
            }
        }
        return actions
    }

    private static func seconds(until end: Instant, from now: Instant) -> UInt32 {
        UInt32(clamping: end.microseconds(since: now) / 1_000_000)
    }
}

extension PairingWindow.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .windowClosed: "pairing is closed"
        case .anotherAttemptRunning: "another attempt is running"
        case .wait: "locked for a while"
        case .notAsked: "no PIN was asked for"
        case .alreadyGuessed: "the PIN was guessed at already"
        }
    }
}
