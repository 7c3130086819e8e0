import Wire

/// When and on which channels a device is, or could be, available.
///
/// - Spec: Wi-Fi Aware 4.0, NAN Availability attribute, id 0x12.
public struct Availability: Equatable, Sendable {
    public var sequence: UInt8
    /// Bits 0-3 map id; bit 4 committed changed, 5 potential changed, 6 public availability changed, 7 NDC changed.
    public var control: UInt16
    public var entries: [Entry]

    public struct Entry: Equatable, Sendable {
        /// Bits 0-2 committed, potential, conditional; 3-4 preference; 5-7 utilization; 8-11 receive streams.
        /// Bit 12 (a bitmap is present) follows `slots`.
        public var control: UInt16
        public var slots: TimeBitmap?
        public var channels: Channels

        public init(control: UInt16, slots: TimeBitmap?, channels: Channels) {
            self.control = control
            self.slots = slots
            self.channels = channels
        }

        public var isCommitted: Bool { control & 1 != 0 }
        public var isPotential: Bool { control & 2 != 0 }
        public var isConditional: Bool { control & 4 != 0 }
    }

    public enum Channels: Equatable, Sendable {
        /// 2: 2.4 GHz, 4: 5 GHz.
        case bands([UInt8])
        case entries([ChannelEntry], hasAuxiliary: Bool)
    }

    public struct ChannelEntry: Equatable, Sendable {
        public var operatingClass: UInt8
        /// Bit i: the i-th channel of the class.
        public var channels: UInt16
        public var primary: UInt8
        /// Present where the list says so.
        public var auxiliary: UInt16

        public init(operatingClass: UInt8, channels: UInt16, primary: UInt8 = 0, auxiliary: UInt16 = 0) {
            self.operatingClass = operatingClass
            self.channels = channels
            self.primary = primary
            self.auxiliary = auxiliary
        }
    }

    public init(sequence: UInt8, control: UInt16, entries: [Entry]) {
        self.sequence = sequence
        self.control = control
        self.entries = entries
    }
}

/// Slots of time in a period that repeats.
///
/// - Spec: Wi-Fi Aware 4.0, Time Bitmap Control field.
public struct TimeBitmap: Equatable, Sendable {
    /// Bits 0-2: a bit lasts 16 · 2ⁿ TU; 3-5: the period is 128 · 2ⁿ⁻¹ TU, or none where zero; 6-14: offset of
    /// the first bit in 16 TU. Periods above 512 TU are legal: phones send them.
    public var control: UInt16
    /// Bit n of octet m: slot 8m + n.
    public var bits: [UInt8]

    public init(control: UInt16, bits: [UInt8]) {
        self.control = control
        self.bits = bits
    }
}
