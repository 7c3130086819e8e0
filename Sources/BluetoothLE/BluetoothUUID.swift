public import Wire

/// The name of a service, a characteristic or a descriptor.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part B, 2.5.1.
public enum BluetoothUUID: Hashable, Sendable {
    /// One that the Bluetooth SIG has given out: 0000xxxx-0000-1000-8000-00805f9b34fb.
    case assigned(UInt16)
    /// Any other, as the two halves of its text: the first 16 and the last 16 digits.
    case custom(UInt64, UInt64)

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5f9b_34fb

    /// From the halves of its 128 bits; the SIG's own are recognised.
    public init(high: UInt64, low: UInt64) {
        let isAssigned = low == Self.baseLow && high & ~(0xffff << 32) == Self.baseHigh
        self = isAssigned ? .assigned(UInt16(truncatingIfNeeded: high >> 32)) : .custom(high, low)
    }

    /// Octets on the air: 2 or 16.
    public var count: Int {
        switch self {
        case .assigned: 2
        case .custom: 16
        }
    }
}

// MARK: Octets: 2 or 16, least significant first

extension BluetoothUUID {
    /// Reads the next `count` octets, which are 2 or 16.
    public init(
        parsing octets: inout FrameReader, count: Int, _ purpose: StaticString
    ) throws(WireError) {
        switch count {
        case 2: self = .assigned(try octets.number16(purpose))
        case 16:
            let low = try octets.number64(purpose)
            self.init(high: try octets.number64(purpose), low: low)
        default: throw .unexpected(purpose, value: UInt64(clamping: count))
        }
    }

    public func write(into frame: inout FrameWriter) {
        switch self {
        case .assigned(let number): frame.number16(number)
        case .custom(let high, let low):
            frame.number64(low)
            frame.number64(high)
        }
    }
}

// MARK: Text: `180a`, or `00467768-6228-2272-4663-277478268000`

extension BluetoothUUID: CustomStringConvertible {
    /// Reads four hexadecimal digits, or 32 with hyphens where they belong.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        var digits = ""
        for group in groups { digits += group }
        guard let octets = [UInt8](hex: digits) else { return nil }
        var number: (high: UInt64, low: UInt64) = (0, 0)
        for octet in octets.suffix(8) { number.low = number.low << 8 | UInt64(octet) }
        for octet in octets.dropLast(8) { number.high = number.high << 8 | UInt64(octet) }
        switch groups.map({ $0.utf8.count }) {
        case [4]: self = .assigned(UInt16(truncatingIfNeeded: number.low))
        case [8, 4, 4, 4, 12]: self.init(high: number.high, low: number.low)
        default: return nil
        }
    }

    public var description: String {
        switch self {
        case .assigned(let number): return Self.digits(UInt64(number), 4)
        case .custom(let high, let low):
            let first = Self.digits(high >> 32, 8) + "-" + Self.digits(high >> 16, 4)
            let middle = "-" + Self.digits(high, 4) + "-" + Self.digits(low >> 48, 4)
            return first + middle + "-" + Self.digits(low, 12)
        }
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        var octets: [UInt8] = []
        for place in 0..<count / 2 {
            octets.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (count / 2 - 1 - place))))
        }
        return String(hex: octets)
    }
}
