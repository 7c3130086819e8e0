import Foundation
import Testing
import Wire

@testable import Crypto

/// Named octets of one case of Tests/Vectors/keys.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    private let texts: [String: String]
    private let children: [String: [Vector]]

    var testDescription: String { name }

    static let recordedPairings = load("vectors").flatMap { $0["pairings"] }
    static let recordedDataPaths = load("vectors").flatMap { $0["ndp"] }
    static let computedPairings = load("synthetic_pairing")

    func has(_ key: String) -> Bool { texts[key] != nil }

    func text(_ key: String) throws -> String { try #require(texts[key], "\(name) has no \(key)") }

    func callAsFunction(_ key: String) throws -> [UInt8] { try #require([UInt8](hex: text(key))) }

    func secret(_ key: String) throws -> Secret { Secret(try self(key)) }

    func address(_ key: String) throws -> MACAddress { try #require(MACAddress(text(key))) }

    subscript(_ key: String) -> [Vector] { children[key] ?? [] }

    private init(_ name: String, _ object: [String: Any]) {
        self.name = name
        var texts: [String: String] = [:]
        var children: [String: [Vector]] = [:]
        for (key, value) in object {
            switch value {
            case let text as String: texts[key] = text
            case let number as Int: texts[key] = String(number)
            case let one as [String: Any]: children[key] = [Vector("\(name) \(key)", one)]
            case let list as [Any]:
                children[key] = list.enumerated().map { index, value in
                    Vector("\(name) \(key) \(index)", value as? [String: Any] ?? ["value": value])
                }
            default: break
            }
        }
        self.texts = texts
        self.children = children
    }

    private static func load(_ file: String) -> [Vector] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/keys/\(file).json")
        guard let data = try? Data(contentsOf: url), let whole = try? JSONSerialization.jsonObject(with: data)
        else {
            fatalError("there are no vectors at \(url)")
        }
        if let list = whole as? [[String: Any]] {
            return list.enumerated().map { Vector("\(file) \($0)", $1) }
        }
        let cases = whole as? [String: [String: Any]] ?? [:]
        return cases.sorted { $0.key < $1.key }.map { Vector($0.key, $0.value) }
    }
}

extension Secret {
    /// What a test may see.
    var seen: [UInt8] { withOctets { [UInt8]($0) } }
}

extension Curve {
    /// The coordinates of a point that a test may see.
    func seen(_ point: borrowing Point) -> [UInt8]? {
        guard let coordinates = coordinates(point) else { return nil }
        return coordinates.seen
    }
}

extension Array where Element == UInt8 {
    /// Hexadecimal digits that a test writes down, with spaces where they help.
    static func hex(_ text: String) -> [UInt8] {
        guard let octets = [UInt8](hex: text.filter { !$0.isWhitespace }) else {
            fatalError("no digits: \(text)")
        }
        return octets
    }
}

/// The same octets in every run.
final class SeededEntropy: Entropy {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// SplitMix64.
    func fill(_ octets: UnsafeMutableRawBufferPointer) {
        for index in octets.indices {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            octets[index] = UInt8(truncatingIfNeeded: mixed ^ mixed >> 31)
        }
    }
}

/// One octet, again and again.
final class StuckEntropy: Entropy {
    private let octet: UInt8

    init(_ octet: UInt8) { self.octet = octet }

    func fill(_ octets: UnsafeMutableRawBufferPointer) {
        octets.copyBytes(from: repeatElement(octet, count: octets.count))
    }
}
