public import Frames
public import Wire

/// A NAN frame with the name of each of its fields.
public struct Inspection: Sendable {
    public enum Content: Sendable {
        case beacon(BeaconFrame)
        case action(ActionFrame)
        case authentication(AuthenticationFrame)
        /// Nobody without the key knows what is inside.
        case encrypted
        /// The rest of the frame is described as far as it could be read.
        case refused(WireError)
    }

    public var header: ManagementHeader
    /// What follows the header.
    public var body: [UInt8]
    public var content: Content
    /// `beacon`, `service_discovery`, `data_path_request`, …, `authentication`, `encrypted`.
    public var kind: String
    public var fields: [Field]

    /// Nil for what is no NAN frame: data, and other networks' frames.
    ///
    /// - Parameter frame: From the 802.11 header on, without a checksum.
    public init?(of frame: [UInt8]) {
        var reader = FrameReader(frame.span.bytes)
        guard let header = try? ManagementHeader(parsing: &reader) else { return nil }
        self.init(header: header, body: reader.rest())
    }

    /// The same for a frame that was taken apart, and perhaps decrypted, before.
    public init?(header: ManagementHeader, body: [UInt8]) {
        let isNAN = NANFrame.isNAN(header.cluster) || NANFrame.isAction(body)
        guard isNAN else { return nil }
        self.header = header
        self.body = body
        do throws(WireError) {
            guard let (content, kind, fields) = try NANFrame.content(header, body) else { return nil }
            (self.content, self.kind, self.fields) = (content, kind, fields)
        } catch {
            content = .refused(error)
            kind = NANFrame.kind(header, body)
            fields = NANFrame.remains(header, body)
        }
    }

    /// Why the frame was not understood, if it was not.
    public var refusal: WireError? {
        if case .refused(let error) = content { error } else { nil }
    }
}

/// How NAN frames are told from others, and taken apart.
enum NANFrame {
    /// The third address of NAN frames is a cluster: 50-6F-9A-01 and two octets.
    static func isNAN(_ cluster: MACAddress) -> Bool { cluster.rawValue >> 16 == 0x506f_9a01 }

    /// The beginning of NAN action frames that are not encrypted.
    static func isAction(_ body: [UInt8]) -> Bool {
        body.count >= 6 && (body[0] == 4 || body[0] == 9) && body[1] == 9 && body[2] == 0x50
            && body[3] == 0x6f
            && body[4] == 0x9a && (body[5] == 0x13 || body[5] == 0x18)
    }

    /// Nil for frames that have nothing to do with NAN although they have such an address.
    static func content(
        _ header: ManagementHeader, _ body: [UInt8]
    ) throws(WireError) -> (Inspection.Content, kind: String, [Field])? {
        // Once decrypted, by a kernel or by us, a frame keeps the bit that says it is encrypted.
        if header.isProtected && !isAction(body) { return (.encrypted, "encrypted", encrypted(body)) }
        switch header.subtype {
        case .beacon:
            let frame = try BeaconFrame(parsing: FrameReader(body.span.bytes))
            return (.beacon(frame), "beacon", frame.fields)
        case .authentication:
            let frame = try AuthenticationFrame(parsing: FrameReader(body.span.bytes))
            return (.authentication(frame), "authentication", frame.fields)
        case .action where isAction(body):
            let frame = try ActionFrame(parsing: FrameReader(body.span.bytes))
            return (.action(frame), frame.kind.name, frame.fields)
        default: return nil
        }
    }

    /// What the frame would have been.
    static func kind(_ header: ManagementHeader, _ body: [UInt8]) -> String {
        switch header.subtype {
        case .beacon: "beacon"
        case .authentication: "authentication"
        default:
            body.count > 6 && body[5] == 0x18
                ? ActionFrame.Subtype(rawValue: body[6]).name : "service_discovery"
        }
    }

    /// What can be told of a frame that was refused: its attributes, one of which is to blame.
    static func remains(_ header: ManagementHeader, _ body: [UInt8]) -> [Field] {
        guard header.subtype == .action, isAction(body) else { return [Field("octets", body)] }
        return [NANElement.attributes(in: body, from: body[5] == 0x18 ? 7 : 6)]
    }

    /// - Spec: 802.11-2020 §12.5.3.2, CCMP header; GCMP's is the same.
    private static func encrypted(_ body: [UInt8]) -> [Field] {
        guard body.count >= 8 else { return [Field("octets", body)] }
        var number: UInt64 = 0
        for index in [7, 6, 5, 4, 1, 0] { number = number << 8 | UInt64(body[index]) }
        return [
            Field("packet_number", number), Field("key_id", body[3] >> 6),
            Field("octet_count", body.count - 8),
        ]
    }
}

extension BeaconFrame {
    fileprivate var fields: [Field] {
        [
            Field("timestamp", timestamp), Field("interval_tu", interval.count),
            Field("capability", bits: capability),
        ] + (leading.isEmpty ? [] : [Field("leading_elements", leading.inspection.value)]) + [
            attributes.inspection
        ]
            + (trailing.isEmpty ? [] : [Field("trailing_elements", trailing.inspection.value)])
    }
}

extension ActionFrame {
    fileprivate var fields: [Field] {
        [Field("protected_dual", isProtectedDual), attributes.inspection]
    }
}

extension ActionFrame.Kind {
    fileprivate var name: String {
        switch self {
        case .serviceDiscovery: "service_discovery"
        case .action(let subtype): subtype.name
        }
    }
}

extension ActionFrame.Subtype {
    fileprivate var name: String {
        switch self {
        case .dataPathRequest: "data_path_request"
        case .dataPathResponse: "data_path_response"
        case .dataPathConfirm: "data_path_confirm"
        case .dataPathKeyInstall: "data_path_key_install"
        case .dataPathTermination: "data_path_termination"
        case .scheduleRequest: "schedule_request"
        case .scheduleResponse: "schedule_response"
        case .scheduleConfirm: "schedule_confirm"
        case .scheduleUpdate: "schedule_update"
        default: "action_\(rawValue)"
        }
    }
}

extension NANElement {
    /// The attributes behind the element's head.
    static func inspection(_ body: [UInt8]) -> Field { attributes(in: body, from: 4) }

    /// Attribute by attribute, over those that cannot be read.
    static func attributes(in octets: [UInt8], from start: Int) -> Field {
        var fields: [Field] = []
        var reader = FrameReader(octets.span.bytes)
        _ = try? reader.octets(start, "head")
        while reader.remaining > 0 {
            let id = octets[octets.count - reader.remaining]
            let before = reader.remaining
            do throws(WireError) {
                fields.append(try Attribute(parsing: &reader).inspection)
            } catch {
                fields.append(refused(id, error))
                // Where the lengths do not fit, nothing that follows means anything.
                if before - reader.remaining <= 3 { break }
            }
        }
        return Field("attributes", .list(fields, kind: "attribute"))
    }

    private static func refused(_ id: UInt8, _ error: WireError) -> Field {
        Field("refused", .group([Field("id", bits: id), Field("reason", error.description)]))
    }
}
