public import Wire

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
        /// The bits of the list's control field that mean nothing yet: 2 and 3, and 1 in a list of bands.
        public var reserved: UInt8
        /// Octets of later versions.
        public var rest: [UInt8]

        public init(
            control: UInt16, slots: TimeBitmap?, channels: Channels, reserved: UInt8 = 0, rest: [UInt8] = []
        ) {
            self.control = control
            self.slots = slots
            self.channels = channels
            self.reserved = reserved
            self.rest = rest
        }

        public var isCommitted: Bool { control & 1 != 0 }
        public var isPotential: Bool { control & 2 != 0 }
        public var isConditional: Bool { control & 4 != 0 }
    }

    public enum Channels: Equatable, Sendable {
        /// 2: 2.4 GHz, 4: 5 GHz.
        case bands([UInt8])
        /// At most fifteen, as of bands.
        case entries([ChannelEntry], hasAuxiliary: Bool)
        /// The entry ends before its list.
        case unstated
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

// MARK: Octets
//
//   sequence (1) | control (2) | [entry length (2) | entry control (2) | [time bitmap] | list] …
//
//   time bitmap: control (2) | length (1) | bits
//   list: count (4 bits), reserved (2), auxiliary (1), entries instead of bands (1) | bands or entries
//   channel entry: operating class (1) | channels (2) | primary (1) | [auxiliary (2)]

extension Availability {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        sequence = try body.octet("availability sequence")
        control = try body.number16("availability control")
        entries = []
        while body.remaining > 0 {
            let count = Int(try body.number16("availability entry's length"))
            entries.append(try Entry(parsing: try body.slice(count, "availability entry")))
        }
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(sequence)
        frame.number16(control)
        for entry in entries {
            frame.measured16("availability entry") { entry.write(into: &$0) }
        }
    }
}

extension Availability.Entry {
    private static let hasSlots: UInt16 = 1 << 12

    private enum List {
        static let areEntries: UInt8 = 1 << 0
        static let hasAuxiliary: UInt8 = 1 << 1
        static let reserved: UInt8 = 0b1100
        static let mostCount = 15
    }

    init(parsing body: consuming FrameReader) throws(WireError) {
        control = try body.number16("availability entry's control")
        slots = control & Self.hasSlots != 0 ? try TimeBitmap(parsing: &body) : nil
        channels = .unstated
        reserved = 0
        if body.remaining > 0 {
            let list = try body.octet("availability list's control")
            let count = Int(list >> 4)
            if list & List.areEntries == 0 {
                reserved = list & (List.reserved | List.hasAuxiliary)
                channels = .bands(try body.octets(count, "availability bands"))
            } else {
                reserved = list & List.reserved
                channels = try Self.entries(count, list & List.hasAuxiliary != 0, parsing: &body)
            }
        }
        rest = body.rest()
    }

    func write(into frame: inout FrameWriter) {
        frame.number16(slots == nil ? control & ~Self.hasSlots : control | Self.hasSlots)
        slots?.write(into: &frame)
        switch channels {
        case .unstated:
            break
        case .bands(let bands):
            writeList(bands.count, reserved & (List.reserved | List.hasAuxiliary), into: &frame)
            frame.octets(bands)
        case .entries(let entries, let hasAuxiliary):
            let auxiliary = hasAuxiliary ? List.hasAuxiliary : 0
            writeList(entries.count, reserved & List.reserved | auxiliary | List.areEntries, into: &frame)
            for entry in entries { entry.write(hasAuxiliary: hasAuxiliary, into: &frame) }
        }
        frame.octets(rest)
    }

    private static func entries(
        _ count: Int, _ hasAuxiliary: Bool, parsing body: inout FrameReader
    ) throws(WireError) -> Availability.Channels {
        var entries: [Availability.ChannelEntry] = []
        for _ in 0..<count { entries.append(try .init(hasAuxiliary: hasAuxiliary, parsing: &body)) }
        return .entries(entries, hasAuxiliary: hasAuxiliary)
    }

    private func writeList(_ count: Int, _ bits: UInt8, into frame: inout FrameWriter) {
        guard count <= List.mostCount else {
            return frame.fail(.tooLong("availability list", by: count - List.mostCount))
        }
        frame.octet(UInt8(count) << 4 | bits)
    }
}

extension Availability.ChannelEntry {
    init(hasAuxiliary: Bool, parsing body: inout FrameReader) throws(WireError) {
        operatingClass = try body.octet("operating class")
        channels = try body.number16("channels of the operating class")
        primary = try body.octet("primary channels")
        auxiliary = hasAuxiliary ? try body.number16("auxiliary channels") : 0
    }

    func write(hasAuxiliary: Bool, into frame: inout FrameWriter) {
        frame.octet(operatingClass)
        frame.number16(channels)
        frame.octet(primary)
        if hasAuxiliary { frame.number16(auxiliary) }
    }
}

extension TimeBitmap {
    init(parsing body: inout FrameReader) throws(WireError) {
        control = try body.number16("time bitmap's control")
        let count = Int(try body.octet("time bitmap's length"))
        bits = try body.octets(count, "time bitmap")
    }

    func write(into frame: inout FrameWriter) {
        frame.number16(control)
        frame.measured8("time bitmap") { $0.octets(bits) }
    }
}
