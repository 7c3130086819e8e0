import Testing
import Wire

@testable import Crypto

struct HashFunctionTests {
    @Test func `SHA-2 of abc, FIPS 180-4`() {
        let text = [UInt8]("abc".utf8)
        #expect(
            HashFunction.sha256.digest(text)
                == .hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            HashFunction.sha384.digest(text)
                == .hex(
                    """
                    cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed
                    8086072ba1e7cc2358baeca134c825a7
                    """))
        #expect(
            HashFunction.sha256.digest([])
                == .hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    }

    @Test func `HMAC of RFC 4231, cases 1, 2 and 6`() {
        let cases: [(key: [UInt8], data: String, sha256: String, sha384: String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                """
                afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c
                faea9ea9076ede7f4af152e8b2fa9cb6
                """
            ),
            (
                [UInt8]("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                """
                af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e
                8e2240ca5e69e2c78b3239ecfab21649
                """
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
                """
                4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6
                0c2ef6ab4030fe8296248df163f44952
                """
            ),
        ]
        for vector in cases {
            let key = Secret(vector.key)
            let data = [UInt8](vector.data.utf8)
            #expect(HashFunction.sha256.authenticationCode(of: data, key: key) == .hex(vector.sha256))
            #expect(HashFunction.sha384.authenticationCode(of: data, key: key) == .hex(vector.sha384))
        }
    }

    @Test func `HMAC takes an empty key and an empty message`() {
        #expect(
            HashFunction.sha256.authenticationCode(of: [], key: Secret([]))
                == .hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func `HKDF of RFC 5869, cases 1 and 3`() {
        let hash = HashFunction.sha256
        let material = Secret([UInt8](repeating: 0x0b, count: 22))
        let salted = hash.extract(salt: .hex("000102030405060708090a0b0c"), from: material)
        #expect(salted.seen == .hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
        #expect(
            hash.expand(salted, info: .hex("f0f1f2f3f4f5f6f7f8f9"), count: 42).seen
                == .hex(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        let plain = hash.extract(salt: [], from: material)
        #expect(plain.seen == .hex("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"))
        #expect(
            hash.expand(plain, info: [], count: 42).seen
                == .hex(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test func `PBKDF2 with SHA-256, RFC 7914 section 11`() {
        let key = HashFunction.sha256.stretch(
            Secret([UInt8]("passwd".utf8)), salt: [UInt8]("salt".utf8), iterations: 1, count: 64)
        #expect(
            key.seen
                == .hex(
                    """
                    55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc
                    49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783
                    """))
    }

    @Test func `a derivation may be of any length, and of none`() {
        let key = Secret([1, 2, 3])
        let long = HashFunction.sha384.derive(100, from: key, label: "label", context: [9]).seen
        #expect(long.count == 100)
        // The length is part of what is hashed: a short derivation is no prefix of a long one.
        #expect(
            HashFunction.sha384.derive(48, from: key, label: "label", context: [9]).seen
                != [UInt8](long[..<48]))
        #expect(HashFunction.sha256.derive(0, from: key, label: "label", context: []).count == 0)
        #expect(HashFunction.sha256.expand(key, info: [], count: 0).count == 0)
    }

    @Test func `a secret at the end of the context is the same as its octets there`() {
        let key = Secret([1, 2, 3])
        let whole = HashFunction.sha256.derive(40, from: key, label: "label", context: [4, 5, 6, 7])
        let parted = HashFunction.sha256.derive(
            40, from: key, label: "label", context: [4, 5], sharedSecret: Secret([6, 7]))
        #expect(whole.isEqual(to: parted) == true)
    }
}
