public import Wire

/// Whether a device can pair now, and whether it will know a peer again.
///
/// Phones pass over an accessory that does not send it.
///
/// - Spec: Wi-Fi Aware 4.0, Device Capability Extension attribute (DCEA), id 0x2a.
public struct DeviceCapabilityExtension: Equatable, Sendable {
    public var regulatory: UInt8
    public var pairing: Pairing

    public struct Pairing: OptionSet, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let setup = Pairing(rawValue: 1 << 0)
        /// NPK and NIK are cached.
        public static let caching = Pairing(rawValue: 1 << 1)
    }

    /// Octets of later versions.
    public var rest: [UInt8]

    public init(regulatory: UInt8 = 0, pairing: Pairing, rest: [UInt8] = []) {
        self.regulatory = regulatory
        self.pairing = pairing
        self.rest = rest
    }
}

// MARK: Octets
//
//   regulatory (1) | pairing (1) | later versions

extension DeviceCapabilityExtension {
    static let leastCount = 2

    public init(parsing body: consuming FrameReader) throws(WireError) {
        regulatory = try body.octet("device capability extension: regulatory")
        pairing = Pairing(rawValue: try body.octet("device capability extension: pairing"))
        rest = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(regulatory)
        frame.octet(pairing.rawValue)
        frame.octets(rest)
    }
}
