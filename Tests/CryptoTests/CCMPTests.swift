import Crypto
import Testing
import Wire

struct CCMPTests {
    /// 802.11-2020 annex J.6.4, the CCMP test vector: a data frame without QoS.
    @Test func `the standard's example`() throws {
        let header = try #require([UInt8](hex: "0848c32c0fd2e128a57c5030f1844408abaea5b8fcba8033"))
        let plain = try #require([UInt8](hex: "f8ba1a55d02f85ae967bb62fb6cda8eb7e78a050"))
        let key = Secret(try #require([UInt8](hex: "c97c1f67ce371185514a8a19f2bdd52f")))
        let sealed = CCMP.seal(header + plain, headCount: 24, packetNumber: 0xb503_9776_e70c, key: key)
        #expect(
            String(hex: sealed) == String(hex: header) + "0ce70020769703b5"
                + "f3d0a2fe9a3dbf2342a643e43246e80c3c04d019" + "7845ce0b16f97623")
        #expect(CCMP.packetNumber(of: sealed, headCount: 24) == 0xb503_9776_e70c)
        #expect(CCMP.open(sealed, headCount: 24, key: key) == header + plain)
    }

    @Test func `what is cut short or changed is not opened`() throws {
        let key = Secret([UInt8](repeating: 7, count: 16))
        let sealed = CCMP.seal(
            [0xd0, 0] + [UInt8](repeating: 2, count: 22) + [9, 9], headCount: 24, packetNumber: 1, key: key)
        for count in sealed.indices {
            #expect(CCMP.open(Array(sealed.prefix(count)), headCount: 24, key: key) == nil)
        }
        for index in sealed.indices
        where index != 2 && index != 3 && index != 22 && index != 23 && index != 26 {
            var changed = sealed
            changed[index] ^= 1
            #expect(CCMP.open(changed, headCount: 24, key: key) == nil, "octet \(index)")
        }
    }
}
