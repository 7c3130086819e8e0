import Wire

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
