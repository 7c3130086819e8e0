public import Crypto
public import Frames
public import Ports
public import Wire

/// A device that we have paired with, as it is remembered: who it is, and what proves it.
public struct PairedPeer: Sendable {
    /// The most services that are remembered of a peer.
    public static let serviceLimit = 16

    /// The peer's identity key; it does not change as long as the peer does not reset itself.
    public let identity: Identity
    /// What both sides cache to verify each other without a PIN. 32 octets.
    public let npk: Key
    public let suite: CipherSuite
    public var name: ShortText
    public var vendor: ShortText
    public var model: ShortText
    /// The services that it was paired for, e.g. `_drone-service._udp`.
    public var services: [ShortText] {
        didSet { services = Array(services.prefix(Self.serviceLimit)) }
    }
    /// Seconds since 1970; zero where the clock was not set.
    public let pairedAt: UInt64
    /// Seconds since 1970.
    public var lastSeen: UInt64
    /// How long the peer said that it keeps the pairing, in seconds from `pairedAt` on; zero for ever.
    public let lifetime: UInt32?
    /// The bond of the same device over Bluetooth; nil where none is tied to it.
    public var bluetooth: BluetoothAddress?

    /// Nil where `npk` has not 32 octets.
    public init?(
        identity: Identity, npk: Key, suite: CipherSuite = .pasn128, name: ShortText, vendor: ShortText,
        model: ShortText, services: [ShortText], pairedAt: UInt64, lastSeen: UInt64, lifetime: UInt32?
    ) {
        guard npk.secret.count == Self.npkCount else { return nil }
        self.identity = identity
        self.npk = npk
        self.suite = suite
        self.name = name
        self.vendor = vendor
        self.model = model
        self.services = Array(services.prefix(Self.serviceLimit))
        self.pairedAt = pairedAt
        self.lastSeen = lastSeen
        self.lifetime = lifetime
    }

    /// What a person names the device by, and its record: eight hexadecimal digits that follow from its identity key.
    public var id: String {
        String(hex: identity.shortIdentifier)
    }

    /// Whether the sender at `address` of `resolution` is this peer.
    public func isSender(of resolution: IdentityResolution, at address: MACAddress) -> Bool {
        Identity.resolves(resolution, from: address, by: identity.nik)
    }
}

// MARK: The record

extension PairedPeer {
    private static let kind = "awared-peer 1"
    private static let npkCount = 32

    /// Reads what ``record()`` wrote.
    public init(parsing record: borrowing Secret) throws(RecordRefusal) {
        var lines = try RecordReader(record, kind: Self.kind)
        let name = try Self.short("name", &lines)
        let vendor = try Self.short("vendor", &lines)
        let model = try Self.short("model", &lines)
        var services: [ShortText] = []
        while let service = try lines.textIfNext("service") {
            guard services.count < Self.serviceLimit, ShortText(service).text == service else {
                throw .invalid("service")
            }
            services.append(ShortText(service))
        }
        guard let identity = Identity(nik: try lines.secret("nik", count: Identity.count)) else {
            throw .invalid("nik")
        }
        let npk = try lines.secret("npk", count: Self.npkCount)
        guard let suite = UInt8(exactly: try lines.number("suite")) else { throw .invalid("suite") }
        let pairedAt = try lines.number("paired_at")
        let lastSeen = try lines.number("last_seen")
        var lifetime: UInt32?
        if let text = try lines.textIfNext("lifetime") {
            guard let seconds = UInt32(text) else { throw .invalid("lifetime") }
            lifetime = seconds
        }
        var bluetooth: BluetoothAddress?
        if let text = try lines.textIfNext("bluetooth") {
            guard let address = BluetoothAddress(text), address.description == text else {
                throw .invalid("bluetooth")
            }
            bluetooth = address
        }
        try lines.finish()

        self.identity = identity
        self.npk = npk
        self.suite = CipherSuite(rawValue: suite)
        self.name = name
        self.vendor = vendor
        self.model = model
        self.services = services
        self.pairedAt = pairedAt
        self.lastSeen = lastSeen
        self.lifetime = lifetime
        self.bluetooth = bluetooth
    }

    /// The peer as a store keeps it: a text that says by itself whether it is whole.
    public func record() -> Secret {
        var lines = RecordWriter(Self.kind)
        lines.line("name", name.text)
        lines.line("vendor", vendor.text)
        lines.line("model", model.text)
        for service in services { lines.line("service", service.text) }
        lines.line("nik", secret: identity.nik)
        lines.line("npk", secret: npk)
        lines.line("suite", number: UInt64(suite.rawValue))
        lines.line("paired_at", number: pairedAt)
        lines.line("last_seen", number: lastSeen)
        if let lifetime { lines.line("lifetime", number: UInt64(lifetime)) }
        if let bluetooth { lines.line("bluetooth", bluetooth.description) }
        return lines.finish()
    }

    private static func short(_ key: String, _ lines: inout RecordReader) throws(RecordRefusal) -> ShortText {
        let text = try lines.text(key)
        let short = ShortText(text)
        guard short.text == text else { throw .invalid(key) }
        return short
    }
}

extension Identity {
    private static let kind = "awared-identity 1"

    /// Reads our own identity from what ``record()`` wrote.
    public init(parsing record: borrowing Secret) throws(RecordRefusal) {
        var lines = try RecordReader(record, kind: Self.kind)
        let nik = try lines.secret("nik", count: Self.count)
        try lines.finish()
        self.nik = nik
    }

    /// Our own identity as a store keeps it.
    public func record() -> Secret {
        var lines = RecordWriter(Self.kind)
        lines.line("nik", secret: nik)
        return lines.finish()
    }
}
