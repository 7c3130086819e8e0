import Crypto
import Testing

@testable import Accessory

struct PINTests {
    @Test func `leading zeros are shown and typed`() throws {
        let pin = try #require(PIN(random: 4_711))
        #expect(pin.digits == [0, 0, 4, 7, 1, 1])
        let typed = pin.password.withOctets { [UInt8]($0) }
        #expect(typed == Array("004711".utf8))
    }

    @Test func `the last number of each kind is a PIN`() throws {
        #expect(try #require(PIN(random: 999_999)).digits == [9, 9, 9, 9, 9, 9])
        #expect(try #require(PIN(random: 1_000_000)).digits == [0, 0, 0, 0, 0, 0])
    }

    @Test func `numbers that would favour some PINs are drawn again`() {
        // The largest multiple of a million that 32 bits hold.
        #expect(PIN(random: 4_294_000_000) == nil)
        #expect(PIN(random: .max) == nil)
        #expect(PIN(random: 4_293_999_999) != nil)
    }

    @Test func `each is as likely as any other`() {
        final class Generator: Entropy {
            var random = SystemRandomNumberGenerator()
            func fill(_ octets: UnsafeMutableRawBufferPointer) {
                for index in octets.indices { octets[index] = random.next() }
            }
        }
        let entropy = Generator()
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<20_000 { counts[Int(PIN(from: entropy).digits[0])] += 1 }
        // Six standard deviations of a fair digit: wrong once in a hundred million runs.
        for count in counts { #expect(abs(count - 2_000) < 255) }
    }
}
