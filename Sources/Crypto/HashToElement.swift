import COpenSSL
import Wire

/// The way from a password to the point that only those know who know the password.
///
/// - Spec: 802.11-2020 §12.4.4.2.3: PT by the simplified map of Shallue, van de Woestijne and Ulas; §12.4.5.2:
///   PWE.
struct HashToElement {
    let curve: Curve
    private var field: PrimeField { curve.field }

    init(on curve: Curve) { self.curve = curve }

    /// The NAN network id as text stands in for the SSID, for there is none.
    ///
    /// - Spec: Wi-Fi Aware 4.0, pairing with a password; seen in recordings.
    static let networkName = [UInt8]("516F9A010000".utf8)

    /// pwd-seed; NAN has no password identifier.
    func seed(from password: borrowing Secret) -> Secret {
        curve.group.hash.extract(salt: Self.networkName, from: password)
    }

    /// One of the two values that are hashed to a point each, half as long again as a coordinate.
    func value(_ part: Part, from seed: borrowing Secret) -> Secret {
        let count = curve.group.fieldCount
        return curve.group.hash.expand(seed, info: part.label, count: count + count / 2)
    }

    enum Part: CaseIterable {
        case first
        case second

        var label: [UInt8] {
            switch self {
            case .first: [UInt8]("SAE Hash to Element u1 P1".utf8)
            case .second: [UInt8]("SAE Hash to Element u2 P2".utf8)
            }
        }
    }

    /// u: the value modulo the prime.
    func coordinate(from value: borrowing Secret) -> Number { field.reduced(value) }

    /// PT, which depends on the password alone.
    func secretPoint(from password: borrowing Secret) -> Point {
        let seed = seed(from: password)
        let first = coordinate(from: value(.first, from: seed))
        let second = coordinate(from: value(.second, from: seed))
        guard let sum = curve.sum(map(first), map(second)) else {
            die("a password hashes to one point twice")
        }
        return sum
    }

    /// val, from 1 to r - 1: no secret, for it depends on the addresses alone.
    func factor(for one: MACAddress, _ other: MACAddress) -> Number {
        let hash = curve.group.hash
        let code = MessageCode(hash, publicKey: [UInt8](repeating: 0, count: hash.count))
        code.add(max(one, other).octets)
        code.add(min(one, other).octets)
        return curve.factor(public: code.octets())
    }

    /// PWE: what the password is between these two stations.
    func passwordElement(from password: borrowing Secret, for one: MACAddress, _ other: MACAddress) -> Point {
        curve.product(factor(for: one, other), secretPoint(from: password))
    }

    /// The simplified SWU map of u, with every branch of the description computed and then chosen among.
    func map(_ plain: borrowing Number) -> Point {
        let u = field.element(plain)
        let zu2 = field.product(z, field.square(u))
        let m = field.sum(field.square(zu2), zu2)
        let a = field.element(curve.a)
        let b = field.element(curve.b)

        // x1 = (-b / a) · (1 + 1 / m), or b / (z · a) where m is zero
        let minusBByA = field.product(field.negative(b), field.inverse(a))
        let x = field.product(minusBByA, field.sum(field.element(1), field.inverse(m)))
        let exception = field.product(b, field.inverse(field.product(z, a)))
        field.swap(x, exception, if: field.areEqual(m, field.element(0)))

        // x2 = z · u² · x1; one of the two is the x coordinate of a point
        let x2 = field.product(zu2, x)
        let square = curveEquation(x, a, b)
        let y = field.squareRoot(square)
        let y2 = field.squareRoot(curveEquation(x2, a, b))
        let isSquare = field.areEqual(field.square(y), square)
        field.swap(x, x2, if: 1 - isSquare)
        field.swap(y, y2, if: 1 - isSquare)

        // y is as odd as u
        let plainY = field.number(y)
        let otherY = field.negative(plainY)
        field.swap(plainY, otherY, if: plain.parity ^ plainY.parity)
        return curve.point(x: field.number(x), y: plainY)
    }

    /// x³ + a·x + b
    private func curveEquation(_ x: borrowing Number, _ a: borrowing Number, _ b: borrowing Number) -> Number
    {
        field.sum(field.product(field.sum(field.square(x), a), x), b)
    }

    /// The constant of the map (802.11-2020 Table 12-1).
    private var z: Number {
        switch curve.group {
        case .p256: field.negative(field.element(10))
        case .p384: field.negative(field.element(12))
        }
    }
}
