import Wire

/// A key pair for one Diffie-Hellman exchange.
public final class EphemeralKey {
    public let group: Group
    /// 02 or 03 and the x coordinate, as PASN parameters carry it (SEC 1 §2.3.3).
    public let publicKey: [UInt8]

    public init(group: Group, entropy: any Entropy) { die("unwritten") }

    /// The x coordinate of the shared point.
    public func sharedSecret(with peer: [UInt8]) throws(CryptoError) -> Secret { die("unwritten") }
}
