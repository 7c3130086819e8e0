public import Ports
public import Wire

/// A light on one line, or on one line for each colour.
public struct LightWiring: Equatable, Sendable {
    public enum Place: Equatable, Sendable {
        case one(LineName)
        case colors(red: LineName, green: LineName, blue: LineName)
    }

    /// Whether a PIN is blinked in digits, or only that there is one.
    public enum Language: Equatable, Sendable {
        case states
        case digits
    }

    /// What the board file calls it.
    public var name: String
    public var chip: String
    public var place: Place
    /// Lit, the line is low.
    public var isActiveLow: Bool
    public var language: Language

    public init(name: String, chip: String, place: Place, isActiveLow: Bool, language: Language) {
        self.name = name
        self.chip = chip
        self.place = place
        self.isActiveLow = isActiveLow
        self.language = language
    }
}

/// A light as a panel: plays a pattern for each state, and wakes for its changes alone.
public final class LightPanel: Panel {
    private enum State {
        /// Not open yet, or after a fault.
        case closed(opens: Instant)
        /// What the light shows, and until when; nil for as long as the pattern stands.
        case open(any Lines, shown: LightColor?, until: Instant?)
    }

    private let light: LightWiring
    private let wiring: any Wiring
    private var state = State.closed(opens: Instant(microseconds: 0))
    private var steps = [LightStep(.off, 0)]
    private var step = 0
    private var failures = 0
    public private(set) var fault: String?

    public init(_ light: LightWiring, on wiring: any Wiring) {
        self.light = light
        self.wiring = wiring
    }

    public var name: String { light.name }

    public var isStill: Bool {
        if case .open(_, nil, _) = state { false } else { true }
    }

    public var deadline: Instant? {
        switch state {
        case .closed(let opens): opens
        case .open(_, nil, _): Instant(microseconds: 0)
        case .open(_, _?, let until): until
        }
    }

    public func addDescriptors(to set: inout DescriptorSet) {}

    public func show(_ content: PanelContent, at now: Instant) {
        play(steps(of: content))
    }

    public func stop(at now: Instant) {
        play([LightStep(.off, 0)])
    }

    public func turn(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        do throws(BoardFault) {
            switch state {
            case .closed:
                state = .open(try wiring.lines(request), shown: nil, until: nil)
                step = 0
                try light(at: now)
                fault = nil
                failures = 0
            case .open(_, nil, _):
                try light(at: now)
            case .open(_, _?, _):
                step = (step + 1) % steps.count
                try light(at: now)
            }
        } catch {
            fault = error.explanation
            failures += 1
            state = .closed(opens: now + Retry.delay(after: failures))
        }
    }

    /// From its beginning, unless it plays already.
    private func play(_ new: [LightStep]) {
        guard new != steps else { return }
        steps = new
        step = 0
        if case .open(let lines, _, _) = state { state = .open(lines, shown: nil, until: nil) }
    }

    private func steps(of content: PanelContent) -> [LightStep] {
        guard light.language == .digits else { return LightPattern.steps(of: content) }
        return switch content.state {
        case .pin(let digits), .passkey(let digits): BlinkCode.steps(of: digits)
        case .idle, .open, .paired, .refused, .locked, .forgetting, .identify, .fault:
            LightPattern.steps(of: content)
        }
    }

    private func light(at now: Instant) throws(BoardFault) {
        guard case .open(let lines, let shown, _) = state else { return }
        let color = steps[step].color
        if color != shown { try lines.set(all, high: lit(by: color)) }
        let span = steps[step].milliseconds
        state = .open(lines, shown: color, until: span == 0 ? nil : now + .milliseconds(span))
    }

    private var request: LineRequest {
        var lines: [LineRequest.Line] = []
        for name in light.place.lines { lines.append(.init(name, .output(isHigh: light.isActiveLow))) }
        return LineRequest(chip: light.chip, lines: lines, consumer: "awared light")
    }

    private var all: LineSet {
        switch light.place {
        case .one: .line(0)
        case .colors: [.line(0), .line(1), .line(2)]
        }
    }

    /// The lines that are high while these parts are lit.
    private func lit(by color: LightColor) -> LineSet {
        let lit: LineSet =
            switch light.place {
            case .one: color == .off ? [] : .line(0)
            case .colors: LineSet(rawValue: UInt32(color.rawValue))
            }
        return light.isActiveLow ? all.subtracting(lit) : lit
    }
}

extension LightWiring.Place {
    /// In the order of ``LightColor``.
    public var lines: [LineName] {
        switch self {
        case .one(let line): [line]
        case .colors(let red, let green, let blue): [red, green, blue]
        }
    }
}
