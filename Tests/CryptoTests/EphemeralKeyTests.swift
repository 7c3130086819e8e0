import Testing
import Wire

@testable import Crypto

struct EphemeralKeyTests {
    @Test(arguments: SAETests.groups)
    func `two sides share a secret`(group: Group) throws {
        let (one, other) = (EphemeralKey(group: group, entropy: SystemEntropy()), key(group, 2))
        #expect(one.publicKey.count == 1 + group.fieldCount)
        let shared = try one.sharedSecret(with: other.publicKey)
        #expect(shared.count == group.fieldCount)
        #expect(shared.isEqual(to: try other.sharedSecret(with: one.publicKey)) == true)
    }

    @Test(arguments: SAETests.groups)
    func `the same entropy gives the same key, other entropy another`(group: Group) {
        #expect(key(group, 1).publicKey == key(group, 1).publicKey)
        #expect(key(group, 1).publicKey != key(group, 2).publicKey)
    }

    @Test func `ECDH of RFC 5903 with P-256 and P-384`() throws {
        // §8.1 and §8.2: the initiator's private i, the responder's public x (y is even in 8.1, odd in 8.2).
        let small = EphemeralKey(
            group: .p256,
            scalar: Secret(.hex("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")))
        #expect(
            [UInt8](small.publicKey.dropFirst())
                == .hex("DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180"))
        let shared = try small.sharedSecret(
            with: .hex("03 D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63"))
        #expect(shared.seen == .hex("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"))
    }

    @Test(arguments: SAETests.groups)
    func `keys of a peer that are no points are refused`(group: Group) throws {
        let own = key(group, 1)
        let peer = key(group, 2).publicKey
        let coordinates = try Curve(group).seen(Curve(group).point(encoded: peer))
        let full = try #require(coordinates)
        let prime = Curve(group).field.prime.octets(group.fieldCount)
        var refused: [[UInt8]] = [
            [], [0], [0] + peer.dropFirst(), [4] + peer.dropFirst(), [4] + full, [6] + full, peer + [0],
            [UInt8](peer.dropLast()), [2] + prime, [3] + [UInt8](repeating: 255, count: group.fieldCount),
        ]
        // About half of all x have no point. 5 of the first numbers are enough.
        for x in 0..<40 {
            let octets = [2] + [UInt8](repeating: 0, count: group.fieldCount - 1) + [UInt8(x)]
            if (try? Curve(group).point(encoded: octets)) == nil { refused.append(octets) }
        }
        #expect(refused.count > 15)
        for octets in refused {
            #expect(throws: CryptoError.invalidPoint) { _ = try own.sharedSecret(with: octets) }
        }
    }

    private func key(_ group: Group, _ seed: UInt64) -> EphemeralKey {
        EphemeralKey(group: group, entropy: SeededEntropy(seed))
    }
}
