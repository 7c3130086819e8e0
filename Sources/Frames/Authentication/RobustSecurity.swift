public import Wire

/// The RSN element (RSNE): ciphers, key management, key identifiers.
///
/// - Spec: 802.11-2020 §9.4.2.24.
public struct RobustSecurity: Equatable, Sendable {
    /// OUI and number of a cipher or key management suite, e.g. 0x000fac04.
    public struct Suite: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let groupTrafficNotAllowed = Suite(rawValue: 0x000f_ac07)
        public static let ccmp128 = Suite(rawValue: 0x000f_ac04)
        public static let gcmp256 = Suite(rawValue: 0x000f_ac09)
        /// Key management.
        public static let sae = Suite(rawValue: 0x000f_ac08)
        public static let pasn = Suite(rawValue: 0x000f_ac15)
    }

    public var version: UInt16
    public var groupCipher: Suite
    public var pairwiseCiphers: [Suite]
    public var keyManagement: [Suite]
    /// Bit 6: management frame protection required; 7: capable.
    public var capabilities: UInt16
    /// 16 octets each.
    public var keyIdentifiers: [[UInt8]]
    public var groupManagementCipher: Suite?
    /// The element ends before the number of key identifiers, as it may where there are none.
    public var endsEarly: Bool

    public init(
        version: UInt16 = 1, groupCipher: Suite = .groupTrafficNotAllowed, pairwiseCiphers: [Suite],
        keyManagement: [Suite], capabilities: UInt16 = 0x00c0, keyIdentifiers: [[UInt8]] = [],
        groupManagementCipher: Suite? = .groupTrafficNotAllowed, endsEarly: Bool = false
    ) {
        self.version = version
        self.groupCipher = groupCipher
        self.pairwiseCiphers = pairwiseCiphers
        self.keyManagement = keyManagement
        self.capabilities = capabilities
        self.keyIdentifiers = keyIdentifiers
        self.groupManagementCipher = groupManagementCipher
        self.endsEarly = endsEarly
    }
}

// MARK: Octets
//
//   version (2) | group cipher (4) | count (2), pairwise ciphers (4 each) | count (2), key managements (4 each) |
//   capabilities (2) | [count (2), key identifiers (16 each) | [group management cipher (4)]]

extension RobustSecurity: ElementContent {
    public static let id = Element.ID.rsn

    public init(parsing body: consuming FrameReader) throws(WireError) {
        version = try body.number16("RSN version")
        groupCipher = Suite(rawValue: try body.bigEndian32("group cipher"))
        pairwiseCiphers = try Self.suites("pairwise cipher", parsing: &body)
        keyManagement = try Self.suites("key management", parsing: &body)
        capabilities = try body.number16("RSN capabilities")
        keyIdentifiers = []
        groupManagementCipher = nil
        endsEarly = body.remaining == 0
        guard !endsEarly else { return }
        for _ in 0..<(try body.number16("number of key identifiers")) {
            keyIdentifiers.append(try body.octets(16, "key identifier"))
        }
        if body.remaining > 0 {
            groupManagementCipher = Suite(rawValue: try body.bigEndian32("group management cipher"))
        }
        try body.end("RSN element")
    }

    public func write(into body: inout FrameWriter) {
        body.number16(version)
        body.bigEndian32(groupCipher.rawValue)
        Self.write(pairwiseCiphers, into: &body)
        Self.write(keyManagement, into: &body)
        body.number16(capabilities)
        guard !endsEarly else { return }
        Self.write(count: keyIdentifiers.count, into: &body)
        for identifier in keyIdentifiers { body.octets(identifier, exactly: 16, "key identifier") }
        if let groupManagementCipher { body.bigEndian32(groupManagementCipher.rawValue) }
    }

    private static func suites(
        _ purpose: StaticString, parsing body: inout FrameReader
    ) throws(WireError) -> [Suite] {
        var suites: [Suite] = []
        for _ in 0..<(try body.number16(purpose)) {
            suites.append(Suite(rawValue: try body.bigEndian32(purpose)))
        }
        return suites
    }

    private static func write(_ suites: [Suite], into body: inout FrameWriter) {
        write(count: suites.count, into: &body)
        for suite in suites { body.bigEndian32(suite.rawValue) }
    }

    private static func write(count: Int, into body: inout FrameWriter) {
        guard let number = UInt16(exactly: count) else {
            return body.fail(.tooLong("RSN list", by: count - Int(UInt16.max)))
        }
        body.number16(number)
    }
}
