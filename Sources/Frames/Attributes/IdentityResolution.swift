public import Wire

/// Lets a paired peer recognise the sender behind a changed address.
///
/// - Spec: Wi-Fi Aware 4.0, NAN Identity Resolution attribute (NIRA), id 0x2b.
public struct IdentityResolution: Equatable, Sendable {
    public var cipherVersion: UInt8
    /// 8 octets each.
    public var nonce: [UInt8]
    public var tag: [UInt8]

    public init(cipherVersion: UInt8 = 0, nonce: [UInt8], tag: [UInt8]) {
        self.cipherVersion = cipherVersion
        self.nonce = nonce
        self.tag = tag
    }
}

// MARK: Octets
//
//   cipher version (1) | nonce (8) | tag (8)

extension IdentityResolution {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        cipherVersion = try body.octet("identity resolution's cipher version")
        nonce = try body.octets(8, "identity resolution's nonce")
        tag = try body.octets(8, "identity resolution's tag")
        try body.end("identity resolution")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(cipherVersion)
        frame.octets(nonce, exactly: 8, "identity resolution's nonce")
        frame.octets(tag, exactly: 8, "identity resolution's tag")
    }
}
