import COpenSSL
import Wire

/// A whole number of libcrypto's that may be a secret: it is erased at the end of its life.
///
/// All that is done here takes the same time and touches the same memory whatever the value, as long as the
/// number's highest 64 bits are not all zero. A random number below one of our primes has such zeros once in
/// 2⁶⁴ times.
struct Number: ~Copyable {
    /// `BIGNUM`. Good for as long as the number lives, which the compiler sees to for parameters, and for results
    /// up to their return. A local number may end with the last mention of its name, before a call that was given
    /// its handle: hand such a number to a function instead.
    let handle: OpaquePointer

    /// Zero, with room for so many bits.
    init(room bits: Int) {
        handle = demand(BN_new(), "libcrypto has no memory")
        // A number that once had the bit keeps the words for it.
        demand(BN_set_bit(handle, Int32(bits)), "libcrypto has no memory")
        demand(BN_clear_bit(handle, Int32(bits)), "libcrypto has no memory")
        BN_set_flags(handle, BN_FLG_CONSTTIME)
    }

    init(_ small: UInt, room bits: Int) {
        self.init(room: bits)
        demand(BN_add_word(handle, CUnsignedLong(small)), "libcrypto has no memory")
    }

    /// Reads the highest octet first.
    ///
    /// libcrypto passes over leading zeros, which would tell how many there are. So it gets to see a one before
    /// them, and the one is taken away again.
    init(_ octets: borrowing Secret) {
        let marked = Secret(count: octets.count + 1) { marked in
            octets.withOctets {
                marked[0] = 1
                UnsafeMutableRawBufferPointer(rebasing: marked[1...]).copyMemory(from: $0)
            }
        }
        handle = marked.withOctets { marked in
            demand(
                BN_bin2bn(marked.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(marked.count), nil),
                "libcrypto has no memory")
        }
        demand(BN_clear_bit(handle, Int32(8 * octets.count)), "libcrypto clears no bit")
        BN_set_flags(handle, BN_FLG_CONSTTIME)
    }

    /// Reads a number that is no secret, highest octet first.
    init(public octets: [UInt8]) {
        handle = demand(BN_bin2bn(octets, Int32(octets.count), nil), "libcrypto has no memory")
    }

    deinit { BN_clear_free(handle) }

    /// Writes the highest octet first, with leading zeros. Traps on a number that needs more octets.
    func write(into output: UnsafeMutableRawBufferPointer) {
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard BN_bn2binpad(handle, start, Int32(output.count)) == Int32(output.count) else {
            die("a number needs more octets")
        }
    }

    func secret(_ count: Int) -> Secret { Secret(count: count) { write(into: $0) } }

    /// For a number that is told to the peer.
    func octets(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            write(into: UnsafeMutableRawBufferPointer(output))
            filled = count
        }
    }

    /// Neither the difference nor what it is of is negative. No secret may be near to being so.
    func less(_ other: borrowing Number, room bits: Int) -> Number {
        let result = Number(room: bits)
        demand(BN_sub(result.handle, handle, other.handle), "libcrypto subtracts nothing")
        return result
    }

    /// The remainder of a division. It takes its time by the values, and is not for secrets.
    func remainder(by modulus: borrowing Number, room bits: Int, scratch: OpaquePointer) -> Number {
        let result = Number(room: bits)
        demand(BN_div(nil, result.handle, handle, modulus.handle, scratch), "libcrypto divides nothing")
        return result
    }

    /// For numbers that are no secret, or whose order is none.
    func isBelow(_ other: borrowing Number) -> Bool { BN_cmp(handle, other.handle) < 0 }

    /// 1 where the number is odd, else 0.
    var parity: Choice { Choice(BN_is_odd(handle)) }
}

/// 1 for yes and 0 for no, where a branch would tell which.
typealias Choice = CUnsignedLong
