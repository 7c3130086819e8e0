import Foundation
import Frames
import Testing
import Wire

/// An independent reader of what we write: Debian's tshark.
struct TsharkTests {
    private static let tshark = "/usr/bin/tshark"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: tshark), "tshark is missing: apt install tshark")
    )
    func `tshark finds nothing malformed in what we write`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "frames-\(UUID().uuidString).pcap")
        defer { try? FileManager.default.removeItem(at: file) }
        let frames = try Self.frames()
        try Data(Self.capture(frames)).write(to: file)

        let text = try run("-r", file.path(), "-V")
        let starts = text.split(separator: "\n").filter { $0.hasPrefix("Frame ") }
        #expect(starts.count == frames.count)
        for line in text.split(separator: "\n") where line.contains("Malformed") { Issue.record("\(line)") }
        #expect(text.contains("Public Action: Vendor Specific"))
        #expect(text.contains("NAN"))
    }

    /// What we make ourselves, one of everything, and what was recorded, written by us.
    private static func frames() throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for recorded in try Recordings.distinct() {
            var frame = try Frame(recorded.octets)
            // Without their keys, tshark cannot read them.
            frame.header.isProtected = false
            frames.append(try frame.octets())
        }
        for (_, _, attribute) in GoldenOctetsTests.attributes {
            frames.append(try action(.serviceDiscovery, [attribute]))
        }
        let golden = GoldenOctetsTests.attributes.map(\.2)
        frames.append(try action(.serviceDiscovery, golden.filter { $0.id != .unalignedSchedule }))
        frames.append(try action(.action(.dataPathRequest), golden.filter { $0.id == .dataPathExtension }))
        return frames
    }

    private static func action(_ kind: ActionFrame.Kind, _ attributes: [Attribute]) throws -> [UInt8] {
        var frame = FrameWriter()
        ManagementHeader(
            subtype: .action, receiver: .nanNetwork, transmitter: MACAddress(rawValue: 0x0211_2233_4401),
            cluster: MACAddress(rawValue: 0x506f_9a01_0001)
        ).write(into: &frame)
        ActionFrame(kind: kind, isProtectedDual: false, attributes: attributes).write(into: &frame)
        return try frame.finish()
    }

    /// A classic pcap file of plain 802.11 frames.
    private static func capture(_ frames: [[UInt8]]) throws -> [UInt8] {
        var file = FrameWriter(limit: 1 << 20)
        file.number32(0xa1b2_c3d4)
        file.number16(2)
        file.number16(4)
        file.zeros(8)
        file.number32(65535)
        file.number32(105)
        for (number, frame) in frames.enumerated() {
            file.number32(UInt32(number))
            file.number32(0)
            file.number32(UInt32(frame.count))
            file.number32(UInt32(frame.count))
            file.octets(frame)
        }
        return try file.finish()
    }

    private func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: Self.tshark)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
