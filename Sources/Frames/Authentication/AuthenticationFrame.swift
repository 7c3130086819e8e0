import Wire

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

    public init(algorithm: Algorithm = .pasn, sequence: UInt16, status: Status = .success, elements: [Element]) {
        self.algorithm = algorithm
        self.sequence = sequence
        self.status = status
        self.elements = elements
    }

    public func element(_ id: Element.ID) -> Element? {
        elements.first { $0.id == id }
    }
}
