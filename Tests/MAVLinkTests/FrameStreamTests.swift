import MAVLink
import Testing

struct FrameStreamTests {
    @Test(arguments: Golden.all)
    func `a frame comes out as it went in`(_ octets: [UInt8]) {
        var stream = FrameStream()
        #expect(stream.receive(datagram: octets).map(\.octets) == [octets])
        #expect(stream.counters.frames == 1)
        #expect(stream.counters.skippedOctets == 0)
    }

    @Test func `a header says who sent what`() throws {
        var stream = FrameStream()
        let old = try #require(stream.receive(Golden.oldHeartbeat).first)
        #expect(old.version == .one && old.sequence == 5 && old.sender == Golden.vehicle)
        #expect(old.message == Heartbeat.id && !old.isSigned)
        let signed = try #require(stream.receive(Golden.signedHeartbeat).first)
        #expect(signed.version == .two && signed.sequence == 7 && signed.sender == Golden.groundStation)
        #expect(signed.isSigned && signed.payload.count == 9)
        let unknown = try #require(stream.receive(Golden.unknown).first)
        #expect(unknown.message.rawValue == 70000)
        #expect(stream.counters.unknown == 1)
    }

    @Test func `a serial line may cut anywhere`() {
        let line = Golden.all.flatMap { $0 }
        for size in 1...50 {
            var stream = FrameStream()
            var frames: [MAVLinkFrame] = []
            for start in stride(from: 0, to: line.count, by: size) {
                frames += stream.receive(Array(line[start..<min(start + size, line.count)]))
            }
            #expect(frames.map(\.octets) == Golden.all)
            #expect(stream.counters.skippedOctets == 0)
        }
    }

    @Test func `a datagram holds several frames, and none goes on in the next`() {
        var stream = FrameStream()
        let datagram = Golden.heartbeat + Golden.unknown + Golden.arm + Golden.position.dropLast(3)
        let frames = stream.receive(datagram: datagram)
        #expect(frames.map(\.octets) == [Golden.heartbeat, Golden.unknown, Golden.arm])
        #expect(stream.receive(datagram: Array(Golden.position.suffix(3))).isEmpty)
        #expect(stream.receive(datagram: Golden.text).count == 1)
    }

    @Test(arguments: Golden.all)
    func `every prefix is no frame yet`(_ octets: [UInt8]) {
        for count in 0..<octets.count {
            var stream = FrameStream()
            #expect(stream.receive(datagram: Array(octets.prefix(count))).isEmpty)
            var line = FrameStream()
            #expect(line.receive(Array(octets.prefix(count))).isEmpty)
            #expect(line.receive(Array(octets.dropFirst(count))).map(\.octets) == [octets])
        }
    }

    @Test(arguments: Golden.all.filter { $0 != Golden.unknown })
    func `every flipped bit is found, and the next frame is read`(_ octets: [UInt8]) {
        let signature = octets == Golden.signedHeartbeat ? 13 : 0
        for bit in 0..<8 * (octets.count - signature) {
            var damaged = octets
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            // A length that got longer swallows what follows; then it takes a few octets more.
            let gap = [UInt8](repeating: 0, count: MAVLinkFrame.limit)
            var stream = FrameStream()
            let frames = stream.receive(damaged) + stream.receive(gap) + stream.receive(Golden.heartbeat)
            #expect(frames.last?.octets == Golden.heartbeat)
            for frame in frames.dropLast() { #expect(isUnknown(frame), "bit \(bit)") }
        }
    }

    /// A flipped bit may make a number that nobody knows, whose check value says nothing.
    private func isUnknown(_ frame: MAVLinkFrame) -> Bool {
        var stream = FrameStream()
        _ = stream.receive(datagram: frame.octets)
        return stream.counters.unknown == 1
    }

    @Test func `noise is survived`() {
        var noise: [UInt8] = []
        var state: UInt32 = 1
        for _ in 0..<100_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            noise.append(state >> 24 & 7 == 0 ? 0xfd : UInt8(truncatingIfNeeded: state >> 16))
        }
        var stream = FrameStream()
        for start in stride(from: 0, to: noise.count, by: 100) {
            _ = stream.receive(Array(noise[start..<start + 100]))
        }
        _ = stream.receive([UInt8](repeating: 0, count: MAVLinkFrame.limit))
        #expect(stream.receive(Golden.heartbeat).map(\.octets) == [Golden.heartbeat])
    }
}
