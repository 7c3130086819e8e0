import COpenSSL
import Wire

/// Arithmetic modulo the prime of a curve that takes the same time whatever the numbers.
///
/// Elements are kept as Montgomery has it, times a power of two: `element(_:)` leads in, `number(_:)` out.
/// There are no branches over values: what would be one is a ``Choice`` and ``swap(_:_:if:)``.
final class PrimeField {
    let prime: Number
    private let bits: Int
    private let scratch: OpaquePointer
    private let montgomery: OpaquePointer

    /// The field that a curve's coordinates are of.
    init(of curve: Curve) {
        bits = 8 * curve.group.fieldCount
        prime = Number(public: curve.prime.octets(curve.group.fieldCount))
        scratch = demand(BN_CTX_new(), "libcrypto has no memory")
        montgomery = demand(BN_MONT_CTX_new(), "libcrypto has no memory")
        demand(BN_MONT_CTX_set(montgomery, prime.handle, scratch), "libcrypto takes no prime")
    }

    deinit {
        BN_MONT_CTX_free(montgomery)
        BN_CTX_free(scratch)
    }

    // MARK: In and out

    /// Any number modulo the prime, not in Montgomery's form.
    func reduced(_ number: borrowing Number) -> Number {
        number.remainder(by: prime, room: bits, scratch: scratch)
    }

    /// `number` is below the prime.
    func element(_ number: borrowing Number) -> Number {
        let result = Number(room: bits)
        demand(
            BN_to_montgomery(result.handle, number.handle, montgomery, scratch),
            "libcrypto converts no number")
        return result
    }

    func element(_ small: UInt) -> Number { element(Number(small, room: bits)) }

    func number(_ element: borrowing Number) -> Number {
        let result = Number(room: bits)
        demand(
            BN_from_montgomery(result.handle, element.handle, montgomery, scratch),
            "libcrypto converts no number")
        return result
    }

    // MARK: Arithmetic

    func product(_ one: borrowing Number, _ other: borrowing Number) -> Number {
        let result = Number(room: bits)
        demand(
            BN_mod_mul_montgomery(result.handle, one.handle, other.handle, montgomery, scratch),
            "libcrypto multiplies nothing")
        return result
    }

    func square(_ element: borrowing Number) -> Number { product(element, element) }

    func sum(_ one: borrowing Number, _ other: borrowing Number) -> Number {
        let result = Number(room: bits)
        demand(
            BN_mod_add_quick(result.handle, one.handle, other.handle, prime.handle), "libcrypto adds nothing")
        return result
    }

    /// Works on elements and on plain numbers. The negative of zero is the prime, which all else here takes.
    func negative(_ element: borrowing Number) -> Number { prime.less(element, room: bits) }

    /// By Fermat: the power of p - 2. The inverse of zero is zero.
    func inverse(_ element: borrowing Number) -> Number {
        power(element, prime.less(Number(2, room: bits), room: bits))
    }

    /// The power of (p + 1) / 4: a square root where there is one, since both primes are 3 modulo 4.
    func squareRoot(_ element: borrowing Number) -> Number {
        let exponent = Number(1, room: bits)
        demand(BN_add(exponent.handle, exponent.handle, prime.handle), "libcrypto adds nothing")
        return power(element, Self.quarter(exponent))
    }

    private static func quarter(_ number: consuming Number) -> Number {
        demand(BN_rshift(number.handle, number.handle, 2), "libcrypto shifts nothing")
        return number
    }

    /// The exponent is no secret: it comes from the prime.
    private func power(_ base: borrowing Number, _ exponent: borrowing Number) -> Number {
        element(plainPower(number(base), exponent))
    }

    /// The same, of numbers that are not in Montgomery's form.
    private func plainPower(_ base: borrowing Number, _ exponent: borrowing Number) -> Number {
        let result = Number(room: bits)
        demand(
            BN_mod_exp_mont_consttime(
                result.handle, base.handle, exponent.handle, prime.handle, scratch, montgomery),
            "libcrypto raises nothing to a power")
        return result
    }

    // MARK: Choices

    func areEqual(_ one: borrowing Number, _ other: borrowing Number) -> Choice {
        one.secret(bits / 8).choiceEqual(to: other.secret(bits / 8))
    }

    /// Exchanges the two where the choice is 1, in the same time as where it is 0.
    func swap(_ one: borrowing Number, _ other: borrowing Number, if choice: Choice) {
        BN_consttime_swap(choice, one.handle, other.handle, Int32(words))
    }

    /// All numbers here have room for these, and one more.
    private var words: Int { bits / (8 * MemoryLayout<CUnsignedLong>.size) }
}
