import COpenSSL
import Wire

/// Arithmetic modulo a prime that takes the same time whatever the numbers. A curve has two of them: what the
/// coordinates are of, and what the scalars are of.
///
/// Elements are kept as Montgomery has it, times a power of two: `element(_:)` leads in, `number(_:)` out.
/// There are no branches over values: what would be one is a ``Choice`` and ``swap(_:_:if:)``.
final class PrimeField {
    let prime: Number
    private let bits: Int
    private let scratch: OpaquePointer
    private let montgomery: OpaquePointer

    /// The prime has exactly so many bits, a multiple of 64.
    init(prime: consuming Number, bits: Int) {
        self.bits = bits
        self.prime = prime
        scratch = demand(BN_CTX_new(), "libcrypto has no memory")
        montgomery = demand(BN_MONT_CTX_new(), "libcrypto has no memory")
        demand(BN_MONT_CTX_set(montgomery, self.prime.handle, scratch), "libcrypto takes no prime")
    }

    deinit {
        BN_MONT_CTX_free(montgomery)
        BN_CTX_free(scratch)
    }

    // MARK: In and out

    /// What once to twice as many octets as the prime has are modulo the prime, not in Montgomery's form.
    ///
    /// libcrypto's division takes its time by the values. But the upper part counts as often as the power of two
    /// by which Montgomery's form multiplies, so that leading it in twice gives it its weight.
    func reduced(_ octets: borrowing Secret) -> Number {
        let split = octets.count - bits / 8
        guard split >= 0, split <= bits / 8 else {
            die("a number to be reduced has one to two lengths of the prime")
        }
        let upper = Number(octets.extracting(0..<split))
        let lower = Number(octets.extracting(split..<octets.count))
        return number(sum(element(element(upper)), element(lower)))
    }

    /// `number` has no more bits than the prime.
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

    func difference(_ one: borrowing Number, _ other: borrowing Number) -> Number {
        sum(one, negative(other))
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
