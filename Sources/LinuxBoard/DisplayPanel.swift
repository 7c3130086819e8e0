public import Ports
public import Wire

/// A display as a panel: draws in the loop's turns, and starts over after a fault. It starts over too before it draws
/// after ten seconds of rest: a display that was unplugged meanwhile has lost what makes it show anything, and takes
/// what is drawn without a word.
///
/// A turn takes a step, and as long as the display is then to be left alone for no more than a tenth of a millisecond,
/// waits and takes another, for a millisecond in all: a wait of its own turn would cost more than it is long. Longer
/// waits are the loop's.
public final class DisplayPanel: Panel {
    /// Legal transitions: closed → drawing; drawing → still, closed; still → drawing.
    private enum State {
        /// Not open yet, or after a fault.
        case closed(opens: Instant)
        case drawing(next: Instant)
        case still(since: Instant, until: Instant?)
    }

    /// So long a display is believed to show what it showed.
    private static let trust = TimeUnits.seconds(10)
    /// How long a turn draws, and the longest wait within, in microseconds.
    private static let turn: UInt64 = 1_000
    private static let longestShortWait: UInt32 = 100

    private let display: any Display
    private let clock: any Clock
    private let shortWait: any ShortWait
    private var state = State.closed(opens: Instant(microseconds: 0))
    private var content: PanelContent?
    private var since = Instant(microseconds: 0)
    private var failures = 0
    private var changes: Instant?
    public private(set) var fault: String?

    /// - Parameter clock: of the loop. A wait begins when a step is over, not when the turn began.
    public init(_ display: any Display, clock: any Clock, shortWait: any ShortWait = BusyWait()) {
        self.display = display
        self.clock = clock
        self.shortWait = shortWait
    }

    public var name: String { display.name }

    public var isStill: Bool {
        if case .drawing = state { false } else { true }
    }

    public var deadline: Instant? {
        switch state {
        case .closed(let opens): opens
        case .drawing(let next): next
        case .still(_, let until): until
        }
    }

    public func addDescriptors(to set: inout DescriptorSet) {}

    public func show(_ content: PanelContent, at now: Instant) {
        guard content != self.content else { return }
        if content.state != self.content?.state { since = now }
        self.content = content
        compose(at: now)
    }

    public func stop(at now: Instant) {
        content = nil
        compose(at: now)
    }

    public func turn(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .closed: open(at: now)
        case .drawing: draw(until: after(Self.turn))
        case .still: compose(at: now)
        }
    }

    /// What is under way goes on with what is composed now.
    private func compose(at now: Instant) {
        if case .still(let since, _) = state, since + Self.trust <= now {
            display.close()
            return open(at: now)
        }
        let scene: Scene = if let content { .content(content, since: since, now: now) } else { .blank }
        changes = display.compose(scene)
        if case .still = state { state = .drawing(next: now) }
    }

    private func open(at now: Instant) {
        let began = clock.now
        do throws(BoardFault) {
            try display.open()
            state = .drawing(next: now)
            compose(at: now)
        } catch {
            fail(error, since: began)
        }
    }

    private func draw(until end: Instant) {
        var began = clock.now
        do throws(BoardFault) {
            while let pause = try display.step() {
                guard 1...Self.longestShortWait ~= pause, after(UInt64(pause)) < end else {
                    // The clock counts whole microseconds.
                    state = .drawing(next: after(pause == 0 ? 0 : UInt64(pause) + 1))
                    return
                }
                shortWait.wait(microseconds: pause)
                began = clock.now
            }
            fault = nil
            failures = 0
            state = .still(since: clock.now, until: changes)
        } catch {
            fail(error, since: began)
        }
    }

    private func fail(_ error: BoardFault, since began: Instant) {
        display.close()
        fault = error.explanation
        failures += 1
        let now = clock.now
        state = .closed(
            opens: now + Retry.delay(after: failures, lost: now.microseconds(since: began)))
    }

    private func after(_ microseconds: UInt64) -> Instant {
        Instant(microseconds: clock.now.microseconds + microseconds)
    }
}
