import Captures
import Crypto
import Foundation
import Wire

/// A recorded capture with its description and its keys.
struct RecordedCapture {
    static let cases = [
        "ndp_open", "ndp_sk_ccm128", "full_pin_ndp_sk_ccm128", "full_pin_ndp_pk_pasn128", "verify_npk",
        "opportunistic", "pin_sae_gcmp256",
    ]

    private static let vectors = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Vectors")

    let name: String
    /// On the air, or between the kernel and the program: nlmon.pcap.
    var file = "air.pcapng"

    var octets: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: folder.appending(path: file))) }
    }

    var description: String {
        get throws { try String(contentsOf: folder.appending(path: "frames.txt"), encoding: .utf8) }
    }

    /// All that is known of the case: the keys of its data path and of its pairings.
    var keys: CaptureDecoder.Keys {
        get throws {
            let data = try Data(contentsOf: Self.vectors.appending(path: "keys/vectors.json"))
            let all = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            let recorded = all?[name] as? [String: Any]
            let path = recorded?["ndp"] as? [String: Any]
            let pairings = recorded?["pairings"] as? [[String: Any]] ?? []
            return CaptureDecoder.Keys(
                dataPathMasters: [path?["nd_pmk"] as? String].compactMap(Self.key),
                management: pairings.map { $0["nm_tk"] as? String }.compactMap(Self.key))
        }
    }

    /// Every NAN frame of the capture as JSON, with the keys that are given.
    func decoded(_ keys: CaptureDecoder.Keys) throws -> [[String: Any]] {
        var reader = try CaptureReader(octets: try octets)
        var decoder = CaptureDecoder(keys: keys)
        var frames: [[String: Any]] = []
        while let packet = try reader.next() {
            guard let frame = decoder.decode(packet) else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(frame.json.utf8))
            if let object = object as? [String: Any] { frames.append(object) }
        }
        return frames
    }

    static func key(_ text: String?) -> Key? {
        guard let text, let octets = [UInt8](hex: text) else { return nil }
        return Key(Secret(octets))
    }

    private var folder: URL { Self.vectors.appending(path: "captures").appending(path: name) }
}

/// A frame of `frames.txt`: its octets and, attribute by attribute, what stands there as `name=value`.
struct DescribedFrame {
    struct Attribute {
        var id: Int
        var tokens: [String]
    }

    var octets: [UInt8]
    var attributes: [Attribute]

    static func all(in text: String) -> [DescribedFrame] {
        var frames: [DescribedFrame] = []
        for line in text.split(separator: "\n") {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("raw ") {
                frames.append(
                    DescribedFrame(octets: [UInt8](hex: String(content.dropFirst(4))) ?? [], attributes: []))
            } else if content.hasPrefix("[0x"), let id = Int(content.dropFirst(3).prefix(2), radix: 16) {
                frames[frames.count - 1].attributes.append(Attribute(id: id, tokens: []))
            } else if content.hasPrefix("<") || !line.hasPrefix("     ") {
                continue
            } else if let last = frames.last?.attributes.indices.last {
                frames[frames.count - 1].attributes[last].tokens += tokens(of: String(content))
            }
        }
        return frames
    }

    /// What says nothing that the octets do not say again: lengths, counts, single bits of numbers.
    private static let ignored: Set<String> = [
        "len", "n", "cookie_len", "key_data_len", "capab_info", "ver", "bitdur", "period", "off", "chan-list",
    ]

    private static func tokens(of line: String) -> [String] {
        // Of PASN parameters, whose lines follow attributes now and then.
        guard !line.contains("wrapped_format") else { return [] }
        var tokens: [String] = []
        var rest = line.replacing(#/chan-list ctrl=0x[0-9a-f]+ n=\d+:/#, with: "")
        for channel in rest.matches(of: #/\[oc (\d+) bitmap (0x[0-9a-f]+) pri (0x[0-9a-f]+)\]/#) {
            tokens.append("channel=\(channel.1)/\(channel.2)/\(channel.3)")
        }
        for element in rest.matches(of: #/element id=(\d+) len=\d+ ([0-9a-f]*)/#) {
            tokens.append("element=\(element.1)/\(element.2)")
        }
        for item in rest.matches(of: #/TLV type=(\d+) len=\d+ ([0-9a-f]*)/#) {
            tokens.append("item=\(item.1)/\(item.2)")
        }
        rest = rest.replacing(#/(element id|TLV type)=.*/#, with: "").replacing("octet0(reg)", with: "octet0")
            .replacing("method bitmap", with: "methods").replacing(#/mic\(\d+\)/#, with: "mic")
        for pair in rest.matches(of: #/([a-z_0-9-]+)=([0-9a-zA-Z:_.-]*)/#)
        where !ignored.contains(String(pair.1)) {
            tokens.append("\(pair.1)=\(pair.2)")
        }
        return tokens.sorted()
    }
}
