import Frames
import Testing
import Wire

/// Key descriptors in the layouts that are on the air, and what is in them once unwrapped.
struct KeyTests {
    private static func descriptor(_ info: SharedKeyDescriptor.Info, mic: Int, data: Int)
        -> SharedKeyDescriptor
    {
        SharedKeyDescriptor(
            publish: 1, info: info, keyLength: 16, replayCounter: 2, nonce: .init(repeating: 0x4b, count: 32),
            mic: .init(repeating: info.contains(.mic) ? 0xe7 : 0, count: mic),
            data: .init(repeating: 0x8d, count: data))
    }

    @Test(arguments: [
        (SharedKeyDescriptor.Info(rawValue: 0x0088), 16, 0),  // M1
        (SharedKeyDescriptor.Info(rawValue: 0x0088), 24, 0),  // M1 with SHA-384
        (SharedKeyDescriptor.Info(rawValue: 0x0108), 16, 0),  // M2
        (SharedKeyDescriptor.Info(rawValue: 0x13c8), 16, 40),  // M3
        (SharedKeyDescriptor.Info(rawValue: 0x1348), 24, 40),  // M4 with SHA-384
        (SharedKeyDescriptor.Info(rawValue: 0x1088), 0, 48),  // identity keys, hostap
        (SharedKeyDescriptor.Info(rawValue: 0x12c8), 16, 48),  // identity keys, phones
        (SharedKeyDescriptor.Info(rawValue: 0x12c8), 24, 48),
    ])
    func `the data length says how long the MIC is`(
        _ info: SharedKeyDescriptor.Info, _ mic: Int, _ data: Int
    ) throws {
        let descriptor = Self.descriptor(info, mic: mic, data: data)
        let octets = try written(.sharedKeyDescriptor(descriptor))
        #expect(octets.count == 3 + 78 + mic + 2 + data)
        #expect(try attribute(octets) == .sharedKeyDescriptor(descriptor))
    }

    @Test func `a frame with a key and a wrong length is refused`() throws {
        var octets = try written(.sharedKeyDescriptor(Self.descriptor([.pairwise, .mic], mic: 16, data: 8)))
        octets[3 + 78 + 17] = 7
        #expect(throws: WireError.unexpected("", value: 26)) { try attribute(octets) }
    }

    @Test func `what we cannot write is refused, not sent`() {
        let descriptor = Self.descriptor(.mic, mic: 17, data: 0)
        #expect(throws: WireError.unexpected("", value: 17)) { try written(.sharedKeyDescriptor(descriptor)) }
    }

    @Test func `the MIC is found behind other attributes, and only where there is one`() throws {
        let key = Attribute.sharedKeyDescriptor(Self.descriptor(.mic, mic: 16, data: 8))
        let suites = Attribute.cipherSuiteInformation(CipherSuiteInformation(entries: []))
        let frame = ActionFrame(
            kind: .action(.dataPathConfirm), isProtectedDual: false, attributes: [suites, key, suites])
        let octets = try frame.octets()
        let range = try #require(SharedKeyDescriptor.micRange(inBodyOf: octets))
        #expect(range == 7 + 4 + 3 + 78..<7 + 4 + 3 + 78 + 16)
        #expect(octets[range].allSatisfy { $0 == 0xe7 })
        for count in 0..<octets.count {
            let found = SharedKeyDescriptor.micRange(inBodyOf: Array(octets[..<count]))
            #expect(found == nil || found == range)
        }
        #expect(SharedKeyDescriptor.micRange(inBodyOf: []) == nil)
    }

    /// Recorded: the initiator's key data in `pin_sae_ccmp128`, unwrapped.
    private static let recorded: [UInt8] =
        [0xdd, 0x15, 0x50, 0x6f, 0x9a, 0x24, 0x00] + (0xf0...0xff)
        + [0xdd, 0x0a, 0x50, 0x6f, 0x9a, 0x25, 0x08, 0x00, 0x00, 0x00, 0xa8, 0xc0]
        + [0xdd, 0x00, 0x00, 0x00, 0x00]
    private static let list: [KeyData] = [
        .identityKey(cipherVersion: 0, key: Array(0xf0...0xff)), .lifetime(keys: 8, seconds: 43200),
    ]

    @Test func `an identity key and its lifetime`() throws {
        #expect(try keyData(Self.recorded) == Self.list)
        #expect(try KeyData.octets(Self.list) == Self.recorded)
    }

    @Test func `a phone omits the lifetime`() throws {
        #expect(try keyData(Array(Self.recorded[..<23]) + [0xdd]) == [Self.list[0]])
        #expect(try KeyData.octets([Self.list[0]]).count == 24)
    }

    @Test func `padding: dd and zeros, or zeros alone, and nothing after`() throws {
        let bare = Array(Self.recorded[..<35])
        for padding: [UInt8] in [[], [0xdd], [0xdd, 0], [0, 0, 0], [0], [0xdd, 0, 0, 0, 0, 0, 0, 0]] {
            #expect(try keyData(bare + padding) == Self.list, "\(padding)")
        }
        #expect(throws: WireError.self) { try keyData(bare + [0xdd, 0, 0, 1]) }
        #expect(throws: WireError.self) { try keyData(bare + [0xdd, 5, 0, 0]) }
    }

    @Test func `a group key is kept as it came`() throws {
        let octets: [UInt8] = [
            0xdd, 0x1c, 0x00, 0x0f, 0xac, 0x09, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x41, 0x33,
            0xb8, 0x24,
            0xc4, 0x3f, 0x69, 0xaf, 0xcf, 0x18, 0x0c, 0x76, 0xf1, 0x3c, 0x11, 0x25, 0xdd, 0x00,
        ]
        let list = try keyData(octets)
        #expect(list == [.other(type: 0x000f_ac09, octets: Array(octets[6..<30]))])
        #expect(try KeyData.octets(list) == octets)
    }

    @Test func `key data is never too short to be wrapped`() throws {
        #expect(try KeyData.octets([]).count == 16)
        for count in 0..<40 {
            let octets = try KeyData.octets([.other(type: 1, octets: .init(repeating: 7, count: count))])
            #expect(octets.count % 8 == 0 && octets.count >= 16)
            #expect(try keyData(octets) == [.other(type: 1, octets: .init(repeating: 7, count: count))])
        }
    }

    @Test func `every prefix and every flipped bit of key data ends in a value or an error`() {
        for count in Self.recorded.indices { _ = try? keyData(Array(Self.recorded[..<count])) }
        for bit in 0..<Self.recorded.count * 8 {
            var octets = Self.recorded
            octets[bit / 8] ^= 1 << (bit % 8)
            guard let list = try? keyData(octets) else { continue }
            _ = try? KeyData.octets(list)
        }
    }

    private func keyData(_ octets: [UInt8]) throws(WireError) -> [KeyData] {
        try KeyData.list(parsing: FrameReader(octets.span.bytes))
    }
}
