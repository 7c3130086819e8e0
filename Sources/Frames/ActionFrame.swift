import Wire

/// The body of a NAN action frame: a service discovery frame (SDF) or a NAN action frame proper (NAF).
///
/// - Spec: Wi-Fi Aware 4.0, NAN Service Discovery frame and NAN Action frame formats.
public struct ActionFrame: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case serviceDiscovery
        case action(Subtype)
    }

    public struct Subtype: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let dataPathRequest = Subtype(rawValue: 5)
        public static let dataPathResponse = Subtype(rawValue: 6)
        public static let dataPathConfirm = Subtype(rawValue: 7)
        public static let dataPathKeyInstall = Subtype(rawValue: 8)
        public static let dataPathTermination = Subtype(rawValue: 9)
        public static let scheduleRequest = Subtype(rawValue: 10)
        public static let scheduleResponse = Subtype(rawValue: 11)
        public static let scheduleConfirm = Subtype(rawValue: 12)
        public static let scheduleUpdate = Subtype(rawValue: 13)
    }

    public var kind: Kind
    /// Category 9 instead of 4: the radio encrypts it with the pairing key.
    public var isProtectedDual: Bool
    /// In the order of the frame.
    public var attributes: [Attribute]

    public init(kind: Kind, isProtectedDual: Bool, attributes: [Attribute]) {
        self.kind = kind
        self.isProtectedDual = isProtectedDual
        self.attributes = attributes
    }
}
