import Foundation
import Frames
import Wire

/// Decodes and encodes the recorded frames of Tests/Vectors/nan, every attribute that we know included.
func measureFrames() throws -> ResultTable {
    let frames = try recordedFrames()
    let decoded = try frames.map { try DecodedFrame($0) }
    let octets = Double(frames.reduce(0) { $0 + $1.count })
    let reading = try CPUTime.rate { for frame in frames { _ = try DecodedFrame(frame) } }
    let writing = try CPUTime.rate { for frame in decoded { _ = try frame.octets() } }

    var table = ResultTable("\(frames.count) recorded frames", columns: ["frames/s", "MB/s"])
    for (name, rate) in [("decoded", reading), ("encoded", writing)] {
        table.row(name, figure(rate * Double(frames.count)), figure(rate * octets / 1e6))
    }
    return table
}

private func recordedFrames() throws -> [[UInt8]] {
    let directory = project.appending(path: "Tests/Vectors/nan")
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "frames" }.flatMap { file in
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            [UInt8](hex: String(line.split(separator: " ").last ?? ""))
        }
    }
}

/// A frame as the stations take it apart.
private struct DecodedFrame {
    private enum Body {
        case action(ActionFrame)
        case authentication(AuthenticationFrame)
        case beacon(BeaconFrame)
    }

    private let header: ManagementHeader
    private let body: Body

    init(_ octets: [UInt8]) throws(WireError) {
        var reader = FrameReader(octets.span.bytes)
        header = try ManagementHeader(parsing: &reader)
        switch header.subtype {
        case .action: body = .action(try ActionFrame(parsing: reader))
        case .authentication: body = .authentication(try AuthenticationFrame(parsing: reader))
        case .beacon: body = .beacon(try BeaconFrame(parsing: reader))
        default: throw .unexpected("subtype", value: UInt64(header.subtype.rawValue))
        }
    }

    func octets() throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        header.write(into: &frame)
        switch body {
        case .action(let action): action.write(into: &frame)
        case .authentication(let authentication): authentication.write(into: &frame)
        case .beacon(let beacon): beacon.write(into: &frame)
        }
        return try frame.finish()
    }
}
