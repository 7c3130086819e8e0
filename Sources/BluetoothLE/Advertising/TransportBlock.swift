public import Wire

/// Says over Bluetooth LE that a device has another transport.
///
/// - Spec: Bluetooth Transport Discovery Service 1.1, 2; AD type 0x26.
public struct TransportBlock: Equatable, Sendable {
    /// Who defines the transport's data.
    public struct Organisation: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bluetooth = Organisation(rawValue: 1)
        public static let neighborAwareness = Organisation(rawValue: 2)
        public static let wifiServices = Organisation(rawValue: 3)
    }

    /// Role in bits 0 and 1, incomplete data in bit 2, state in bits 3 and 4.
    public struct Flags: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public var isSeeker: Bool { rawValue & 0x01 != 0 }
        public var isProvider: Bool { rawValue & 0x02 != 0 }
        public var isIncomplete: Bool { rawValue & 0x04 != 0 }
        public var isOn: Bool { rawValue >> 3 & 3 == 1 }
        public var isTemporarilyUnavailable: Bool { rawValue >> 3 & 3 == 2 }
    }

    public var organisation: Organisation
    public var flags: Flags
    /// At most 255 octets.
    public var data: [UInt8]

    public init(organisation: Organisation, flags: Flags, data: [UInt8]) {
        self.organisation = organisation
        self.flags = flags
        self.data = data
    }
}

// MARK: Octets: organisation (1) | flags (1) | length (1) | data, one block behind the other

extension TransportBlock {
    public init(parsing octets: inout FrameReader) throws(WireError) {
        organisation = Organisation(rawValue: try octets.octet("transport block's organisation"))
        flags = Flags(rawValue: try octets.octet("transport block's flags"))
        data = try octets.octets(Int(try octets.octet("transport data's length")), "transport data")
    }

    /// All blocks up to the end; one at least.
    public static func blocks(parsing octets: inout FrameReader) throws(WireError) -> [TransportBlock] {
        var blocks = [try TransportBlock(parsing: &octets)]
        while octets.remaining > 0 { blocks.append(try TransportBlock(parsing: &octets)) }
        return blocks
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(organisation.rawValue)
        frame.octet(flags.rawValue)
        frame.measured8("transport data") { $0.octets(data) }
    }
}
