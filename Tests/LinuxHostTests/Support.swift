import CShim
import Foundation
import Ports
import Wire

/// A directory of its own that goes with its owner.
final class TemporaryDirectory {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "awared-" + UUID().uuidString
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ content: String) -> String {
        _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(content.utf8))
        return path + "/" + name
    }

    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func mode(of name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}

/// What is written to `descriptor` can be read again.
final class Capture {
    private let pipe = Pipe()

    var descriptor: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    /// Everything written so far; nothing can be written afterwards.
    func text() -> String {
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}

/// A clock that stands still.
final class StoppedClock: Ports.Clock {
    var now = Instant(microseconds: 5_000_000)
    var date: UInt64 = 1_700_000_000
}
