public import Ports
public import Wire

/// A display as a panel: draws in the loop's turns, and starts over after a fault.
public final class DisplayPanel: Panel {
    /// Legal transitions: closed → drawing; drawing → still, closed; still → drawing.
    private enum State {
        /// Not open yet, or after a fault.
        case closed(opens: Instant)
        case drawing(next: Instant)
        case still(until: Instant?)
    }

    private let display: any Display
    private let clock: any Clock
    private var state = State.closed(opens: Instant(microseconds: 0))
    private var content: PanelContent?
    private var since = Instant(microseconds: 0)
    private var failures = 0
    private var changes: Instant?
    public private(set) var fault: String?

    /// - Parameter clock: of the loop. A wait begins when a step is over, not when the turn began.
    public init(_ display: any Display, clock: any Clock) {
        self.display = display
        self.clock = clock
    }

    public var name: String { display.name }

    public var isStill: Bool {
        if case .drawing = state { false } else { true }
    }

    public var deadline: Instant? {
        switch state {
        case .closed(let opens): opens
        case .drawing(let next): next
        case .still(let until): until
        }
    }

    public func addDescriptors(to set: inout DescriptorSet) {}

    public func show(_ content: PanelContent, at now: Instant) {
        guard content != self.content else { return }
        if content.state != self.content?.state { since = now }
        self.content = content
        draw(at: now)
    }

    public func stop(at now: Instant) {
        content = nil
        draw(at: now)
    }

    public func turn(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .closed: open(at: now)
        case .drawing: step(at: now)
        case .still: draw(at: now)
        }
    }

    /// What is under way goes on with what is composed now.
    private func draw(at now: Instant) {
        compose(at: now)
        if case .still = state { state = .drawing(next: now) }
    }

    private func compose(at now: Instant) {
        let scene: Scene = if let content { .content(content, since: since, now: now) } else { .blank }
        changes = display.compose(scene)
    }

    private func open(at now: Instant) {
        do throws(BoardFault) {
            try display.open()
            state = .drawing(next: now)
            compose(at: now)
        } catch {
            fail(error)
        }
    }

    private func step(at now: Instant) {
        do throws(BoardFault) {
            guard let pause = try display.step() else {
                fault = nil
                failures = 0
                state = .still(until: changes)
                return
            }
            // The clock counts whole microseconds.
            state = .drawing(next: pause == 0 ? now : after(UInt64(pause) + 1))
        } catch {
            fail(error)
        }
    }

    /// Tries again every five seconds for half a minute, then every thirty.
    private func fail(_ error: BoardFault) {
        display.close()
        fault = error.explanation
        failures += 1
        state = .closed(opens: after(failures <= 6 ? 5_000_000 : 30_000_000))
    }

    private func after(_ microseconds: UInt64) -> Instant {
        Instant(microseconds: clock.now.microseconds + microseconds)
    }
}
