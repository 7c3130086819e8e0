/// An HD44780 behind a PCF8574 on I2C, as on the usual backpack: P0 is RS, P1 R/W, P2 E, P3 the back light, P4 to P7
/// are D4 to D7. An octet written to the chip is the level of its pins; at 100 kHz, its limit, one every 90 µs.
public final class PCF8574: HD44780Connection {
    public struct Settings: Equatable, Sendable {
        /// As in `/dev/i2c-1`.
        public var bus: String
        /// 0x27, or 0x3f for a PCF8574A.
        public var address: UInt8

        public init(bus: String, address: UInt8 = 0x27) {
            self.bus = bus
            self.address = address
        }
    }

    private static let registerSelect: UInt8 = 0x01
    private static let enable: UInt8 = 0x04
    private static let backLight: UInt8 = 0x08

    private let settings: Settings
    private let wiring: any Wiring
    private var bus: (any I2CBus)?
    private var lit: UInt8 = 0

    init(_ settings: Settings, wiring: any Wiring) {
        self.settings = settings
        self.wiring = wiring
    }

    var place: String { "0x\(String(settings.address, radix: 16)) of \(settings.bus)" }

    func open() throws(BoardFault) {
        bus = nil
        bus = try wiring.i2cBus(settings.bus, address: settings.address)
        lit = 0
    }

    func close() { bus = nil }

    func light(_ isLit: Bool) { lit = isLit ? Self.backLight : 0 }

    func send(nibble: UInt8) throws(BoardFault) {
        let pins = nibble << 4 | lit
        try bus?.write(pins, [pins | Self.enable, pins])
    }

    func send(_ octet: UInt8, isText: Bool) throws(BoardFault) {
        let others = lit | (isText ? Self.registerSelect : 0)
        let high = octet & 0xf0 | others
        let low = octet << 4 | others
        try bus?.write(high, [high | Self.enable, high, low, low | Self.enable, low])
    }
}
