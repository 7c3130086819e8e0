public import Ports

/// What a light shows for a time.
public struct LightStep: Equatable, Sendable {
    public var color: LightColor
    /// Zero: from now on.
    public var milliseconds: UInt32

    public init(_ color: LightColor, _ milliseconds: UInt32) {
        self.color = color
        self.milliseconds = milliseconds
    }
}

/// The lit parts of a light. A light of one colour is on where any part is lit.
public struct LightColor: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let red = LightColor(rawValue: 1)
    public static let green = LightColor(rawValue: 2)
    public static let blue = LightColor(rawValue: 4)
    public static let white = LightColor(rawValue: 7)
    public static let off: LightColor = []
}

/// Steps that repeat; a single one stands.
///
/// The rhythms differ without their colours, for lights that have one. board/README.md shows them in a table.
public enum LightPattern {
    /// The rhythm of a state. Where it is the same, the light goes on as it is.
    public static func steps(of content: PanelContent) -> [LightStep] {
        switch content.state {
        case .idle: content.connected > 0 ? steady(.green) : steady(.off)
        case .open: blinking(.blue, on: 1_000, off: 1_000)
        case .pin, .passkey: blinking(.white, on: 200, off: 200)
        case .paired: steady(.green)
        case .refused: flashes(.red, count: 3)
        case .locked: blinking(.red, on: 100, off: 1_900)
        case .forgetting: blinking(.red, on: 80, off: 80)
        case .identify: flashes(.white, count: 2)
        case .fault: blinking(.red, on: 2_700, off: 300)
        }
    }

    private static func steady(_ color: LightColor) -> [LightStep] { [LightStep(color, 0)] }

    private static func blinking(_ color: LightColor, on: UInt32, off: UInt32) -> [LightStep] {
        [LightStep(color, on), LightStep(.off, off)]
    }

    /// Short ones, and a pause.
    private static func flashes(_ color: LightColor, count: Int) -> [LightStep] {
        var steps: [LightStep] = []
        for _ in 0..<count { steps += blinking(color, on: 120, off: 180) }
        steps[steps.count - 1].milliseconds = 900
        return steps
    }
}

/// Digits that a person reads off one light.
///
/// The code begins with a flicker of six and two dark seconds. A digit is so many blinks, half a second each; zero is
/// one long blink of a second and a half. Behind each digit the light is dark for a second and a half. Behind the last
/// one it all begins anew: 000000 takes 22 s, 999999 takes 39 s.
public enum BlinkCode {
    public static func steps(of digits: [UInt8]) -> [LightStep] {
        var steps: [LightStep] = []
        for _ in 0..<6 { steps += [LightStep(.white, 60), LightStep(.off, 60)] }
        steps[steps.count - 1].milliseconds = 2_000
        for digit in digits {
            if digit == 0 {
                steps += [LightStep(.white, 1_500), LightStep(.off, 1_500)]
            } else {
                for _ in 0..<digit { steps += [LightStep(.white, 250), LightStep(.off, 250)] }
                steps[steps.count - 1].milliseconds = 1_500
            }
        }
        return steps
    }
}
