public import Wire

/// When a device can be reached by anybody; kept as octets.
///
/// - Spec: Wi-Fi Aware 4.0, Public Availability attribute, id 0x27.
public struct PublicAvailability: Equatable, Sendable {
    public var sequence: UInt8
    public var octets: [UInt8]

    public init(sequence: UInt8, octets: [UInt8]) {
        self.sequence = sequence
        self.octets = octets
    }
}

// MARK: Octets
//
//   sequence (1) | octets

extension PublicAvailability {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        sequence = try body.octet("public availability sequence")
        octets = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(sequence)
        frame.octets(octets)
    }
}
