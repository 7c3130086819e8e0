import Foundation
import Testing
import Wire

@testable import LinuxRadio

/// Recorded netlink messages, see Tests/Vectors/nl80211/README.md.
enum Recordings {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors/nl80211")

    static let messages: [String: [UInt8]] = {
        var found: [String: [UInt8]] = [:]
        for line in lines("messages.txt") {
            let words = line.split(separator: " ")
            found[String(words[0])] = [UInt8](hex: String(words[1]))
        }
        return found
    }()

    static let radios: [[UInt8]] = lines("radios.txt").map { [UInt8](hex: $0)! }

    static let bands: [[UInt8]] = lines("bands.txt").map { [UInt8](hex: $0)! }

    private static func lines(_ file: String) -> [String] {
        let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    static func message(_ name: String) throws -> [UInt8] {
        try #require(messages[name], "no recording \(name)")
    }

    /// The one message of a recorded datagram.
    static func parsed(_ name: String) throws -> NetlinkMessage {
        try #require(try NetlinkMessage.messages(in: try message(name)).first)
    }

    /// The attributes of a recorded message of nl80211.
    static func attributes(_ name: String) throws -> AttributeList {
        try AttributeList(parsing: try parsed(name).body.dropFirst(4))
    }

    static let device = WirelessDevice(identifier: 2)
    static let dataInterface = WirelessDevice(identifier: 3)
    static let own = MACAddress("02:11:22:33:44:01")!
    static let peer = MACAddress("02:aa:bb:cc:dd:02")!
    static let peerInterface = MACAddress("42:00:00:00:01:00")!
}
