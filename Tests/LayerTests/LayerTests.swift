import Foundation
import Testing

/// Arrows point down. The build refuses imports that the manifest does not declare; this refuses those that the
/// manifest should not declare, and the system's libraries in what ships.
struct LayerTests {
    /// The floors of README.md. A target imports from floors below its own only.
    static let floors: [String: Int] = [
        "CShim": 0, "COpenSSL": 0, "CConfig": 0, "CGPIO": 0, "CNetlink": 0,
        "Wire": 1,
        "BluetoothLE": 2, "Crypto": 2, "Frames": 2, "MAVLink": 2,
        "Ports": 3,
        "Aware": 4, "SystemBus": 4,
        "Captures": 5, "Accessory": 5, "Phone": 5,
        "Runtime": 6, "LinuxHost": 6, "LinuxRadio": 6, "LinuxBluetooth": 6, "LinuxWiFi": 6,
        "LinuxBoard": 6,
        "Channels": 6, "Simulation": 6,
        "Programs": 7,
        "awared": 8, "aware": 8,
    ]

    /// They are told the time, handed octets, and touch nothing.
    static let pure: Set<String> = [
        "Wire", "BluetoothLE", "Crypto", "Frames", "MAVLink", "Aware", "Accessory", "Phone",
    ]

    /// What the C shim may be used for in pure code: erasing secrets, comparing them, and the last words.
    static let shimUsers: [String: Set<String>] = [
        "Wire": ["shim_die"], "Crypto": ["shim_erase", "shim_equal", "shim_random"],
    ]

    static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    struct Import: Hashable {
        var target: String
        var module: String
        var file: String
    }

    static func imports() throws -> Set<Import> {
        var found: Set<Import> = []
        for target in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
            let folder = sources.appendingPathComponent(target)
            for case let file as URL in FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: nil)!
            where file.pathExtension == "swift" {
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let words = line.split(separator: " ")
                    guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
                        words[..<place].allSatisfy({ ["public", "internal", "@_exported"].contains($0) })
                    else { continue }
                    found.insert(
                        Import(target: target, module: String(words[place + 1]), file: file.lastPathComponent)
                    )
                }
            }
        }
        return found
    }

    @Test func `arrows point down`() throws {
        let imports = try Self.imports()
        #expect(imports.count > 100)
        for found in imports where found.target != "bench" {
            let own = try #require(Self.floors[found.target], "\(found.target) stands on no floor")
            guard let other = Self.floors[found.module] else {
                Issue.record("\(found.target)/\(found.file) imports \(found.module), which is not ours")
                continue
            }
            #expect(other < own, "\(found.target)/\(found.file) imports \(found.module)")
        }
    }

    @Test func `pure code has nothing of the system`() throws {
        for target in Self.pure {
            let folder = Self.sources.appendingPathComponent(target)
            for case let file as URL in FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: nil)!
            where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in text.split(whereSeparator: { !$0.isLetter && $0 != "_" && !$0.isNumber })
                where word.hasPrefix("shim_") {
                    #expect(
                        Self.shimUsers[target]?.contains(String(word)) == true,
                        "\(target)/\(file.lastPathComponent) calls \(word)")
                }
            }
        }
    }
}
