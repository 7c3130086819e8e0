public import Wire

/// A key data element (KDE) inside unwrapped key data.
///
/// - Spec: 802.11-2020 §12.7.2, Table 12-9; Wi-Fi Aware 4.0, NAN KDEs.
public enum KeyData: Equatable, Sendable {
    /// NAN identity key: cipher version and 16 octets.
    case identityKey(cipherVersion: UInt8, key: [UInt8])
    /// How long which keys are good, in seconds. Bit 3 of `keys`: the identity key.
    case lifetime(keys: UInt16, seconds: UInt32)
    /// OUI and type, e.g. 0x000fac01 for a GTK; octets as they came.
    case other(type: UInt32, octets: [UInt8])
    /// An element among the KDEs, as EAPOL allows.
    case element(Element)
}

// MARK: Octets
//
//   [dd | length (1) | organisation (3), type (1) | value] … | padding: dd, then zeros
//
//   identity key: 50-6F-9A-24 | cipher version (1) | key (16)
//   lifetime: 50-6F-9A-25 | keys (2) | seconds (4, most significant octet first)

extension KeyData {
    private enum Kind {
        static let identityKey: UInt32 = 0x506f_9a24
        static let lifetime: UInt32 = 0x506f_9a25
    }

    private static let vendorSpecific = Element.ID.vendorSpecific.number

    /// Reads unwrapped key data, the padding too: after it there are only zeros.
    public static func list(parsing data: consuming FrameReader) throws(WireError) -> [KeyData] {
        var list: [KeyData] = []
        while data.remaining > 0 {
            let number = try data.octet("key data element")
            if data.remaining == 0, number == vendorSpecific || number == 0 { break }
            let count = Int(try data.octet("key data element's length"))
            if count == 0, number == vendorSpecific || number == 0 {
                try padding(parsing: data)
                return list
            }
            let body = try data.slice(count, "key data element's body")
            list.append(try KeyData(number, parsing: body))
        }
        return list
    }

    /// Key data ready to be wrapped: a multiple of 8 octets, at least 16.
    ///
    /// - Spec: 802.11-2020 §12.7.2, Key Data field.
    public static func octets(_ list: [KeyData]) throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        for data in list { data.write(into: &frame) }
        let wanted = max(16, (frame.count + 7) / 8 * 8)
        if frame.count < wanted {
            frame.octet(vendorSpecific)
            frame.zeros(wanted - frame.count)
        }
        return try frame.finish()
    }

    public func write(into frame: inout FrameWriter) {
        switch self {
        case .identityKey(let cipherVersion, let key):
            writeKDE(Kind.identityKey, into: &frame) {
                $0.octet(cipherVersion)
                $0.octets(key, exactly: 16, "identity key")
            }
        case .lifetime(let keys, let seconds):
            writeKDE(Kind.lifetime, into: &frame) {
                $0.number16(keys)
                $0.bigEndian32(seconds)
            }
        case .other(let type, let octets):
            writeKDE(type, into: &frame) { $0.octets(octets) }
        case .element(let element):
            element.write(into: &frame)
        }
    }

    private func writeKDE(_ type: UInt32, into frame: inout FrameWriter, _ value: (inout FrameWriter) -> Void)
    {
        frame.octet(Self.vendorSpecific)
        frame.measured8("key data") {
            $0.bigEndian32(type)
            value(&$0)
        }
    }

    private init(_ number: UInt8, parsing body: consuming FrameReader) throws(WireError) {
        guard number == Self.vendorSpecific else {
            let octets = [number, UInt8(truncatingIfNeeded: body.remaining)] + body.rest()
            var element = FrameReader(octets.span.bytes)
            self = .element(try Element(parsing: &element))
            return
        }
        let type = try body.bigEndian32("key data's type")
        switch (type, body.remaining) {
        case (Kind.identityKey, 17):
            let version = try body.octet("identity key's cipher version")
            self = .identityKey(cipherVersion: version, key: body.rest())
        case (Kind.lifetime, 6):
            let keys = try body.number16("lifetime's keys")
            self = .lifetime(keys: keys, seconds: try body.bigEndian32("lifetime"))
        default:
            self = .other(type: type, octets: body.rest())
        }
    }

    private static func padding(parsing data: consuming FrameReader) throws(WireError) {
        for octet in data.rest() where octet != 0 {
            throw .unexpected("key data padding", value: UInt64(octet))
        }
    }
}
