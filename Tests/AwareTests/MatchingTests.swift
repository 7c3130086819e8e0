import Frames
import Testing
import Wire

@testable import Aware

struct MatchingTests {
    @Test func `who asks for nothing in particular means everybody`() {
        #expect(Matching.accepts(subscriber: nil, publisher: nil))
        #expect(Matching.accepts(subscriber: nil, publisher: [[1]]))
        #expect(Matching.accepts(subscriber: [], publisher: nil))
    }

    @Test func `elements match in their places, and an empty one matches any`() {
        #expect(Matching.accepts(subscriber: [[1], [2, 3]], publisher: [[1], [2, 3]]))
        #expect(Matching.accepts(subscriber: [[], [2]], publisher: [[1], [2]]))
        #expect(Matching.accepts(subscriber: [[1]], publisher: [[]]))
        #expect(Matching.accepts(subscriber: [[1]], publisher: [[1], [2]]), "fewer may be asked for")
        #expect(!Matching.accepts(subscriber: [[2], [1]], publisher: [[1], [2]]))
        #expect(!Matching.accepts(subscriber: [[1, 2]], publisher: [[1]]))
        #expect(!Matching.accepts(subscriber: [[1], []], publisher: [[1]]), "more may not")
        #expect(!Matching.accepts(subscriber: [[1]], publisher: nil))
    }

    private let address = MACAddress(rawValue: 0x0200_0000_0001)
    private let other = MACAddress(rawValue: 0x0200_0000_0002)

    @Test func `a list of addresses names those who may answer, or those who may not`() {
        let members = ServiceResponseFilter.Members.addresses([other, address])
        #expect(Matching.mayAnswer(nil, address: address))
        #expect(Matching.mayAnswer(ServiceResponseFilter(includes: true, members: members), address: address))
        #expect(
            !Matching.mayAnswer(ServiceResponseFilter(includes: false, members: members), address: address))
        let others = ServiceResponseFilter.Members.addresses([other])
        #expect(!Matching.mayAnswer(ServiceResponseFilter(includes: true, members: others), address: address))
        #expect(Matching.mayAnswer(ServiceResponseFilter(includes: false, members: others), address: address))
        let nobody = ServiceResponseFilter.Members.addresses([])
        #expect(!Matching.mayAnswer(ServiceResponseFilter(includes: true, members: nobody), address: address))
    }

    /// Filters of 16 octets with the one address in them, computed with zlib's CRC-32 by the formula of hostap:
    /// bit = low 16 bits of ~CRC-32(j ‖ address), modulo 128, for j = 4·index … 4·index + 3.
    @Test(arguments: [
        (UInt8(0), "02000010000120000000000000000000"), (1, "00800400400000080000000000000000"),
        (2, "00000000000000000080040040000008"), (3, "00000000000000000200001000012000"),
    ])
    func `a Bloom filter knows its members`(_ index: UInt8, _ hex: String) throws {
        let bits = try #require([UInt8](hex: hex))
        let filter = ServiceResponseFilter(includes: true, members: .bloom(index: index, bits: bits))
        #expect(Matching.mayAnswer(filter, address: address))
        #expect(!Matching.mayAnswer(filter, address: other))
        for octet in bits.indices where bits[octet] != 0 {
            var less = bits
            less[octet] = 0
            let lacking = ServiceResponseFilter(includes: true, members: .bloom(index: index, bits: less))
            #expect(!Matching.mayAnswer(lacking, address: address), "all four bits count")
        }
        let full = ServiceResponseFilter(
            includes: false, members: .bloom(index: index, bits: [UInt8](repeating: 0xff, count: 7)))
        #expect(!Matching.mayAnswer(full, address: address))
    }

    @Test func `a Bloom filter of no size or of an impossible index stops nothing`() {
        let empty = ServiceResponseFilter(includes: true, members: .bloom(index: 0, bits: []))
        #expect(!Matching.mayAnswer(empty, address: address))
        let strange = ServiceResponseFilter(includes: true, members: .bloom(index: 255, bits: [0xff]))
        #expect(Matching.mayAnswer(strange, address: address))
    }
}
