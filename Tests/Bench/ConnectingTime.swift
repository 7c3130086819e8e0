import Foundation
import Wire

/// From the start of `aware connect` by a paired phone to the first datagram, in virtual time.
func measureConnecting() throws -> ResultTable {
    let window = 512.0 * Double(TimeUnits.microseconds) / 1e3
    var spans: [Double] = []
    for seed in 1...20 as ClosedRange<UInt64> {
        let stage = try Stage(seed: seed)
        try stage.startPhone()
        try stage.pair()
        stage.world.run(for: .seconds(2))
        stage.endPhone()
        // Programs start at any moment of a window.
        stage.world.run(for: .milliseconds(UInt32(seed) * 137))
        let start = stage.world.now
        try stage.startPhone()
        try stage.connect()
        try stage.sendDatagram()
        spans.append(Double(stage.world.now.microseconds(since: start)) / 1e3)
    }
    let sorted = spans.sorted()
    var table = ResultTable("connect to first datagram", columns: ["time", "windows"])
    for (name, span) in [("median of 20", sorted[10]), ("longest", sorted[19])] {
        table.row(name, figure(span, "ms"), figure(span / window))
    }
    return table
}

/// The same on the kernel's radio, which only the virtual board has: what its tests measured last.
func kernelConnecting() -> String {
    let file = project.appending(path: ".build-board/results/radio/first-datagram")
    guard let line = try? String(contentsOf: file, encoding: .utf8),
        let date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    else {
        return
            "connect to first datagram on the kernel radio: run Tests/BoardTests/run dist/amd64 radio aware first\n"
    }
    return line.trimmingCharacters(in: .newlines) + ", measured \(date.formatted(.iso8601))\n"
}
