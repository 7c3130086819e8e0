public import Wire

/// The cipher suites that a device offers or chooses.
///
/// - Spec: Wi-Fi Aware 4.0, Cipher Suite Information attribute (CSIA), id 0x22.
public struct CipherSuiteInformation: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var suite: CipherSuite
        public var publish: UInt8

        public init(suite: CipherSuite, publish: UInt8) {
            self.suite = suite
            self.publish = publish
        }
    }

    /// Bit 0: sixteen replay counters; 1-2: group keys none, GTK and IGTK, BIGTK as well; 4: IGTK with BIP-GMAC-256.
    public var capabilities: UInt8
    public var entries: [Entry]

    public init(capabilities: UInt8 = 0, entries: [Entry]) {
        self.capabilities = capabilities
        self.entries = entries
    }
}

public struct CipherSuite: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let sharedKey128 = CipherSuite(rawValue: 1)
    public static let sharedKey256 = CipherSuite(rawValue: 2)
    public static let groupCCMP128 = CipherSuite(rawValue: 5)
    public static let groupGCMP256 = CipherSuite(rawValue: 6)
    /// Paired by PASN, CCMP-128, SHA-256.
    public static let pasn128 = CipherSuite(rawValue: 7)
    public static let pasn256 = CipherSuite(rawValue: 8)
}

/// Which keys are meant.
///
/// - Spec: Wi-Fi Aware 4.0, Security Context Information attribute (SCIA), id 0x23.
public struct SecurityContextInformation: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        /// 1: a key identifier of 16 octets (ND-PMKID).
        public var type: UInt8
        public var publish: UInt8
        public var identifier: [UInt8]

        public init(type: UInt8 = 1, publish: UInt8, identifier: [UInt8]) {
            self.type = type
            self.publish = publish
            self.identifier = identifier
        }
    }

    public var entries: [Entry]

    public init(entries: [Entry]) {
        self.entries = entries
    }
}

// MARK: Octets
//
//   cipher suites: capabilities (1) | [suite (1) | publish (1)] …
//   security context: [identifier length (2) | type (1) | publish (1) | identifier] …

extension CipherSuiteInformation {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        capabilities = try body.octet("cipher suite capabilities")
        entries = []
        while body.remaining > 0 {
            let suite = CipherSuite(rawValue: try body.octet("cipher suite"))
            entries.append(Entry(suite: suite, publish: try body.octet("cipher suite's publish id")))
        }
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(capabilities)
        for entry in entries {
            frame.octet(entry.suite.rawValue)
            frame.octet(entry.publish)
        }
    }
}

extension SecurityContextInformation {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        entries = []
        while body.remaining > 0 {
            let count = Int(try body.number16("security context length"))
            let type = try body.octet("security context type")
            let publish = try body.octet("security context's publish id")
            let identifier = try body.octets(count, "security context identifier")
            entries.append(Entry(type: type, publish: publish, identifier: identifier))
        }
    }

    public func write(into frame: inout FrameWriter) {
        for entry in entries {
            let excess = entry.identifier.count - Int(UInt16.max)
            guard excess <= 0 else { return frame.fail(.tooLong("security context identifier", by: excess)) }
            frame.number16(UInt16(entry.identifier.count))
            frame.octet(entry.type)
            frame.octet(entry.publish)
            frame.octets(entry.identifier)
        }
    }
}
