public import Wire

/// The groups in which a device can exchange keys.
///
/// - Spec: 802.11-2020 §9.4.2, Supported Groups, as hostap sends it.
public struct SupportedGroups: Equatable, Sendable {
    public var groups: [UInt16]

    public init(groups: [UInt16]) {
        self.groups = groups
    }
}

extension SupportedGroups: ElementContent {
    public static let id = Element.ID.supportedGroups

    public init(parsing body: consuming FrameReader) throws(WireError) {
        groups = []
        while body.remaining > 0 { groups.append(try body.number16("supported group")) }
    }

    public func write(into body: inout FrameWriter) {
        for group in groups { body.number16(group) }
    }
}
