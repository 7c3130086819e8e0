import COpenSSL
import Wire

/// A key pair for one Diffie-Hellman exchange.
///
/// The private scalar never leaves it, is erased with it, and is only ever multiplied in constant time.
public final class EphemeralKey {
    public let group: Group
    /// 02 or 03 and the x coordinate, as PASN parameters carry it (SEC 1 §2.3.3).
    public let publicKey: [UInt8]

    private let curve: Curve
    private let scalar: Number

    /// A fresh pair. The same entropy gives the same pair, so that a simulation can be repeated.
    public convenience init(group: Group, entropy: any Entropy) {
        let curve = Curve(group)
        self.init(curve: curve, scalar: curve.scalar(from: 1, entropy: entropy))
    }

    /// A pair that is known beforehand, for test vectors.
    convenience init(group: Group, scalar: borrowing Secret) {
        self.init(curve: Curve(group), scalar: Number(scalar))
    }

    private init(curve: Curve, scalar: consuming Number) {
        guard let coordinates = curve.coordinates(curve.generated(by: scalar)) else {
            die("a private scalar is no multiple of the order")
        }
        let count = curve.group.fieldCount
        publicKey = coordinates.withOctets { [2 | $0[2 * count - 1] & 1] + $0[..<count] }
        group = curve.group
        self.curve = curve
        self.scalar = scalar
    }

    /// The x coordinate of the shared point.
    ///
    /// Refuses what is not 02 or 03 and the x coordinate of a point in exactly as many octets as the group has.
    public func sharedSecret(with peer: [UInt8]) throws(CryptoError) -> Secret {
        guard peer.count == 1 + group.fieldCount, peer[0] == 2 || peer[0] == 3 else { throw .invalidPoint }
        let point = try curve.point(encoded: peer)
        guard let coordinates = curve.coordinates(curve.product(scalar, point)) else { throw .degenerate }
        return coordinates.extracting(0..<group.fieldCount)
    }
}
