import Wire

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

    public init(
        version: UInt16 = 1, groupCipher: Suite = .groupTrafficNotAllowed, pairwiseCiphers: [Suite],
        keyManagement: [Suite], capabilities: UInt16 = 0x00c0, keyIdentifiers: [[UInt8]] = [],
        groupManagementCipher: Suite? = .groupTrafficNotAllowed
    ) {
        self.version = version
        self.groupCipher = groupCipher
        self.pairwiseCiphers = pairwiseCiphers
        self.keyManagement = keyManagement
        self.capabilities = capabilities
        self.keyIdentifiers = keyIdentifiers
        self.groupManagementCipher = groupManagementCipher
    }
}
