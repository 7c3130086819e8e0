public import Wire

/// The body of an authentication frame.
///
/// - Spec: 802.11-2020 §9.3.3.11.
public struct AuthenticationFrame: Equatable, Sendable {
    public struct Algorithm: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let sae = Algorithm(rawValue: 3)
        public static let pasn = Algorithm(rawValue: 7)
    }

    public struct Status: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let success = Status(rawValue: 0)
        public static let refused = Status(rawValue: 1)
        public static let hashToElement = Status(rawValue: 126)
    }

    public var algorithm: Algorithm
    public var sequence: UInt16
    public var status: Status
    public var elements: [Element]

    public init(
        algorithm: Algorithm = .pasn, sequence: UInt16, status: Status = .success, elements: [Element]
    ) {
        self.algorithm = algorithm
        self.sequence = sequence
        self.status = status
        self.elements = elements
    }

    public func element(_ id: Element.ID) -> Element? {
        elements.first { $0.id == id }
    }
}

// MARK: Octets
//
//   algorithm (2) | sequence (2) | status (2) | elements

extension AuthenticationFrame {
    /// Reads what follows the management header; other algorithms than PASN are refused: their bodies differ.
    public init(parsing body: consuming FrameReader) throws(WireError) {
        algorithm = Algorithm(rawValue: try body.number16("authentication algorithm"))
        guard algorithm == .pasn else {
            throw .unexpected("authentication algorithm", value: UInt64(algorithm.rawValue))
        }
        sequence = try body.number16("authentication sequence")
        status = Status(rawValue: try body.number16("authentication status"))
        elements = try Element.list(parsing: body)
    }

    public func write(into frame: inout FrameWriter) {
        frame.number16(algorithm.rawValue)
        frame.number16(sequence)
        frame.number16(status.rawValue)
        for element in elements { element.write(into: &frame) }
    }

    /// The frame's body on the air.
    public func octets() throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        return try frame.finish()
    }

    /// The content of the first element that has it; nil where none has.
    public func content<Content: ElementContent>(_ content: Content.Type) throws(WireError) -> Content? {
        try elements.first(content)
    }

    /// Where the MIC lies in a frame's body: in its last element. Nil where there is none.
    public static func micRange(inBodyOf octets: [UInt8]) -> Range<Int>? {
        guard let frame = try? AuthenticationFrame(parsing: FrameReader(octets.span.bytes)),
            let last = frame.elements.last, last.id == .mic, !last.body.isEmpty
        else { return nil }
        return octets.count - last.body.count..<octets.count
    }
}
