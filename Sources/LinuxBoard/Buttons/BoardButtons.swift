public import Ports
public import Wire

/// A button between a line and ground, or between a line and the supply.
public struct ButtonWiring: Equatable, Sendable {
    /// What the board file calls it.
    public var name: String
    public var chip: String
    public var line: LineName
    /// Pressed, the line is low; else it is pulled up.
    public var isActiveLow: Bool
    public var settings: ButtonSettings

    public init(name: String, chip: String, line: LineName, isActiveLow: Bool, settings: ButtonSettings) {
        self.name = name
        self.chip = chip
        self.line = line
        self.isActiveLow = isActiveLow
        self.settings = settings
    }
}

/// All buttons of the board. One that cannot be read keeps no other from being read, and is tried again.
public final class BoardButtons: Buttons {
    private var buttons: [Button]
    private var presses = EventQueue<ButtonPress>()

    public init(_ buttons: [ButtonWiring], on wiring: any Wiring) {
        self.buttons = []
        for button in buttons { self.buttons.append(Button(button, wiring)) }
    }

    public var fault: String? {
        for button in buttons { if let fault = button.fault { return fault } }
        return nil
    }

    public var deadline: Instant? {
        if !presses.isEmpty { return Instant(microseconds: 0) }
        var earliest: Instant?
        for button in buttons { earliest = Instant.earliest(earliest, button.deadline) }
        return earliest
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        for button in buttons { if let descriptor = button.descriptor { set.add(descriptor) } }
    }

    public func nextPress(at now: Instant) -> ButtonPress? {
        if presses.isEmpty {
            for button in buttons { button.turn(at: now, into: &presses) }
        }
        return presses.next()
    }
}

private final class Button {
    private enum State {
        /// Not open yet, or after a fault.
        case closed(opens: Instant, fault: BoardFault?)
        /// It was unsteady, and may be so again: nobody presses until then.
        case doubted(any Lines, until: Instant)
        case open(any Lines, ButtonMachine)
    }

    /// A line that changes oftener than a finger does is let go: it would keep the loop awake.
    private static let mostEdges = 20
    private static let span = TimeUnits.seconds(1)

    private let button: ButtonWiring
    private let wiring: any Wiring
    private var state = State.closed(opens: Instant(microseconds: 0), fault: nil)
    private var failures = 0
    /// How many edges came since.
    private var edges = (count: 0, since: Instant(microseconds: 0))

    init(_ button: ButtonWiring, _ wiring: any Wiring) {
        self.button = button
        self.wiring = wiring
    }

    var fault: String? {
        switch state {
        case .closed(_, let fault): fault.map { "\(button.name): \($0.explanation)" }
        case .doubted: "\(button.name): \(unsteady.explanation)"
        case .open(_, let machine):
            machine.isStuck
                ? "\(button.name): pressed all the time: is it stuck, or line \(button.line.text) wired otherwise?"
                : nil
        }
    }

    var deadline: Instant? {
        switch state {
        case .closed(let opens, _): opens
        case .doubted(_, let until): until
        case .open(_, let machine): machine.deadline
        }
    }

    var descriptor: Int32? {
        switch state {
        case .closed: nil
        case .doubted(let lines, _), .open(let lines, _): lines.descriptor
        }
    }

    func turn(at now: Instant, into presses: inout EventQueue<ButtonPress>) {
        do throws(BoardFault) {
            switch state {
            case .closed(let opens, _):
                if opens <= now { try open(at: now) }
            case .doubted(let lines, let until):
                while try nextEdge(lines) != nil {}
                if until <= now { try believe(lines, at: now) }
            case .open(let lines, var machine):
                while let edge = try nextEdge(lines) {
                    presses.append(
                        contentsOf: machine.edge(
                            isPressed: edge.isRising != button.isActiveLow, at: edge.time))
                }
                if let deadline = machine.deadline, deadline <= now {
                    presses.append(contentsOf: machine.advance(to: now, isPressed: try isPressed(lines)))
                }
                state = .open(lines, machine)
            }
        } catch {
            fail(error, at: now)
        }
    }

    private func open(at now: Instant) throws(BoardFault) {
        let bias = button.isActiveLow ? LineBias.pullUp : .pullDown
        let lines = try wiring.lines(
            LineRequest(
                chip: button.chip,
                lines: [.init(button.line, .input(bias, debounce: button.settings.debounce))],
                consumer: "awared button"))
        guard case .closed(_, let fault) = state, fault == unsteady else {
            return try believe(lines, at: now)
        }
        state = .doubted(lines, until: now + Self.span)
    }

    private func believe(_ lines: any Lines, at now: Instant) throws(BoardFault) {
        let machine = ButtonMachine(button.settings, isPressed: try isPressed(lines), at: now)
        failures = 0
        state = .open(lines, machine)
    }

    /// - Throws: Also that there are too many.
    private func nextEdge(_ lines: any Lines) throws(BoardFault) -> LineEdge? {
        guard let edge = try lines.nextEdge() else { return nil }
        if edge.time >= edges.since + Self.span { edges = (0, edge.time) }
        edges.count += 1
        guard edges.count <= Self.mostEdges else { throw unsteady }
        return edge
    }

    private var unsteady: BoardFault { .unsteady(button.line.text) }

    private func isPressed(_ lines: any Lines) throws(BoardFault) -> Bool {
        try lines.high().contains(.line(0)) != button.isActiveLow
    }

    private func fail(_ error: BoardFault, at now: Instant) {
        failures += 1
        edges.count = 0
        state = .closed(opens: now + Retry.delay(after: failures), fault: error)
    }
}
