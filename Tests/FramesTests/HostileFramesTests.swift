import Frames
import Testing
import Wire

/// Whatever comes from outside ends in a value or in a named error; and a value is written back as it came.
struct HostileFramesTests {
    private static let groups = 8

    @Test func `every prefix of every kind of frame`() throws {
        for frame in try Recordings.distinct() {
            for count in frame.octets.indices { probe(Array(frame.octets[..<count]), frame.place) }
        }
    }

    @Test(arguments: 0..<groups)
    func `every single flipped bit of every kind of frame`(_ group: Int) throws {
        for (number, frame) in try Recordings.distinct().enumerated() where number % Self.groups == group {
            var octets = frame.octets
            for position in octets.indices {
                for bit in 0..<8 {
                    octets[position] ^= 1 << bit
                    probe(octets, frame.place)
                    octets[position] ^= 1 << bit
                }
            }
        }
    }

    @Test func `random octets in the body of every attribute`() throws {
        var random = SplitMix(state: 0x5eed)
        var read: Set<UInt8> = []
        for id in Self.known {
            for _ in 0..<1000 {
                let octets = [id] + Self.body(&random)
                guard let attribute = try? attribute(octets) else { continue }
                read.insert(id)
                #expect(try written(attribute) == octets)
            }
        }
        // A key descriptor's length, 80 octets at least, is not guessed.
        #expect(read == Set(Self.known).subtracting([0x24]))
    }

    private static let known: [UInt8] = [
        0x00, 0x01, 0x03, 0x0e, 0x0f, 0x10, 0x12, 0x13, 0x14, 0x15, 0x17, 0x1d, 0x22, 0x23, 0x24, 0x27, 0x29,
        0x2a,
        0x2b, 0x2c, 0xdd,
    ]

    /// A length, and as many octets; small numbers, which are likely lengths and types, more often than others.
    private static func body(_ random: inout SplitMix) -> [UInt8] {
        let count = UInt8(random.next() % 28)
        var octets = [count, 0]
        for _ in 0..<count {
            let octet = UInt8(truncatingIfNeeded: random.next())
            octets.append(random.next() % 4 == 0 ? octet : octet & 0x03)
        }
        return octets
    }

    private func probe(_ octets: [UInt8], _ place: String) {
        guard let frame = try? Frame(octets) else { return }
        let back = try? frame.octets()
        if back != octets {
            Issue.record("\(place): \(String(hex: octets)) -> \(back.map { String(hex: $0) } ?? "no octets")")
        }
        let body = Array(octets.dropFirst(ManagementHeader.count))
        _ = SharedKeyDescriptor.micRange(inBodyOf: body)
        guard case .authentication(let authentication) = frame.body else { return }
        _ = AuthenticationFrame.micRange(inBodyOf: body)
        for element in authentication.elements {
            guard let again = try? rewritten(element) else { continue }
            if again != element { Issue.record("\(place): \(element) -> \(again)") }
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
