import Foundation
import Frames
import Wire

/// A frame of Tests/Vectors/nan.
struct RecordedFrame: Sendable {
    var place: String
    var direction: String
    var octets: [UInt8]
}

enum Recordings {
    static let cases = [
        "full_pin_ndp_pk_pasn128", "full_pin_ndp_sk_ccm128", "fullpub_own_client", "ndp_open",
        "ndp_open_pub_terminate", "ndp_sk_ccm128", "opportunistic", "pin_sae_ccmp128", "pin_sae_gcmp256",
        "solicited", "unsolicited", "verify_npk", "wrong_pin",
    ]

    static func frames(of name: String) throws -> [RecordedFrame] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = directory.appending(path: "Vectors/nan/\(name).frames")
        var frames: [RecordedFrame] = []
        for (number, line) in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .enumerated()
        {
            let words = line.split(separator: " ")
            guard words.count == 2, let octets = [UInt8](hex: String(words[1])) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            let place = "\(name).frames:\(number + 1)"
            frames.append(RecordedFrame(place: place, direction: String(words[0]), octets: octets))
        }
        return frames
    }

    static func all() throws -> [RecordedFrame] {
        var frames: [RecordedFrame] = []
        for name in cases { frames += try self.frames(of: name) }
        return frames
    }

    /// One frame of each structure: which attributes or elements of which lengths, in which kind of frame.
    static func distinct() throws -> [RecordedFrame] {
        var seen: Set<String> = []
        return try all().filter { seen.insert(try structure(of: $0.octets)).inserted }
    }

    private static func structure(of octets: [UInt8]) throws -> String {
        switch try Frame(octets).body {
        case .action(let action): "\(action.kind) \(action.isProtectedDual) \(try shape(action.attributes))"
        case .authentication(let frame):
            "\(frame.sequence) \(frame.elements.map { "\($0.id) \($0.body.count)" })"
        case .beacon(let beacon): "beacon \(try shape(beacon.attributes))"
        }
    }

    private static func shape(_ attributes: [Attribute]) throws -> String {
        try attributes.map { "\($0.id.rawValue).\(try written($0).count)" }.joined(separator: " ")
    }
}

/// A whole management frame, for the tests only.
struct Frame: Equatable {
    enum Body: Equatable {
        case action(ActionFrame)
        case authentication(AuthenticationFrame)
        case beacon(BeaconFrame)
    }

    var header: ManagementHeader
    var body: Body

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

func written(_ attribute: Attribute) throws(WireError) -> [UInt8] {
    var frame = FrameWriter(limit: 1 << 17)
    attribute.write(into: &frame)
    return try frame.finish()
}

func attribute(_ octets: [UInt8]) throws(WireError) -> Attribute {
    var reader = FrameReader(octets.span.bytes)
    let attribute = try Attribute(parsing: &reader)
    try reader.end("test vector")
    return attribute
}

/// Reads what an element holds, where we know it, and writes it again; nil where we do not.
func rewritten(_ element: Element) throws(WireError) -> Element? {
    let frame = [element]
    if let content = try frame.first(NANElement.self) { return try Element(content) }
    if let content = try frame.first(RobustSecurity.self) { return try Element(content) }
    if let content = try frame.first(PASNParameters.self) { return try Element(content) }
    if let content = try frame.first(WrappedSAE.self) { return try Element(content) }
    if let content = try frame.first(SupportedGroups.self) { return try Element(content) }
    if let content = try frame.first(MessageIntegrityCode.self) { return try Element(content) }
    return nil
}
