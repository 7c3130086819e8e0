public import Wire

/// 802.11 elements that apply to a map: HT and VHT capabilities before a data path.
///
/// - Spec: Wi-Fi Aware 4.0, Element Container attribute, id 0x1d.
public struct ElementContainer: Equatable, Sendable {
    public var map: UInt8
    public var elements: [Element]

    public init(map: UInt8, elements: [Element]) {
        self.map = map
        self.elements = elements
    }
}

// MARK: Octets
//
//   map (1) | elements

extension ElementContainer {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        map = try body.octet("element container's map")
        elements = try Element.list(parsing: body)
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(map)
        for element in elements { element.write(into: &frame) }
    }
}
