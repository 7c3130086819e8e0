import Testing
import Wire

@testable import Crypto

struct HashToElementTests {
    @Test func `maps as RFC 9380 appendix J.1.1 has it`() throws {
        // The suite of P-256 with an empty message: u[0], Q0.
        let map = HashToElement(on: Curve(.p256))
        let u = Number(Secret(.hex("ad5342c66a6dd0ff080df1da0ea1c04b96e0330dd89406465eeba11582515009")))
        let coordinates = map.curve.seen(map.map(u))
        let point = try #require(coordinates)
        #expect(
            point
                == .hex(
                    """
                    ab640a12220d3ff283510ff3f4b1953d09fad35795140b1c5d64f313967934d5
                    dccb558863804a881d4fff3455716c836cef230e5209594ddd33d85c565b19b1
                    """))
    }

    @Test(arguments: SAETests.groups)
    func `zero has the point of the exception`(group: Group) throws {
        // m is zero, so that x = b / (z · a); a wrong choice would not be on the curve, and trap.
        let map = HashToElement(on: Curve(group))
        let coordinates = map.curve.seen(map.map(Number(room: 8 * group.fieldCount)))
        let point = try #require(coordinates)
        #expect(point[2 * group.fieldCount - 1] & 1 == 0)
    }

    @Test(arguments: SAETests.groups)
    func `every number maps to a point, small ones and those below the prime too`(group: Group) throws {
        let map = HashToElement(on: Curve(group))
        let count = group.fieldCount
        let entropy = SeededEntropy(5)
        var inputs = (0..<60).map { _ in entropy.octets(count + count / 2) }
        inputs += (1...4).map { [UInt8](repeating: 0, count: count - 1) + [UInt8($0)] }
        var highest = map.curve.field.prime.octets(count)
        highest[count - 1] -= 1
        inputs.append(highest)
        for input in inputs {
            let u = map.coordinate(from: Secret(input))
            let coordinates = map.curve.seen(map.map(u))
            let point = try #require(coordinates)
            #expect(point[2 * count - 1] & 1 == u.octets(count)[count - 1] & 1)
        }
    }

    @Test func `numbers keep their leading zeros and lose none of their value`() {
        let octets: [UInt8] = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        #expect(Number(Secret(octets)).octets(12) == octets)
        #expect(Number(Secret(octets)).octets(9) == [UInt8](octets[3...]))
        #expect(Number(Secret([0, 0])).octets(2) == [0, 0])
    }

    @Test(arguments: SAETests.groups)
    func `numbers are reduced as a division does it`(group: Group) {
        let curve = Curve(group)
        let (count, entropy) = (group.fieldCount, SeededEntropy(6))
        for field in [curve.field, curve.scalars] {
            let prime = field.prime.octets(count)
            for extra in [0, 1, 8, count / 2, count] {
                let inputs =
                    (0..<50).map { _ in entropy.octets(count + extra) } + [
                        [UInt8](repeating: 0, count: count + extra),
                        [UInt8](repeating: 255, count: count + extra),
                        [UInt8](repeating: 0, count: extra) + prime,
                        prime + [UInt8](repeating: 0, count: extra),
                    ]
                for input in inputs {
                    let divided = Number(public: input).remainder(
                        by: field.prime, room: 8 * count, scratch: curve.scratch)
                    #expect(field.reduced(Secret(input)).octets(count) == divided.octets(count))
                }
            }
        }
    }

    @Test(arguments: SAETests.groups)
    func `scalars stay in their range even where the generator is stuck`(group: Group) {
        let (curve, count) = (Curve(group), group.fieldCount)
        let zero = curve.scalar(from: 2, entropy: StuckEntropy(0)).octets(count)
        #expect(zero == [UInt8](repeating: 0, count: count - 1) + [2])
        let highest = curve.scalar(from: 2, entropy: StuckEntropy(255))
        #expect(highest.isBelow(curve.scalars.prime) == true)
    }
}
