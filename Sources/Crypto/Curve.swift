import COpenSSL
import Wire

/// One of the groups as libcrypto computes in it, with the scratch space for one computation after another.
///
/// A scalar is multiplied with one point at a time: then libcrypto walks the same steps and reads its tables in
/// the same way whatever the scalar (`EC_POINT_mul`, since OpenSSL 1.1.1).
final class Curve {
    let group: Group
    /// `EC_GROUP`
    let handle: OpaquePointer
    /// `BN_CTX`, erased when it goes.
    let scratch: OpaquePointer
    /// What the coordinates are of.
    let field: PrimeField
    /// The curve is y² = x³ + a·x + b.
    let a: Number
    let b: Number
    /// Numbers modulo r, the number of points.
    let scalars: PrimeField

    init(_ group: Group) {
        self.group = group
        let bits = 8 * group.fieldCount
        handle = demand(EC_GROUP_new_by_curve_name(group.nid), "libcrypto does not know the curve")
        scratch = demand(BN_CTX_new(), "libcrypto has no memory")
        let prime = Number(room: bits)
        a = Number(room: bits)
        b = Number(room: bits)
        let order = Number(room: bits)
        demand(
            EC_GROUP_get_curve(handle, prime.handle, a.handle, b.handle, scratch), "libcrypto knows no curve")
        demand(EC_GROUP_get_order(handle, order.handle, scratch), "libcrypto knows no order")
        field = PrimeField(prime: prime, bits: bits)
        scalars = PrimeField(prime: order, bits: bits)
    }

    deinit {
        EC_GROUP_free(handle)
        BN_CTX_free(scratch)
    }

    // MARK: Scalars

    /// A random scalar from `least`, a small number, to r - 1.
    ///
    /// Made of 64 bits more than the order has, so that none is more likely than another by what one could see.
    func scalar(from least: UInt, entropy: any Entropy) -> Number {
        let octets = Secret(random: group.fieldCount + 8, from: entropy)
        let scalar = scalars.reduced(octets)
        // A generator that works does not come here.
        let floor = Number(least, room: 8 * group.fieldCount)
        return scalar.isBelow(floor) ? scalars.sum(scalar, floor) : scalar
    }

    /// The octets as a number modulo r - 1, plus 1. They are no secret.
    func factor(public octets: [UInt8]) -> Number {
        let bits = 8 * group.fieldCount
        let one = Number(1, room: bits)
        return scalars.sum(
            Number(public: octets).remainder(
                by: scalars.prime.less(one, room: bits), room: bits, scratch: scratch), one)
    }

    // MARK: Points

    /// The point with the coordinates x and y. Traps on others: for what we computed.
    func point(x: borrowing Number, y: borrowing Number) -> Point {
        let point = Point(on: self)
        demand(
            EC_POINT_set_affine_coordinates(handle, point.handle, x.handle, y.handle, scratch),
            "a computed point is not on its curve")
        return point
    }

    /// Reads the encoding of a peer's point, either with both coordinates after 04 or with x after 02 or 03.
    ///
    /// libcrypto refuses coordinates that are not below the prime, and points beside the curve; the cofactor is
    /// 1, so that every point on the curve is in the group.
    func point(encoded octets: [UInt8]) throws(CryptoError) -> Point {
        let point = Point(on: self)
        guard accepted(EC_POINT_oct2point(handle, point.handle, octets, octets.count, scratch)),
            !isInfinity(point)
        else { throw .invalidPoint }
        return point
    }

    func generated(by scalar: borrowing Number) -> Point {
        let result = Point(on: self)
        demand(
            EC_POINT_mul(handle, result.handle, scalar.handle, nil, nil, scratch),
            "libcrypto multiplies no point")
        return result
    }

    func product(_ scalar: borrowing Number, _ point: borrowing Point) -> Point {
        let result = Point(on: self)
        demand(
            EC_POINT_mul(handle, result.handle, nil, point.handle, scalar.handle, scratch),
            "libcrypto multiplies no point")
        return result
    }

    /// Nil where both have the same x coordinate, so that the sum is the point at infinity or a double: of
    /// points that have nothing to do with each other that is not to be expected.
    ///
    /// We differ from `EC_POINT_add`, in which the time of the subtractions depends on the coordinates. It would
    /// be seen here, where nothing random is mixed in.
    func sum(_ one: borrowing Point, _ other: borrowing Point) -> Point? {
        guard let one = affine(one), let other = affine(other) else { return nil }
        let run = field.difference(other.x, one.x)
        if field.areEqual(run, field.element(0)) == 1 { return nil }
        let slope = field.product(field.difference(other.y, one.y), field.inverse(run))
        let x = field.difference(field.square(slope), field.sum(one.x, other.x))
        let y = field.difference(field.product(slope, field.difference(one.x, x)), one.y)
        return point(x: field.number(x), y: field.number(y))
    }

    /// The coordinates as elements of the field.
    private struct Affine: ~Copyable {
        let x: Number
        let y: Number
    }

    private func affine(_ point: borrowing Point) -> Affine? {
        guard let coordinates = coordinates(point) else { return nil }
        let count = group.fieldCount
        return Affine(
            x: field.element(Number(coordinates.extracting(0..<count))),
            y: field.element(Number(coordinates.extracting(count..<2 * count))))
    }

    func inverse(_ point: borrowing Point) -> Point {
        let result = Point(on: self)
        demand(EC_POINT_copy(result.handle, point.handle), "libcrypto copies no point")
        demand(EC_POINT_invert(handle, result.handle, scratch), "libcrypto inverts no point")
        return result
    }

    func isInfinity(_ point: borrowing Point) -> Bool { EC_POINT_is_at_infinity(handle, point.handle) == 1 }

    /// x and y, each as long as the field. Nil for the point at infinity.
    func coordinates(_ point: borrowing Point) -> Secret? {
        if isInfinity(point) { return nil }
        let count = group.fieldCount
        let x = Number(room: 8 * count)
        let y = Number(room: 8 * count)
        demand(
            EC_POINT_get_affine_coordinates(handle, point.handle, x.handle, y.handle, scratch),
            "libcrypto gives no coordinates")
        return Secret(count: 2 * count) { output in
            x.write(into: UnsafeMutableRawBufferPointer(rebasing: output[..<count]))
            y.write(into: UnsafeMutableRawBufferPointer(rebasing: output[count...]))
        }
    }
}

/// A point of a curve that may be a secret: it is erased at the end of its life.
struct Point: ~Copyable {
    /// `EC_POINT`, with the caution that ``Number/handle`` takes.
    let handle: OpaquePointer

    /// The point at infinity.
    init(on curve: Curve) {
        handle = demand(EC_POINT_new(curve.handle), "libcrypto has no memory")
    }

    deinit { EC_POINT_clear_free(handle) }
}

extension Group {
    /// libcrypto's number for the curve.
    fileprivate var nid: Int32 {
        switch self {
        case .p256: NID_X9_62_prime256v1
        case .p384: NID_secp384r1
        }
    }
}
