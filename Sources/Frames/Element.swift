import Wire

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
