import Testing
import Wire

@testable import Crypto

struct SecretTests {
    @Test func `a secret is erased before its memory is given back`() {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        storage.copyBytes(from: repeatElement(0xa5, count: 64))
        var left: [UInt8] = []
        Secret.end(storage) {
            left = [UInt8]($0)
            $0.deallocate()
        }
        #expect(left == [UInt8](repeating: 0, count: 64))
    }

    @Test func `secrets are equal in all their octets or not at all`() {
        #expect(Secret([1, 2, 3]).isEqual(to: Secret([1, 2, 3])) == true)
        #expect(Secret([1, 2, 3]).isEqual(to: Secret([1, 2, 4])) == false)
        #expect(Secret([1, 2, 3]).isEqual(to: Secret([1, 2])) == false)
        #expect(Secret([]).isEqual(to: Secret([])) == true)
    }

    @Test func `a part of a secret is one of its own`() {
        let whole = Secret([1, 2, 3, 4])
        #expect(whole.extracting(1..<3).seen == [2, 3])
        #expect(whole.extracting(4..<4).count == 0)
        #expect(whole.seen == [1, 2, 3, 4])
    }

    @Test func `the system's octets differ from one time to the next`() {
        let entropy = SystemEntropy()
        #expect(entropy.octets(32) != entropy.octets(32))
        #expect(entropy.octets(0) == [])
    }
}
