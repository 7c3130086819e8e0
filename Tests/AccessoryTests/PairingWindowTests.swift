import Crypto
import Testing
import Wire

@testable import Accessory

/// Numbers in a row; a window needs no better ones in a test.
final class CountingEntropy: Entropy {
    private var next: UInt8 = 0

    func fill(_ octets: UnsafeMutableRawBufferPointer) {
        for index in octets.indices {
            octets[index] = next
            next &+= 1
        }
    }
}

struct PairingWindowTests {
    let start = Instant(microseconds: 5_000_000)
    let phone = MACAddress(rawValue: 0x0200_0000_0001)
    let other = MACAddress(rawValue: 0x0200_0000_0002)
    let entropy = CountingEntropy()

    private func opened(for seconds: UInt32 = 600) -> PairingWindow {
        var window = PairingWindow()
        _ = window.open(seconds: seconds, at: start)
        return window
    }

    private func asked() throws -> PairingWindow {
        var window = opened()
        _ = try window.begin(by: phone, entropy: entropy, at: start)
        return window
    }

    private func guessed() throws -> PairingWindow {
        var window = try asked()
        _ = try window.guess(by: phone, at: start)
        return window
    }

    private func waiting() throws -> PairingWindow {
        var window = try guessed()
        _ = window.fail(by: phone, at: start)
        return window
    }

    // MARK: A whole life

    @Test func `shows the PIN while an attempt runs, gives it out once, and closes when it was right`() throws
    {
        var window = PairingWindow()
        #expect(window.open(seconds: 120, at: start) == [.opened(seconds: 120)])
        #expect(try window.begin(by: phone, entropy: entropy, at: start) == [.asked])
        guard case .pin(let pin) = window.standing else {
            Issue.record("\(window.standing)")
            return
        }
        #expect(window.isAttempt(of: phone) && !window.isAttempt(of: other))
        #expect(try window.guess(by: phone, at: start).digits == pin)
        #expect(throws: PairingWindow.Refusal.alreadyGuessed) { try window.guess(by: phone, at: start) }
        #expect(window.succeed(by: phone) == [.closed])
        #expect(window.standing == .idle)
        #expect(window.deadline == nil && !window.isOpen)
    }

    @Test func `ten wrong guesses close the window, however patient the guesser`() throws {
        var window = opened(for: 86_400)
        var now = start
        for guess in 1...10 {
            _ = try window.begin(by: phone, entropy: entropy, at: now)
            _ = try window.guess(by: phone, at: now)
            let wait = UInt32(1) << UInt32(guess - 1)
            #expect(
                window.fail(by: phone, at: now)
                    == (guess < 10 ? [.locked(seconds: wait)] : [.closed]))
            guard guess < 10 else { break }
            #expect(throws: PairingWindow.Refusal.wait(until: now + .seconds(wait))) {
                try window.begin(by: phone, entropy: entropy, at: now)
            }
            now = try #require(window.deadline)
            let left = try #require(window.secondsLeft(at: now))
            #expect(window.advance(to: now) == [.opened(seconds: left)])
        }
        #expect(now >= start + .seconds(511), "1 + 2 + … + 256 s")
        #expect(throws: PairingWindow.Refusal.windowClosed) {
            try window.begin(by: phone, entropy: entropy, at: now)
        }
        #expect(window.open(seconds: 60, at: now) == [.opened(seconds: 60)])
        _ = try window.begin(by: phone, entropy: entropy, at: now)
        _ = try window.guess(by: phone, at: now)
        #expect(window.fail(by: phone, at: now) == [.locked(seconds: 1)], "the owner forgave")
    }

    @Test func `one who asks and never guesses costs its place only`() throws {
        var window = try asked()
        let gone = start + .seconds(60)
        #expect(window.deadline == gone)
        #expect(window.advance(to: gone) == [])
        #expect(throws: Never.self) { try window.begin(by: other, entropy: entropy, at: gone) }
    }

    @Test func `one who guesses and falls silent has used its guess up`() throws {
        var window = try guessed()
        let gone = start + .seconds(30)
        #expect(window.deadline == gone)
        #expect(window.advance(to: gone) == [.locked(seconds: 1)])
        #expect(throws: PairingWindow.Refusal.wait(until: gone + .seconds(1))) {
            try window.begin(by: other, entropy: entropy, at: gone)
        }
    }

    @Test func `much later everything is over that should be, in its order`() throws {
        var window = try guessed()
        let actions = window.advance(to: start + .seconds(100_000))
        #expect(
            actions == [.locked(seconds: 1), .opened(seconds: 568), .closed]
                || actions == [.locked(seconds: 1), .opened(seconds: 569), .closed])
        #expect(!window.isOpen)
    }

    @Test func `a window that ends while everybody waits closes without opening once more`() throws {
        var window = opened(for: 10)
        _ = try window.begin(by: phone, entropy: entropy, at: start)
        _ = try window.guess(by: phone, at: start)
        _ = window.fail(by: phone, at: start + .seconds(9))
        #expect(window.advance(to: start + .seconds(20)) == [.closed])
    }

    @Test func `an attempt outlives the window that it began in, and its failure closes it`() throws {
        var window = opened(for: 10)
        _ = try window.begin(by: phone, entropy: entropy, at: start + .seconds(9))
        #expect(window.advance(to: start + .seconds(11)) == [])
        _ = try window.guess(by: phone, at: start + .seconds(12))
        #expect(window.fail(by: phone, at: start + .seconds(13)) == [.locked(seconds: 1)])
        #expect(window.advance(to: start + .seconds(13)) == [.closed])
    }

    // MARK: Every state against every input

    @Test func `closed: only the owner can change that`() {
        var window = PairingWindow()
        #expect(throws: PairingWindow.Refusal.windowClosed) {
            try window.begin(by: phone, entropy: entropy, at: start)
        }
        #expect(throws: PairingWindow.Refusal.windowClosed) { try window.guess(by: phone, at: start) }
        #expect(window.succeed(by: phone) == [])
        #expect(window.fail(by: phone, at: start) == [])
        #expect(window.close() == [])
        #expect(window.advance(to: start + .seconds(3_600)) == [])
        #expect(window.secondsLeft(at: start) == nil && window.deadline == nil)
        #expect(window.open(seconds: 5, at: start) == [.opened(seconds: 5)])
    }

    @Test func `open: a guess needs a PIN first`() throws {
        var window = opened()
        #expect(throws: PairingWindow.Refusal.notAsked) { try window.guess(by: phone, at: start) }
        #expect(window.succeed(by: phone) == [])
        #expect(window.fail(by: phone, at: start) == [])
        #expect(window.secondsLeft(at: start) == 600)
        #expect(window.open(seconds: 5, at: start) == [.opened(seconds: 5)])
        #expect(window.advance(to: start + .seconds(5)) == [.closed])
        window = opened()
        #expect(window.close() == [.closed])
    }

    @Test func `asked: the same peer is shown the same PIN, others come back`() throws {
        var window = try asked()
        #expect(try window.begin(by: phone, entropy: entropy, at: start) == [])
        #expect(throws: PairingWindow.Refusal.anotherAttemptRunning) {
            try window.begin(by: other, entropy: entropy, at: start)
        }
        #expect(throws: PairingWindow.Refusal.anotherAttemptRunning) {
            try window.guess(by: other, at: start)
        }
        #expect(window.succeed(by: phone) == [], "nothing is proved yet")
        #expect(window.fail(by: phone, at: start) == [], "nothing is guessed yet")
        #expect(window.open(seconds: 900, at: start) == [])
        #expect(window.secondsLeft(at: start) == 900)
        #expect(window.close() == [.closed])
    }

    @Test func `guessed: it is that peer's success or failure, and nobody else's`() throws {
        var window = try guessed()
        #expect(throws: PairingWindow.Refusal.alreadyGuessed) {
            try window.begin(by: phone, entropy: entropy, at: start)
        }
        #expect(throws: PairingWindow.Refusal.anotherAttemptRunning) {
            try window.guess(by: other, at: start)
        }
        #expect(window.succeed(by: other) == [])
        #expect(window.fail(by: other, at: start) == [])
        #expect(window.open(seconds: 900, at: start) == [])
        #expect(window.close() == [.closed])
        window = try guessed()
        #expect(window.fail(by: phone, at: start) == [.locked(seconds: 1)])
    }

    @Test func `waiting: nobody gets in, whoever it is`() throws {
        let until = start + .seconds(1)
        for peer in [phone, other] {
            var window = try waiting()
            #expect(throws: PairingWindow.Refusal.wait(until: until)) {
                try window.begin(by: peer, entropy: entropy, at: start)
            }
            #expect(throws: PairingWindow.Refusal.wait(until: until)) {
                try window.guess(by: peer, at: start)
            }
            #expect(window.succeed(by: peer) == [])
            #expect(window.fail(by: peer, at: start) == [])
            #expect(!window.isAttempt(of: peer))
        }
        var window = try waiting()
        #expect(window.deadline == until)
        #expect(window.close() == [.closed])
        window = try waiting()
        #expect(window.open(seconds: 5, at: start) == [.opened(seconds: 5)], "the owner forgives")
    }

    // MARK: Opened from afar

    @Test func `opened from afar it still costs what it did`() throws {
        var window = try waiting()
        _ = window.close()
        #expect(
            window.reopen(seconds: 600, at: start) == [.opened(seconds: 600), .locked(seconds: 1)])
        #expect(window.standing == .locked(until: start + .seconds(1)))
        _ = window.advance(to: start + .seconds(1))
        #expect(window.standing == .open(until: start + .seconds(600)))
    }

    @Test func `a guess that runs while it is closed is spent`() throws {
        var window = try guessed()
        _ = window.close()
        _ = window.reopen(seconds: 600, at: start)
        guard case .locked = window.standing else {
            Issue.record("\(window.standing)")
            return
        }
    }

    @Test func `closed by too many guesses it bears one more, from afar`() throws {
        var window = opened(for: 80_000)
        var now = start
        for _ in 0..<PairingWindow.failureLimit {
            _ = try window.begin(by: phone, entropy: entropy, at: now)
            _ = try window.guess(by: phone, at: now)
            _ = window.fail(by: phone, at: now)
            if let deadline = window.deadline { now = deadline }
            _ = window.advance(to: now)
        }
        #expect(!window.isOpen)
        _ = window.reopen(seconds: 3600, at: now)
        #expect(window.standing == .locked(until: now + .seconds(512)))
        now = now + .seconds(512)
        _ = window.advance(to: now)
        _ = try window.begin(by: phone, entropy: entropy, at: now)
        _ = try window.guess(by: phone, at: now)
        #expect(window.fail(by: phone, at: now) == [.closed])
        // The owner forgives.
        _ = window.open(seconds: 60, at: now)
        #expect(window.standing == .open(until: now + .seconds(60)))
    }
}
