import Testing
import Wire

@testable import Crypto

struct AESKeyWrapTests {
    /// RFC 3394 §4.1, §4.3, §4.6.
    static let published: [(key: [UInt8], plain: String, wrapped: String)] = [
        (
            [UInt8](0...15), "00112233445566778899AABBCCDDEEFF",
            "1FA68B0A8112B447 AEF34BD8FB5A7B82 9D3E862371D2CFE5"
        ),
        (
            [UInt8](0...31), "00112233445566778899AABBCCDDEEFF",
            "64E8C3F9CE0F5BA2 63E9777905818A2A 93C8191E7D6E8AE7"
        ),
        (
            [UInt8](0...31), "00112233445566778899AABBCCDDEEFF 000102030405060708090A0B0C0D0E0F",
            "28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21"
        ),
    ]

    @Test func `wraps and unwraps as RFC 3394 does`() throws {
        for vector in Self.published {
            let key = Secret(vector.key)
            #expect(AESKeyWrap.wrap(Secret(.hex(vector.plain)), with: key) == .hex(vector.wrapped))
            let unwrapped = AESKeyWrap.unwrap(.hex(vector.wrapped), with: key)
            let plain = try #require(unwrapped)
            #expect(plain.secret.seen == .hex(vector.plain))
        }
    }

    @Test func `whatever was changed is refused`() {
        for vector in Self.published {
            let wrapped = [UInt8].hex(vector.wrapped)
            for bit in 0..<8 * wrapped.count {
                var changed = wrapped
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(AESKeyWrap.unwrap(changed, with: Secret(vector.key)) == nil)
            }
            #expect(AESKeyWrap.unwrap(wrapped, with: Secret(vector.key.reversed())) == nil)
        }
    }

    @Test func `lengths that cannot be right are refused`() {
        for count in [0, 1, 7, 8, 15, 16, 17, 23, 25, 31, 70_000] {
            #expect(
                AESKeyWrap.unwrap([UInt8](repeating: 1, count: count), with: Secret([UInt8](0...15))) == nil)
        }
    }
}

struct AESCCMTests {
    /// RFC 3610 §8, packet vectors 1 to 3: 8 octets of header, the rest is sealed.
    static let published: [(nonce: String, last: UInt8, sealed: String)] = [
        (
            "00000003020100A0A1A2A3A4A5", 0x1e,
            "588C979A61C663D2F066D0C2C0F989806D5F6B61DAC38417E8D12CFDF926E0"
        ),
        (
            "00000004030201A0A1A2A3A4A5", 0x1f,
            "72C91A36E135F8CF291CA894085C87E3CC15C439C9E43A3BA091D56E10400916"
        ),
        (
            "00000005040302A0A1A2A3A4A5", 0x20,
            "51B1E5F44A197D1DA46B0F8E2D282AE871E838BB64DA8596574ADAA76FBD9FB0C5"
        ),
    ]
    let key = Key(Secret([UInt8](0xc0...0xcf)))
    let header = [UInt8](0...7)

    @Test func `seals and opens as RFC 3610 does`() {
        for vector in Self.published {
            let plain = [UInt8](8...vector.last)
            let sealed = AESCCM.seal(
                plain, nonce: .hex(vector.nonce), additionalData: header, key: key.secret)
            #expect(sealed == .hex(vector.sealed))
            #expect(
                AESCCM.open(
                    .hex(vector.sealed), nonce: .hex(vector.nonce), additionalData: header, key: key.secret)
                    == plain)
        }
    }

    @Test func `whatever was changed is refused`() {
        let vector = Self.published[0]
        let (nonce, sealed) = ([UInt8].hex(vector.nonce), [UInt8].hex(vector.sealed))
        for bit in 0..<8 * sealed.count {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(AESCCM.open(changed, nonce: nonce, additionalData: header, key: key.secret) == nil)
        }
        for index in nonce.indices {
            var changed = nonce
            changed[index] ^= 1
            #expect(AESCCM.open(sealed, nonce: changed, additionalData: header, key: key.secret) == nil)
        }
        #expect(AESCCM.open(sealed, nonce: nonce, additionalData: header + [0], key: key.secret) == nil)
        #expect(AESCCM.open(sealed, nonce: nonce, additionalData: [], key: key.secret) == nil)
        #expect(
            AESCCM.open(sealed, nonce: nonce, additionalData: header, key: Secret([UInt8](0...15))) == nil)
    }

    @Test func `every length opens again, and every prefix is refused`() {
        let nonce = [UInt8](1...13)
        for count in [0, 1, 15, 16, 17, 1_500, 65_535] {
            for additional in [[], [UInt8](repeating: 3, count: 22), [UInt8](repeating: 3, count: 66_000)] {
                let plain = [UInt8](repeating: 7, count: count)
                let sealed = AESCCM.seal(plain, nonce: nonce, additionalData: additional, key: key.secret)
                #expect(sealed.count == count + AESCCM.tagCount)
                #expect(
                    AESCCM.open(sealed, nonce: nonce, additionalData: additional, key: key.secret) == plain)
            }
        }
        let sealed = AESCCM.seal([1, 2, 3], nonce: nonce, additionalData: header, key: key.secret)
        for count in 0..<sealed.count {
            let prefix = [UInt8](sealed[..<count])
            #expect(AESCCM.open(prefix, nonce: nonce, additionalData: header, key: key.secret) == nil)
        }
        #expect(
            AESCCM.open(
                [UInt8](repeating: 0, count: 70_000), nonce: nonce, additionalData: [], key: key.secret)
                == nil)
    }
}
