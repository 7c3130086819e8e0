public import Wire

/// - Spec: Wi-Fi Aware 4.0, Vendor Specific attribute, id 0xdd.
public struct VendorSpecificAttribute: Equatable, Sendable {
    public var oui: UInt32
    public var octets: [UInt8]

    public init(oui: UInt32, octets: [UInt8]) {
        self.oui = oui
        self.octets = octets
    }
}

// MARK: Octets
//
//   organisation (3) | octets

extension VendorSpecificAttribute {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        oui = try body.organisation("vendor specific attribute's organisation")
        octets = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.organisation(oui)
        frame.octets(octets)
    }
}
