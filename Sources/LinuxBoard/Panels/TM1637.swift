import Ports
public import Wire

/// Four or six 7-segment digits behind a TM1637, on two lines.
///
/// The module's pull-ups are weak and loaded with capacitors: an edge takes about 10 µs to rise, so every level stays
/// for a half clock of 50 to 100 µs: a step is one half clock. The lines are let go for a 1, never driven high. What
/// the chip answers is not looked at: it keeps DIO low for a clock, during which nothing is driven.
public final class TM1637: Display {
    public struct Settings: Equatable, Sendable {
        public var chip: String
        public var clock: LineName
        public var data: LineName
        /// For each digit from the left, the chip's register that shows it.
        public var registers: [UInt8]
        /// In microseconds.
        public var halfClock: UInt32
        /// 0 … 7.
        public var brightness: UInt8

        public init(
            chip: String, clock: LineName, data: LineName, registers: [UInt8] = fourDigits,
            halfClock: UInt32 = 75, brightness: UInt8 = 4
        ) {
            self.chip = chip
            self.clock = clock
            self.data = data
            self.registers = registers
            self.halfClock = halfClock
            self.brightness = brightness
        }

        public static var fourDigits: [UInt8] { [0, 1, 2, 3] }
        /// As most modules of six digits are wired.
        public static var sixDigits: [UInt8] { [2, 1, 0, 5, 4, 3] }
        static var halfClocks: ClosedRange<Int> { 10...1_000 }
        static var brightnesses: ClosedRange<Int> { 0...7 }

        /// Whether this names each digit of a module of four or six once.
        public static func areRegisters(_ registers: [UInt8]) -> Bool {
            guard registers.count == 4 || registers.count == 6 else { return false }
            return Set(registers).count == registers.count && registers.allSatisfy { $0 < 6 }
        }
    }

    private struct Picture: Equatable {
        var registers: [UInt8]
        var isOn: Bool

        static var dark: Picture { Picture(registers: [UInt8](repeating: 0, count: 6), isOn: false) }
    }

    /// What is done with the lines at the beginning of a half clock.
    private enum HalfClock: UInt8 {
        case dataLow
        case dataHigh
        case clockLowDataLow
        case clockLowDataHigh
        case clockHigh
    }

    private static var clock: LineSet { .line(0) }
    private static var data: LineSet { .line(1) }

    private let settings: Settings
    private let wiring: any Wiring
    private var lines: (any Lines)?
    private var wanted = Picture.dark
    /// Nil while what stands is not known.
    private var standing: Picture?
    private var sending: [HalfClock] = []
    private var sent = 0

    public init(_ settings: Settings, wiring: any Wiring) {
        self.wiring = wiring
        precondition(Settings.areRegisters(settings.registers), "a register for each digit")
        self.settings = settings
    }

    public var name: String { "tm1637 on \(settings.clock.text)" }

    public func open() throws(BoardFault) {
        lines = nil
        lines = try wiring.lines(
            LineRequest(
                chip: settings.chip,
                lines: [
                    LineRequest.Line(settings.clock, .openDrain(isHigh: true)),
                    LineRequest.Line(settings.data, .openDrain(isHigh: true)),
                ], consumer: "awared tm1637"))
        standing = nil
        wanted = .dark
        sending.removeAll(keepingCapacity: true)
        sent = 0
    }

    public func close() { lines = nil }

    public func compose(_ scene: Scene) -> Instant? {
        let picture = SegmentPicture(scene, digits: settings.registers.count)
        wanted = .dark
        for (register, cell) in zip(settings.registers, picture.cells) {
            wanted.registers[Int(register)] = cell
        }
        wanted.isOn = scene != .blank
        return picture.changes
    }

    public func step() throws(BoardFault) -> UInt32? {
        guard let lines else { return nil }
        if sent == sending.count {
            guard makeFrames() else { return nil }
        }
        let halfClock = sending[sent]
        sent += 1
        switch halfClock {
        case .dataLow: try lines.set(Self.data, high: [])
        case .dataHigh: try lines.set(Self.data, high: Self.data)
        // One after the other: a change of data while the clock is high is a start or a stop.
        case .clockLowDataLow:
            try lines.set(Self.clock, high: [])
            try lines.set(Self.data, high: [])
        case .clockLowDataHigh:
            try lines.set(Self.clock, high: [])
            try lines.set(Self.data, high: Self.data)
        case .clockHigh: try lines.set(Self.clock, high: Self.clock)
        }
        return settings.halfClock
    }

    // MARK: Frames

    /// Whether there is anything to be sent. Segments change before the display is switched on and after it is
    /// switched off; where nothing is known it is switched off first.
    private func makeFrames() -> Bool {
        sending.removeAll(keepingCapacity: true)
        sent = 0
        guard let standing else {
            addFrame([0x80])
            addFrame([0x40])
            addFrame([0xc0] + Picture.dark.registers)
            self.standing = .dark
            return true
        }
        guard standing != wanted else { return false }
        if !wanted.isOn { addFrame([0x80]) }
        if let changed = Self.changed(standing.registers, wanted.registers) {
            addFrame([0x40])
            addFrame([0xc0 | UInt8(changed.lowerBound)] + wanted.registers[changed])
        }
        if wanted.isOn, !standing.isOn { addFrame([0x88 | settings.brightness & 7]) }
        self.standing = wanted
        return true
    }

    private static func changed(_ old: [UInt8], _ new: [UInt8]) -> ClosedRange<Int>? {
        guard let first = new.indices.first(where: { old[$0] != new[$0] }),
            let last = new.indices.last(where: { old[$0] != new[$0] })
        else { return nil }
        return first...last
    }

    /// A start, octets with the least significant bit first and a clock for the answer behind each, a stop.
    private func addFrame(_ octets: [UInt8]) {
        sending.append(.dataLow)
        for octet in octets {
            for bit: UInt8 in 0..<8 {
                sending.append(octet >> bit & 1 == 1 ? .clockLowDataHigh : .clockLowDataLow)
                sending.append(.clockHigh)
            }
            sending.append(.clockLowDataHigh)
            sending.append(.clockHigh)
        }
        sending.append(.clockLowDataLow)
        sending.append(.clockHigh)
        sending.append(.dataHigh)
    }
}
