import Crypto
import Frames
import Testing

@testable import Aware

struct ServiceNameTests {
    /// Names and the identifiers that phones compute for them, as recorded by their developers.
    static let known: [(String, UInt64)] = [
        ("_drone-service._udp", 0x3425_f17b_da31), ("_drone-service._tcp", 0x5249_dfb9_cdf3),
        ("_file-service._tcp", 0xe67d_6baa_f9b9), ("_sat-simulation._udp", 0x6348_7a70_d3a0),
        ("_esp-demo._udp", 0x4184_6b9e_51ab), ("_ESP-Demo._udp", 0x4184_6b9e_51ab),
        ("_localsend._tcp", 0x9101_c126_4457), ("_cellfind._udp", 0x58bd_1bc2_7102),
        ("_moblin._tcp", 0xc346_8aa2_744e), ("_airhop-mesh-v1._tcp", 0x3c91_5fe8_3bd6),
        ("_rn-aware._tcp", 0x68f7_5610_9d05), ("_example-service._tcp", 0xc57e_d9d5_d167),
    ]

    @Test(arguments: known)
    func `has the identifier that phones compute`(_ text: String, _ identifier: UInt64) throws {
        #expect(try ServiceName(text).identifier.rawValue == identifier)
    }

    @Test(arguments: [
        ("", ServiceName.Mistake.notInTwoParts), ("_drone", .notInTwoParts),
        ("_drone._udp.local", .notInTwoParts),
        ("drone._udp", .notInTwoParts), ("._udp", .notInTwoParts), ("_drone._sctp", .unknownTransport),
        ("_drone._udp ", .unknownTransport), ("_drone.", .unknownTransport), ("_._udp", .badLength),
        ("_sixteen-letters-._udp", .badLength), ("_abcdefghijklmnop._udp", .badLength),
        ("_dro_ne._udp", .badCharacter),
        ("_dröne._udp", .badCharacter), ("_dro ne._udp", .badCharacter), ("_42._udp", .noLetter),
        ("_4-2._udp", .noLetter), ("_-drone._udp", .hyphenAtAnEnd), ("_drone-._udp", .hyphenAtAnEnd),
    ])
    func `is refused where phones would not find it`(_ text: String, _ mistake: ServiceName.Mistake) {
        #expect(throws: mistake) { try ServiceName(text) }
        #expect(!mistake.description.isEmpty)
    }

    @Test func `may be as short as a letter and as long as fifteen characters`() throws {
        #expect(try ServiceName("_a._tcp").transport == .tcp)
        #expect(try ServiceName("_a1234567890-bcd._UDP").transport == .udp)
        #expect(try ServiceName("_1-a._udp").text == "_1-a._udp")
    }
}
