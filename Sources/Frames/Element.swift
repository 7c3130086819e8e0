public import Wire

/// An 802.11 element, kept as it came: the MICs of PASN cover the octets.
///
/// - Spec: 802.11-2020 §9.4.2.1.
public struct Element: Equatable, Sendable {
    public struct ID: Hashable, Sendable {
        public var number: UInt8
        /// Zero where `number` is not 255.
        public var extensionNumber: UInt8

        public init(_ number: UInt8, extension extensionNumber: UInt8 = 0) {
            self.number = number
            self.extensionNumber = extensionNumber
        }

        public static let htCapabilities = ID(45)
        public static let rsn = ID(48)
        public static let mic = ID(140)
        public static let vhtCapabilities = ID(191)
        public static let vendorSpecific = ID(221)
        public static let rsnExtension = ID(244)
        public static let wrappedData = ID(255, extension: 8)
        public static let pasnParameters = ID(255, extension: 100)
        public static let supportedGroups = ID(255, extension: 161)
    }

    public var id: ID
    /// Without the id, the length and the extension's number.
    public var body: [UInt8]

    public init(id: ID, body: [UInt8]) {
        self.id = id
        self.body = body
    }
}

extension Element {
    // The element meant is one of a group, not of 802.11.
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    /// The RSN Extension element of a device that can hash to an element, as pairing needs it.
    ///
    /// - Spec: 802.11-2020 §9.4.2.241: length 1 in the low nibble, bit 5.
    public static let hashToElement = Element(id: .rsnExtension, body: [0x21, 0x00])

    /// An element with this content.
    ///
    /// - Throws: ``WireError/tooLong(_:by:)`` where it fits no element.
    public init<Content: ElementContent>(_ content: Content) throws(WireError) {
        var body = FrameWriter()
        content.write(into: &body)
        self.init(id: Content.id, body: try body.finish())
        let excess = count - Int(UInt8.max)
        guard excess <= 0 else { throw .tooLong("element", by: excess) }
    }

    /// The element on the air, as key derivations and MICs take it.
    public func octets() throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        return try frame.finish()
    }
}

/// The content of one kind of element.
public protocol ElementContent {
    static var id: Element.ID { get }
    /// Whether an element has this content; decided by the id unless several contents share it.
    static func isIn(_ element: Element) -> Bool
    /// Reads an element's body.
    init(parsing body: consuming FrameReader) throws(WireError)
    /// Writes an element's body.
    func write(into body: inout FrameWriter)
}

extension ElementContent {
    public static func isIn(_ element: Element) -> Bool { element.id == id }
}

extension [Element] {
    /// The content of the first element that has it; nil where none has.
    public func first<Content: ElementContent>(_ content: Content.Type) throws(WireError) -> Content? {
        for element in self where Content.isIn(element) {
            return try Content(parsing: FrameReader(element.body.span.bytes))
        }
        return nil
    }
}

// MARK: Octets
//
//   id (1) | length (1) | [extension's number (1), where the id is 255] | body

extension Element {
    private static let extended: UInt8 = 255

    private var count: Int { body.count + (id.number == Self.extended ? 1 : 0) }

    /// Reads one element and leaves the reader at the next.
    public init(parsing frame: inout FrameReader) throws(WireError) {
        let number = try frame.octet("element id")
        let count = Int(try frame.octet("element length"))
        var content = try frame.slice(count, "element body")
        let extensionNumber = number == Self.extended ? try content.octet("element's extension number") : 0
        id = ID(number, extension: extensionNumber)
        body = content.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(id.number)
        frame.measured8("element") {
            if id.number == Self.extended { $0.octet(id.extensionNumber) }
            $0.octets(body)
        }
    }

    /// Reads elements to the end.
    static func list(parsing body: consuming FrameReader) throws(WireError) -> [Element] {
        var elements: [Element] = []
        while body.remaining > 0 { elements.append(try Element(parsing: &body)) }
        return elements
    }
}
