public import Wire

/// The vendor specific element that brings NAN attributes into beacons and authentication frames.
///
/// - Spec: Wi-Fi Aware 4.0, NAN Information Element.
public struct NANElement: Equatable, Sendable, AttributeCarrier {
    public var attributes: [Attribute]

    public init(attributes: [Attribute]) {
        self.attributes = attributes
    }
}

// MARK: Octets
//
//   50-6F-9A (3) | 13 | attributes

extension NANElement: ElementContent {
    public static let id = Element.ID.vendorSpecific
    private static let head: [UInt8] = [0x50, 0x6f, 0x9a, 0x13]

    public static func isIn(_ element: Element) -> Bool {
        element.id == id && element.body.starts(with: head)
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        let type = try body.bigEndian32("NAN element's organisation")
        guard type == Self.head.reduce(0, { $0 << 8 | UInt32($1) }) else {
            throw .unexpected("NAN element's organisation", value: UInt64(type))
        }
        attributes = []
        while body.remaining > 0 { attributes.append(try Attribute(parsing: &body)) }
    }

    public func write(into body: inout FrameWriter) {
        body.octets(Self.head)
        for attribute in attributes { attribute.write(into: &body) }
    }
}
