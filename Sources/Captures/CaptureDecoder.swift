import Aware
public import Crypto
import Frames
public import Wire

/// Turns the packets of a capture into descriptions of the NAN frames among them.
public struct CaptureDecoder {
    /// What the reader of a capture knows besides it.
    public struct Keys {
        /// ND-PMKs, 32 octets each.
        public var dataPathMasters: [Key]
        /// NIKs, 16 octets each.
        public var identities: [Key]
        /// NM-TKs for CCMP-128, 16 octets each.
        public var management: [Key]

        public init(dataPathMasters: [Key] = [], identities: [Key] = [], management: [Key] = []) {
            self.dataPathMasters = dataPathMasters
            self.identities = identities
            self.management = management
        }
    }

    private let keys: Keys
    private var audit: DataPathAudit

    public init(keys: Keys = Keys()) {
        self.keys = keys
        audit = DataPathAudit(masters: keys.dataPathMasters)
    }

    /// Nil for packets that hold no NAN frame.
    public mutating func decode(_ packet: CapturedPacket) -> DecodedFrame? {
        switch packet.content {
        case .refused(let error):
            return DecodedFrame(packet: packet, content: .refused(error), findings: [])
        case .frame(let octets):
            guard let inspection = inspect(octets) else { return nil }
            return DecodedFrame(packet: packet, content: .frame(inspection), findings: findings(inspection))
        }
    }

    private func inspect(_ octets: [UInt8]) -> Inspection? {
        guard let inspection = Inspection(of: octets) else { return nil }
        guard case .encrypted = inspection.content else { return inspection }
        let headCount = ManagementHeader.count
        for key in keys.management where key.secret.count == CCMP.keyCount {
            guard let plain = CCMP.open(octets, headCount: headCount, key: key.secret) else { continue }
            return Inspection(header: inspection.header, body: Array(plain[headCount...]))
        }
        return inspection
    }

    // MARK: What the keys tell

    private mutating func findings(_ inspection: Inspection) -> [Field] {
        var fields: [Field] = []
        if !keys.identities.isEmpty, let resolution = Self.resolution(inspection) {
            fields.append(Field("identity", identity(behind: resolution, at: inspection.header.transmitter)))
        }
        if case .action(let frame) = inspection.content,
            let finding = audit.take(frame, body: inspection.body)
        {
            fields.append(Field("message", finding.message.rawValue))
            if let mic = finding.mic { fields.append(Field("mic", mic.name)) }
            if let keyData = finding.keyData { fields.append(keyData.inspection) }
        }
        return fields
    }

    private static func resolution(_ inspection: Inspection) -> IdentityResolution? {
        switch inspection.content {
        case .action(let frame): frame.identityResolution
        case .authentication(let frame):
            (try? frame.content(NANElement.self))?.identityResolution
        case .beacon(let frame): frame.identityResolution
        case .encrypted, .refused: nil
        }
    }

    private func identity(behind resolution: IdentityResolution, at address: MACAddress) -> String {
        for (index, nik) in keys.identities.enumerated()
        where Identity.resolves(resolution, from: address, by: nik) {
            return "nik \(index + 1)"
        }
        return "unknown"
    }
}

extension DataPathAudit.Verdict {
    fileprivate var name: String {
        switch self {
        case .valid: "valid"
        case .wrong: "wrong"
        case .unknown: "unknown"
        }
    }
}

/// A packet with everything that can be said of it.
public struct DecodedFrame {
    public enum Content {
        case frame(Inspection)
        /// The octets before the frame make no sense.
        case refused(WireError)
    }

    public var packet: CapturedPacket
    public var content: Content
    /// What the given keys tell of the frame.
    public var findings: [Field]

    public var refusal: WireError? {
        switch content {
        case .frame(let inspection): inspection.refusal
        case .refused(let error): error
        }
    }

    /// One JSON object.
    public var json: String {
        JSONWriter.object { object in
            object.member("number", packet.number)
            object.member("time", Double(packet.microseconds) / 1e6, decimals: 6)
            (radioFields + addressFields).write(into: &object)
            switch content {
            case .frame(let inspection):
                object.member("kind", inspection.kind)
                if let refusal { object.member("refused", refusal.description) }
                findings.write(into: &object)
                inspection.fields.write(into: &object)
            case .refused(let error):
                object.member("kind", "packet")
                object.member("refused", error.description)
            }
        }
    }

    /// A line with what matters, and below it the fields.
    public var lines: [String] {
        var head = "#\(packet.number) \(time)"
        if let frequency = packet.radiotap.frequency {
            head += Channel.number(of: frequency).map { " channel \($0)" } ?? " \(frequency) MHz"
        }
        if let signal = packet.radiotap.signal { head += " \(signal) dBm" }
        switch content {
        case .refused(let error): return [head + " refused: " + error.description]
        case .frame(let inspection):
            let header = inspection.header
            head += " \(inspection.kind) \(header.transmitter) > \(header.receiver) in \(header.cluster)"
            if packet.isCut { head += " (cut)" }
            if let refusal { head += " refused: " + refusal.description }
            return [head] + findings.lines(indent: 4) + inspection.fields.lines(indent: 4)
        }
    }

    private var time: String {
        let fraction = "\(packet.microseconds % 1_000_000)"
        return "\(packet.microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count)
            + fraction
    }

    private var radioFields: [Field] {
        var fields: [Field] = []
        if let frequency = packet.radiotap.frequency {
            fields.append(Field("frequency_mhz", frequency))
            if let channel = Channel.number(of: frequency) { fields.append(Field("channel", channel)) }
        }
        if let signal = packet.radiotap.signal { fields.append(Field("signal_dbm", .signed(Int64(signal)))) }
        if packet.isCut { fields.append(Field("cut", true)) }
        if packet.radiotap.isDamaged { fields.append(Field("bad_checksum", true)) }
        return fields
    }

    private var addressFields: [Field] {
        guard case .frame(let inspection) = content else { return [] }
        let header = inspection.header
        return [
            Field("transmitter", header.transmitter), Field("receiver", header.receiver),
            Field("cluster", header.cluster), Field("sequence", header.sequence),
            Field("retry", header.isRetry),
            Field("encrypted", header.isProtected),
        ]
    }
}

/// The channels of 802.11.
private enum Channel {
    /// - Parameter frequency: Of the channel's middle in MHz.
    static func number(of frequency: UInt16) -> Int? {
        switch frequency {
        case 2412...2472: Int(frequency - 2407) / 5
        case 2484: 14
        case 5000..<5925: Int(frequency - 5000) / 5
        case 5955...7115: Int(frequency - 5950) / 5
        default: nil
        }
    }
}
