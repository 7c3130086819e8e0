import Ports
public import Wire

/// Eight 7-segment digits behind a MAX7219, on an SPI bus. A step writes one of its registers: two octets.
public final class MAX7219: Display {
    public struct Settings: Equatable, Sendable {
        /// As in `/dev/spidev0.0`.
        public var bus: String
        /// 0 … 15.
        public var brightness: UInt8

        public init(bus: String, brightness: UInt8 = 4) {
            self.bus = bus
            self.brightness = brightness
        }

        static var brightnesses: ClosedRange<Int> { 0...15 }
    }

    private enum Register {
        /// Digit 0, the rightmost, to digit 7.
        static let digit: UInt8 = 0x01
        static let decoding: UInt8 = 0x09
        static let intensity: UInt8 = 0x0a
        static let scanLimit: UInt8 = 0x0b
        static let operation: UInt8 = 0x0c
        static let test: UInt8 = 0x0f
    }

    /// Far below the chip's limit of 10 MHz, for long wires.
    private static let hertz: UInt32 = 1_000_000

    private let settings: Settings
    private let wiring: any Wiring
    private var bus: (any SPIBus)?
    /// By digit from the right.
    private var wanted = [UInt8](repeating: 0, count: 8)
    private var wantsOn = false
    private var standing: [UInt8] = []
    private var isOn = false
    /// What is left of the start, last first.
    private var starting: [(register: UInt8, value: UInt8)] = []

    public init(_ settings: Settings, wiring: any Wiring) {
        self.settings = settings
        self.wiring = wiring
    }

    public var name: String { "max7219 on \(settings.bus)" }

    public func open() throws(BoardFault) {
        bus = nil
        bus = try wiring.spiBus(settings.bus, hertz: Self.hertz)
        starting = [
            (Register.operation, 0), (Register.test, 0), (Register.decoding, 0), (Register.scanLimit, 7),
            (Register.intensity, settings.brightness & 15),
        ]
        for digit: UInt8 in 0..<8 { starting.append((Register.digit + digit, 0)) }
        starting.reverse()
        standing = [UInt8](repeating: 0, count: 8)
        isOn = false
    }

    public func close() { bus = nil }

    public func compose(_ scene: Scene) -> Instant? {
        let picture = SegmentPicture(scene, digits: 8)
        for (index, cell) in picture.cells.enumerated() { wanted[7 - index] = Self.reordered(cell) }
        wantsOn = scene != .blank
        return picture.changes
    }

    public func step() throws(BoardFault) -> UInt32? {
        guard let bus else { return nil }
        if let next = starting.popLast() {
            try bus.write([next.register, next.value])
            return 0
        }
        if isOn, !wantsOn { return try switchOn(false, bus) }
        if let digit = wanted.indices.first(where: { wanted[$0] != standing[$0] }) {
            try bus.write([Register.digit + UInt8(digit), wanted[digit]])
            standing[digit] = wanted[digit]
            return 0
        }
        return isOn == wantsOn ? nil : try switchOn(true, bus)
    }

    private func switchOn(_ on: Bool, _ bus: any SPIBus) throws(BoardFault) -> UInt32 {
        try bus.write([Register.operation, on ? 1 : 0])
        isOn = on
        return 0
    }

    /// The chip has segment a in bit 6 and g in bit 0.
    private static func reordered(_ cell: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit: UInt8 in 0..<7 where cell >> bit & 1 == 1 { result |= 1 << (6 - bit) }
        return result
    }
}
