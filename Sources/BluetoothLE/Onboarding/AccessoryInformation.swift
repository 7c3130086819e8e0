public import Wire

/// What the accessory is. Vendor, model and pairing name are those of its Wi-Fi Aware pairing information.
public struct AccessoryInformation: Equatable, Sendable {
    public static let version: UInt8 = 1

    public struct Capabilities: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let identify = Capabilities(rawValue: 0x01)
        /// The pairing window can be opened over Bluetooth, by whom the owner lets.
        public static let openPairing = Capabilities(rawValue: 0x02)
        /// Clients can pair over Bluetooth, and then read the result.
        public static let bonds = Capabilities(rawValue: 0x04)
        /// The Improv Wi-Fi service is there.
        public static let improv = Capabilities(rawValue: 0x08)
    }

    public var capabilities: Capabilities
    /// What paired devices know the accessory by. 4 octets.
    public var identifier: [UInt8]
    public var vendor: String
    public var model: String
    public var name: String
    public var firmware: String

    public init(
        capabilities: Capabilities, identifier: [UInt8], vendor: String, model: String, name: String,
        firmware: String
    ) {
        self.capabilities = capabilities
        self.identifier = identifier
        self.vendor = vendor
        self.model = model
        self.name = name
        self.firmware = firmware
    }
}

// MARK: Octets: version (1) | capabilities (1) | identifier (4) | vendor | model | name | firmware, each behind its length

extension AccessoryInformation {
    /// Later versions add fields at the end, which are passed over.
    public init(parsing value: [UInt8]) throws(WireError) {
        var reader = FrameReader(value.span.bytes)
        _ = try reader.octet("version")
        capabilities = Capabilities(rawValue: try reader.octet("capabilities"))
        identifier = try reader.octets(4, "accessory's identifier")
        vendor = try reader.text8("vendor")
        model = try reader.text8("model")
        name = try reader.text8("name")
        firmware = try reader.text8("firmware")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(Self.version)
        frame.octet(capabilities.rawValue)
        if identifier.count != 4 {
            frame.fail(.unexpected("length of an accessory's identifier", value: UInt64(identifier.count)))
        }
        frame.octets(identifier)
        for text in [vendor, model, name, firmware] { frame.text8(text) }
    }
}

extension FrameReader {
    /// Text behind its length in one octet. Octets that are no text are replaced.
    mutating func text8(_ purpose: StaticString) throws(WireError) -> String {
        let count = Int(try octet(purpose))
        return String(decoding: try octets(count, purpose), as: UTF8.self)
    }
}

extension FrameWriter {
    mutating func text8(_ text: String) {
        measured8("text") { $0.octets(Array(text.utf8)) }
    }
}
