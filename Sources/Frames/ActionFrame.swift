public import Wire

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

// MARK: Octets
//
//   category 4 or 9 (1) | public action 9 (1) | 50-6F-9A (3) | 13 | attributes
//   category 4 or 9 (1) | public action 9 (1) | 50-6F-9A (3) | 18 | subtype (1) | attributes

extension ActionFrame {
    private enum Category {
        static let publicAction: UInt8 = 4
        static let protectedDual: UInt8 = 9
    }

    private static let vendorSpecific: UInt8 = 9

    private enum ProtocolType {
        static let serviceDiscovery: UInt8 = 0x13
        static let action: UInt8 = 0x18
    }

    /// Reads what follows the management header; action frames of other protocols are refused.
    public init(parsing body: consuming FrameReader) throws(WireError) {
        (kind, isProtectedDual) = try Self.head(parsing: &body)
        attributes = []
        while body.remaining > 0 { attributes.append(try Attribute(parsing: &body)) }
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(isProtectedDual ? Category.protectedDual : Category.publicAction)
        frame.octet(Self.vendorSpecific)
        frame.organisation(ServiceInformation.wiFiAlliance)
        switch kind {
        case .serviceDiscovery:
            frame.octet(ProtocolType.serviceDiscovery)
        case .action(let subtype):
            frame.octet(ProtocolType.action)
            frame.octet(subtype.rawValue)
        }
        for attribute in attributes { attribute.write(into: &frame) }
    }

    /// The frame's body on the air.
    ///
    /// - Throws: ``WireError/tooLong(_:by:)`` where it fits no management frame, and what an attribute says
    ///   of a field of the wrong size.
    public func octets() throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        return try frame.finish()
    }

    static func head(
        parsing body: inout FrameReader
    ) throws(WireError) -> (kind: Kind, isProtectedDual: Bool) {
        let category = try body.octet("action category")
        guard category == Category.publicAction || category == Category.protectedDual else {
            throw .unexpected("action category", value: UInt64(category))
        }
        let action = try body.octet("public action")
        guard action == vendorSpecific else { throw .unexpected("public action", value: UInt64(action)) }
        let organisation = try body.organisation("action organisation")
        guard organisation == ServiceInformation.wiFiAlliance else {
            throw .unexpected("action organisation", value: UInt64(organisation))
        }
        let type = try body.octet("action protocol")
        let isProtectedDual = category == Category.protectedDual
        switch type {
        case ProtocolType.serviceDiscovery:
            return (.serviceDiscovery, isProtectedDual)
        case ProtocolType.action:
            return (.action(Subtype(rawValue: try body.octet("action subtype"))), isProtectedDual)
        default:
            throw .unexpected("action protocol", value: UInt64(type))
        }
    }
}
