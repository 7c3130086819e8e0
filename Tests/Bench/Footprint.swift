import Foundation

/// What `awared` takes when it is alone on the air, as it is shipped and in the ordinary build.
func measurePrograms() throws -> ResultTable {
    let shipped = project.appending(path: "dist/amd64/awared")
    let ordinary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "awared")
    var builds: [(name: String, program: URL)] = []
    for (name, program) in [("Embedded", shipped), ("ordinary", ordinary)]
    where FileManager.default.isExecutableFile(atPath: program.path) {
        builds.append((name, program))
    }
    let footprints = try builds.map { try Footprint(of: $0.program) }
    var table = ResultTable("idle awared, amd64", columns: builds.map { $0.name })
    table.row("stripped program", footprints.map { "\($0.strippedOctets) B" })
    table.row("resident", footprints.map { "\($0.resident) kB" })
    table.row("of it anonymous", footprints.map { "\($0.anonymous) kB" })
    table.row("threads", footprints.map { "\($0.threads)" })
    table.row("start to ready, median", footprints.map { figure($0.readySeconds * 1e3, "ms") })
    table.row("of it CPU time", footprints.map { figure($0.readyCPUSeconds * 1e3, "ms") })
    table.row("wake-ups", footprints.map { figure($0.wakeUps, "/s") })
    table.row("wake-ups", footprints.map { figure($0.wakeUps * 0.524_288, "/window") })
    return table
}

private struct Footprint {
    let strippedOctets: Int
    /// In kB, as those below.
    let resident: Int
    let anonymous: Int
    let threads: Int
    /// Until it says that it has published.
    let readySeconds: Double
    /// What a busy machine does not lengthen.
    let readyCPUSeconds: Double
    /// Per second.
    let wakeUps: Double

    init(of program: URL) throws {
        strippedOctets = try Self.strippedCount(of: program)
        let starts = try (0..<5).map { _ in
            let agent = try IdleAgent(program)
            return (seconds: agent.readySeconds, cpu: agent.readyCPUSeconds)
        }
        readySeconds = starts.map { $0.seconds }.sorted()[2]
        readyCPUSeconds = starts.map { $0.cpu }.sorted()[2]

        let agent = try IdleAgent(program)
        // The first seconds hold what starting brings.
        Thread.sleep(forTimeInterval: 3)
        let before = try agent.status("voluntary_ctxt_switches")
        let start = ContinuousClock.now
        Thread.sleep(forTimeInterval: 10)
        let count = try agent.status("voluntary_ctxt_switches") - before
        wakeUps = Double(count) / (start.duration(to: .now) / .seconds(1))
        threads = try agent.status("Threads")
        resident = try agent.memory("Rss")
        anonymous = try agent.memory("Anonymous")
    }

    private static func strippedCount(of program: URL) throws -> Int {
        let copy = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
        defer { try? FileManager.default.removeItem(at: copy) }
        let strip = try Process.run(
            URL(filePath: "/usr/bin/strip"), arguments: ["-o", copy.path, program.path])
        strip.waitUntilExit()
        guard strip.terminationStatus == 0 else { throw BenchError("cannot strip \(program.path)") }
        return try Data(contentsOf: copy).count
    }
}

/// A running agent that nobody else is with. It ends with its last reference.
private final class IdleAgent {
    let readySeconds: Double
    let readyCPUSeconds: Double
    private let process = Process()
    private let journal = Pipe()
    private let place = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")

    init(_ program: URL) throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        process.executableURL = program
        process.arguments = [
            "run", "--config", project.appending(path: "config/drone.conf").path,
            "--radio", "air:\(place.path)/air", "--state", "\(place.path)/state",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = journal
        let start = ContinuousClock.now
        try process.run()
        var said = Data()
        while said.firstRange(of: Data("published".utf8)) == nil {
            let piece = journal.fileHandleForReading.availableData
            guard !piece.isEmpty else {
                throw BenchError("\(program.path) ended: \(String(decoding: said, as: UTF8.self))")
            }
            said.append(piece)
        }
        readySeconds = start.duration(to: .now) / .seconds(1)
        let schedule = try String(
            contentsOfFile: "/proc/\(process.processIdentifier)/schedstat", encoding: .utf8)
        readyCPUSeconds = (schedule.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: place)
    }

    func status(_ field: String) throws -> Int { try number(field, in: "status") }
    func memory(_ field: String) throws -> Int { try number(field, in: "smaps_rollup") }

    private func number(_ field: String, in file: String) throws -> Int {
        let path = "/proc/\(process.processIdentifier)/\(file)"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        for line in lines where line.hasPrefix(field + ":") {
            let words = line.dropFirst(field.count + 1).split { $0 == " " || $0 == "\t" }
            if let word = words.first, let value = Int(word) { return value }
        }
        throw BenchError("\(path) has no \(field)")
    }
}
