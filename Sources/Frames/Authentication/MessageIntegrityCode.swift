public import Wire

/// The MIC element, last in the frames that it protects.
///
/// - Spec: 802.11-2020 §9.4.2.118.
public struct MessageIntegrityCode: Equatable, Sendable {
    /// 16 octets, or 24 with SHA-384; zeros while it is being computed.
    public var octets: [UInt8]

    public init(octets: [UInt8]) {
        self.octets = octets
    }
}

extension MessageIntegrityCode: ElementContent {
    public static let id = Element.ID.mic

    public init(parsing body: consuming FrameReader) throws(WireError) {
        guard body.remaining == 16 || body.remaining == 24 else {
            throw .unexpected("MIC length", value: UInt64(body.remaining))
        }
        octets = body.rest()
    }

    public func write(into body: inout FrameWriter) {
        body.octets(octets)
    }
}
