import Foundation
import Testing
import Wire

@testable import Captures

@Suite struct CaptureFileTests {
    private static let writer = CaptureWriter()
    private static let frame: [UInt8] = [0xd0, 0x00] + [UInt8](repeating: 7, count: 30)

    /// Two packets, the second without radio data.
    private static var written: [UInt8] {
        writer.beginning(application: "awared", interface: "air")
            + writer.packet(frame, at: 1_796_056_740_704_897, frequency: 2437, signal: -40, direction: .sent)
            + writer.packet([0x80], at: 5, frequency: nil, signal: nil)
    }

    @Test func `what is written is read again`() throws {
        let packets = try Self.packets(of: Self.written)
        #expect(packets.count == 2)
        #expect(packets[0].content == .frame(Self.frame))
        #expect(packets[0].microseconds == 1_796_056_740_704_897)
        #expect(packets[0].radiotap.frequency == 2437)
        #expect(packets[0].radiotap.signal == -40)
        #expect(!packets[0].isCut)
        #expect(packets[1].content == .frame([0x80]))
        #expect(packets[1].radiotap == Radiotap())
        #expect(packets[1].number == 2)
    }

    @Test func `a packet is these octets`() {
        #expect(
            Self.writer.packet([0x80, 0x00], at: 0x1_0000_0002, frequency: 5745, signal: -1)
                == [UInt8](
                    hex: "06000000" + "30000000"  // enhanced packet block, length
                        + "00000000" + "01000000" + "02000000"  // interface, time
                        + "0f000000" + "0f000000"  // kept, on the air
                        + "0000" + "0d00" + "28000000"  // radiotap: version, length, two fields
                        + "7116" + "4001" + "ff"  // 5745 MHz, OFDM at 5 GHz, -1 dBm
                        + "8000" + "00"  // frame, padding
                        + "30000000")!)
    }

    @Test func `a long frame is cut and says so`() throws {
        let file =
            Self.writer.beginning(application: "a", interface: "b")
            + Self.writer.packet([UInt8](repeating: 1, count: 9000), at: 0, frequency: 2437, signal: nil)
        let packet = try #require(try Self.packets(of: file).first)
        #expect(packet.isCut)
        #expect(packet.content == .frame([UInt8](repeating: 1, count: CaptureWriter.frameLimit)))
    }

    @Test func `a file descriptor gives what an array gives`() throws {
        var file = Self.written
        for time in 0..<5000 {
            file += Self.writer.packet(Self.frame, at: UInt64(time), frequency: 2437, signal: -50)
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "awared-\(UUID()).pcapng")
        try Data(file).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let handle = try FileHandle(forReadingFrom: path)
        var reader = try CaptureReader(descriptor: handle.fileDescriptor)
        var packets: [CapturedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        #expect(packets == (try Self.packets(of: file)))
        #expect(packets.count == 5002)
    }

    @Test func `an empty file is not a capture`() throws {
        let handle = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        #expect(throws: CaptureError(packet: 0, reason: .unknownFormat)) {
            _ = try CaptureReader(descriptor: handle.fileDescriptor)
        }
    }

    @Test(arguments: [
        // Order and unit, header, one packet of 2 octets at 3.000004 s.
        "d4c3b2a1 0200 0400 00000000 00000000 00000400 69000000 03000000 04000000 02000000 02000000 8000",
        "a1b2c3d4 0002 0004 00000000 00000000 00040000 00000069 00000003 00000004 00000002 00000002 8000",
        "4d3cb2a1 0200 0400 00000000 00000000 00000400 69000000 03000000 a00f0000 02000000 02000000 8000",
        "a1b23c4d 0002 0004 00000000 00000000 00040000 00000069 00000003 00000fa0 00000002 00000002 8000",
    ])
    func `pcap is read in both orders and units`(text: String) throws {
        let packets = try Self.packets(of: Self.octets(text))
        #expect(packets.count == 1)
        #expect(packets.first?.microseconds == 3_000_004)
        #expect(packets.first?.content == .frame([0x80, 0x00]))
    }

    @Test func `pcapng is read with several sections, orders, clocks and unknown blocks`() throws {
        let bigEndian = Self.octets(
            "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c"  // section
                + "00000001 00000020 0069 0000 00000000"  // bare 802.11
                + "0009 0001 03 000000" + "0000 0000" + "00000020"  // milliseconds
                + "00000001 0000001c 0069 0000 00000000" + "0009 0001 8a 000000" + "0000001c"  // 1/1024 s
                + "00000bad 00000010 deadbeef 00000010"  // unknown
                + "00000006 00000024 00000000 00000000 00000007 00000002 00000002 8000 0000 00000024"
                + "00000006 00000024 00000001 00000000 00000200 00000002 00000003 8000 0000 00000024"
                + "00000003 00000014 00000002 c000 0000 00000014")
        let packets = try Self.packets(of: bigEndian + Self.written)
        #expect(packets.map(\.microseconds) == [7000, 500_000, 0, 1_796_056_740_704_897, 5])
        #expect(packets.map(\.isCut) == [false, true, false, false, false])
        #expect(packets.map(\.number) == [1, 2, 3, 4, 5])
        #expect(packets[2].content == .frame([0xc0, 0x00]))
    }

    @Test(arguments: [(1, "Ethernet"), (113, "Linux cooked"), (999, "999")])
    func `other link types are refused by name`(number: Int, name: String) throws {
        var file = Self.octets("d4c3b2a1 0200 0400 00000000 00000000 00000400 00000000")
        file[20] = UInt8(number & 0xff)
        file[21] = UInt8(number >> 8)
        let error = #expect(throws: CaptureError.self) { _ = try CaptureReader(octets: file) }
        #expect(error?.reason == .foreignLink(UInt32(number)))
        #expect(error?.description.contains(name) == true)
    }

    @Test func `radiotap is read past extension words and alignment`() throws {
        let packet = Self.octets(
            "00 00 2200 2f0000a0 200000a0 00000020"  // length 34; fields; two more words
                + "0807060504030201 10 02 8509 c000 d8"  // clock, checksum, rate, channel, -40 dBm
                + "000000"
        )
        let octets = packet + [0xd0, 0x00]
        var reader = FrameReader(octets.span.bytes)
        let radiotap = try Radiotap(parsing: &reader)
        #expect(radiotap.clock == 0x0102_0304_0506_0708)
        #expect(radiotap.hasChecksum)
        #expect(radiotap.frequency == 2437)
        #expect(radiotap.signal == -40)
        #expect(reader.rest() == [0xd0, 0x00])
    }

    @Test func `a checksum at the end is taken off`() throws {
        // Radiotap of 9 octets: flags only, checksum at the end.
        let file = Self.octets(
            "d4c3b2a1 0200 0400 00000000 00000000 00000400 7f000000 00000000 00000000 0f000000 0f000000"
                + "00 00 0900 02000000 10" + "d000" + "aabbccdd"
                + "00000000 00000000 0b000000 0b000000 00 00 0900 02000000 10 d000")
        let packets = try Self.packets(of: file)
        #expect(packets[0].content == .frame([0xd0, 0x00]))
        #expect(packets[1].content == .refused(.tooShort(for: "checksum", missing: 2)))
    }

    @Test func `every beginning of a file ends in packets or a named error`() {
        let file = Self.written
        for count in 0..<file.count {
            let (packets, error) = Self.outcome(of: Array(file.prefix(count)))
            #expect(packets.count < 2)
            // Between two blocks a file may end.
            if error == nil { #expect(count % 4 == 0 && count >= 28) }
        }
    }

    @Test func `every flipped bit ends in packets or a named error`() {
        let file = Self.written
        for position in 0..<file.count * 8 {
            var damaged = file
            damaged[position / 8] ^= 1 << UInt8(position % 8)
            #expect(Self.outcome(of: damaged).packets.count <= 2)
        }
    }

    @Test(arguments: [
        (UInt8(6), Int64(0), UInt64.max, UInt64.max), (9, 0, 1_999, 1), (0, 0, 3, 3_000_000),
        (0, 0, .max, .max), (127, 0, .max, 0), (0x80, 0, 2, 2_000_000), (0xff, 0, .max, 0),
        (0x80 + 63, 0, .max, 1_999_999),
        (0x80 + 64, 0, .max, 999_999), (0x80, 0, .max, .max), (6, .min, 5, 0), (6, .max, 5, .max),
        (6, -1, 1_000_001, 1),
        (6, 2, 1, 2_000_001), (3, 0, .max, .max),
    ])
    func `every clock counts without a trap`(
        resolution: UInt8, offset: Int64, ticks: UInt64, expected: UInt64
    ) {
        #expect(CaptureClock(resolution: resolution, offset: offset).microseconds(ticks) == expected)
    }

    @Test func `tshark opens what we wrote`() throws {
        let tshark = URL(filePath: "/usr/bin/tshark")
        guard FileManager.default.isExecutableFile(atPath: tshark.path) else {
            print("skipped: tshark is not installed")
            return
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "awared-\(UUID()).pcapng")
        try Data(Self.written).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let process = Process()
        process.executableURL = tshark
        process.arguments = [
            "-r", path.path, "-T", "fields", "-E", "separator=,", "-e", "frame.time_epoch", "-e",
            "radiotap.channel.freq", "-e", "radiotap.dbm_antsignal",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(lines.hasPrefix("1796056740.704897000,2437,-40\n"))
    }

    // MARK: Help

    static func packets(of file: [UInt8]) throws -> [CapturedPacket] {
        let (packets, error) = outcome(of: file)
        if let error { throw error }
        return packets
    }

    static func outcome(of file: [UInt8]) -> (packets: [CapturedPacket], error: CaptureError?) {
        var packets: [CapturedPacket] = []
        do throws(CaptureError) {
            var reader = try CaptureReader(octets: file)
            while let packet = try reader.next() { packets.append(packet) }
        } catch {
            return (packets, error)
        }
        return (packets, nil)
    }

    private static func octets(_ text: String) -> [UInt8] {
        [UInt8](hex: text.filter { $0 != " " })!
    }
}
