import Foundation
import Testing

@testable import LinuxHost

struct OutputFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    @Test func `a link that lies in wait is replaced and not followed`() throws {
        let victim = directory.appending(path: "victim")
        let path = directory.appending(path: "capture")
        try Data("precious".utf8).write(to: victim)
        try FileManager.default.createSymbolicLink(at: path, withDestinationURL: victim)
        let file = try OutputFile(path: path.path)
        #expect(file.write([1, 2, 3]) == .written)
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
        #expect(try Data(contentsOf: path) == Data([1, 2, 3]))
    }

    @Test func `what is no file is not taken away`() throws {
        let path = directory.appending(path: "pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: HostError.self) { try OutputFile(path: path) }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
