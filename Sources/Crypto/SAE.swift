import COpenSSL
public import Wire

/// One run of SAE with a password element by hash-to-element, from our commitment to both confirmations.
///
/// **What an observer of time or caches learns: nothing of the password, of rand or of mask.** In this module
/// there is no branch and no index that depends on them. Numbers are read and written without regard to leading
/// zeros (``Number``); they are reduced, and points are added, in Montgomery's form, with inverses and roots by
/// powers (``PrimeField``); the map to the curve computes all of its cases and chooses by constant-time exchange;
/// proofs and keys are compared octet by octet to the end.
///
/// We rely on libcrypto for the constant time of `BN_mod_exp_mont_consttime`, `BN_mod_mul_montgomery`,
/// `BN_mod_add_quick`, `BN_bn2binpad` and `BN_consttime_swap`; of `EC_POINT_mul` with one scalar and one point,
/// which mixes in a random factor where it takes its time by the coordinates (P-384 in Debian 12); and of
/// `EC_POINT_get_affine_coordinates`. Numbers there drop leading words of zeros, which shows only for values that
/// a random choice meets once in 2⁶⁴ times. `EC_POINT_add`, `BN_div` and `BN_mod_sub_quick` take their time by
/// the values, and are not used on secrets. Measured with P-256: whatever PIN, the same number of instructions.
///
/// Public are the addresses and with them the factor val, what is sent, and whether a peer was refused.
///
/// - Spec: 802.11-2020 §12.4; hash-to-element §12.4.4.2.3 and §12.4.4.3.3.
public final class SAE {
    public let group: Group
    /// Our commitment: scalar, then the element's coordinates x and y.
    public let scalar: [UInt8]
    public let element: [UInt8]

    private let curve: Curve
    private let passwordElement: Point
    private let rand: Number

    /// `password` is what the person typed, in ASCII; the NAN network's name stands in for the SSID.
    public convenience init(
        group: Group, password: borrowing Secret, own: MACAddress, peer: MACAddress, entropy: any Entropy
    ) {
        let curve = Curve(group)
        let element = HashToElement(on: curve).passwordElement(from: password, for: own, peer)
        self.init(curve: curve, passwordElement: element, choice: .random(on: curve, entropy: entropy))
    }

    /// A run whose random choices are known beforehand, for test vectors.
    convenience init(
        group: Group, password: borrowing Secret, own: MACAddress, peer: MACAddress, rand: borrowing Secret,
        mask: borrowing Secret
    ) {
        let curve = Curve(group)
        let element = HashToElement(on: curve).passwordElement(from: password, for: own, peer)
        guard let choice = Choices(on: curve, rand: Number(rand), mask: Number(mask)) else {
            die("rand and mask add up to 0 or 1")
        }
        self.init(curve: curve, passwordElement: element, choice: choice)
    }

    private init(curve: Curve, passwordElement: consuming Point, choice: consuming Choices) {
        let masked = curve.inverse(curve.product(choice.mask, passwordElement))
        guard let coordinates = curve.coordinates(masked) else { die("the password element is no point") }
        group = curve.group
        scalar = choice.scalar.octets(curve.group.fieldCount)
        element = coordinates.withOctets { [UInt8]($0) }
        self.curve = curve
        self.passwordElement = passwordElement
        rand = choice.takeRand()
    }

    /// Takes the peer's commitment in, and gives what both must now know.
    ///
    /// Refuses scalars outside 2 … r - 1, elements that are no points of the group, our own commitment, and
    /// lengths other than the group's.
    ///
    /// - Spec: 802.11-2020 §12.4.5.4.
    public func agree(peerScalar: [UInt8], peerElement: [UInt8]) throws(CryptoError) -> Agreement {
        let secret = try commonSecret(peerScalar: peerScalar, peerElement: peerElement)
        let sum = curve.scalars.sum(Number(public: scalar), Number(public: peerScalar))
        return Agreement(
            on: secret, group: group, context: sum.octets(group.fieldCount), own: scalar + element,
            peer: peerScalar + peerElement)
    }

    /// k: the x coordinate of rand · (peer's scalar · PWE + peer's element).
    func commonSecret(peerScalar: [UInt8], peerElement: [UInt8]) throws(CryptoError) -> Secret {
        let count = group.fieldCount
        guard peerScalar.count == count else { throw .invalidScalar }
        guard peerElement.count == 2 * count else { throw .invalidPoint }
        let factor = Number(public: peerScalar)
        guard Number(public: [1]).isBelow(factor), factor.isBelow(curve.scalars.prime) else {
            throw .invalidScalar
        }
        let point = try curve.point(encoded: [4] + peerElement)
        guard peerScalar != scalar || peerElement != element else { throw .reflected }

        guard let unmasked = curve.sum(curve.product(factor, passwordElement), point),
            let coordinates = curve.coordinates(curve.product(rand, unmasked))
        else { throw .degenerate }
        return coordinates.extracting(0..<count)
    }

    /// rand and mask, both from 2 to r - 1, and the scalar to be sent, their sum.
    private struct Choices: ~Copyable {
        private let rand: Number
        let mask: Number
        let scalar: Number

        /// Nil where the sum is 0 or 1: the peer would refuse it, so that this may be seen.
        init?(on curve: Curve, rand: consuming Number, mask: consuming Number) {
            scalar = curve.scalars.sum(rand, mask)
            self.rand = rand
            self.mask = mask
            guard Number(public: [1]).isBelow(scalar) else { return nil }
        }

        static func random(on curve: Curve, entropy: any Entropy) -> Choices {
            while true {
                let rand = curve.scalar(from: 2, entropy: entropy)
                let mask = curve.scalar(from: 2, entropy: entropy)
                if let choices = Choices(on: curve, rand: rand, mask: mask) { return choices }
            }
        }

        consuming func takeRand() -> Number { rand }
    }
}
