import BluetoothLE
import Crypto
import Ports
import Wire

/// A key that encrypts the link with a bonded device again.
///
/// - Spec: BlueZ, doc/mgmt-api.txt, Load Long Term Keys Command.
struct LongTermKey: Sendable {
    /// Unauthenticated or authenticated, of legacy pairing or of Secure Connections.
    var kind: UInt8
    /// Whether it is for us as the central; a legacy pairing makes one for either role.
    var isCentral: Bool
    /// In octets, 7 … 16.
    var size: UInt8
    var diversifier: UInt16
    var random: UInt64
    /// Of ``valueCount`` octets.
    var value: Key

    static let valueCount = 16
    private static let authenticatedSecureConnections: UInt8 = 3

    /// Whether the pairing proved who is there to those who could listen to it.
    var isStrong: Bool { kind == Self.authenticatedSecureConnections && size == Self.valueCount }
}

/// What makes a device known again.
struct Bond: Sendable {
    var address: BluetoothAddress
    var key: LongTermKey
    /// Resolves the device's changing addresses. Of ``LongTermKey/valueCount`` octets. Nil where it has none.
    var identityKey: Key?
    /// Later bonds have greater ones.
    var number: UInt32 = 0
    var memory = ClientMemory()
}

extension LongTermKey {
    /// Reads what follows the address.
    init(parsing frame: inout FrameReader) throws(WireError) {
        kind = try frame.octet("key type")
        isCentral = try frame.octet("key role") != 0
        size = try frame.octet("key size")
        guard 7...16 ~= size else { throw .unexpected("key size", value: UInt64(size)) }
        diversifier = try frame.number16("diversifier")
        random = try frame.number64("key's random number")
        value = try frame.key("long term key")
    }

    func write(into frame: inout ManagementWriter) {
        frame.octet(kind)
        frame.octet(isCentral ? 1 : 0)
        frame.octet(size)
        frame.number16(diversifier)
        frame.number64(random)
        frame.key(value)
    }
}

extension FrameReader {
    mutating func key(_ purpose: StaticString) throws(WireError) -> Key {
        var octets = try octets(LongTermKey.valueCount, purpose)
        defer { octets.erase() }
        return Key(Secret(octets))
    }
}

// MARK: The record

extension Bond {
    private static let version: UInt8 = 2
    /// A legacy pairing, which is refused, made a key for either role.
    private static let keyCount: UInt8 = 1
    private static let longestRecord = 256

    /// Reads what ``record()`` wrote.
    init(parsing record: borrowing Secret) throws(WireError) {
        var octets = record.withOctets { [UInt8]($0) }
        defer { octets.erase() }
        var frame = FrameReader(octets.span.bytes)
        let version = try frame.octet("version")
        guard version == Self.version else { throw .unexpected("version", value: UInt64(version)) }
        guard let address = try frame.peer("address") else { throw .unexpected("address kind", value: 0) }
        let count = try frame.octet("number of keys")
        guard count == Self.keyCount else { throw .unexpected("number of keys", value: UInt64(count)) }
        let key = try LongTermKey(parsing: &frame)
        let hasIdentity = try frame.octet("identity key's presence") != 0
        let identityKey: Key? = hasIdentity ? try frame.key("identity key") : nil
        let number = try frame.number32("bond's number")
        let memory = try ClientMemory(parsing: &frame)
        try frame.end("bond")
        self.init(address: address, key: key, identityKey: identityKey, number: number, memory: memory)
    }

    /// The bond as a store keeps it.
    func record() -> Secret {
        var frame = ManagementWriter(room: Self.longestRecord)
        frame.octet(Self.version)
        frame.peer(address)
        frame.octet(Self.keyCount)
        key.write(into: &frame)
        frame.octet(identityKey == nil ? 0 : 1)
        if let identityKey { frame.key(identityKey) }
        frame.number32(number)
        frame.append(memory.octets)
        return frame.secret()
    }

    /// Whose record it is: its address in digits, and its kind.
    static func recordName(_ address: BluetoothAddress) -> String {
        recordPrefix + address.recordName
    }

    static let recordPrefix = "bond-"
}

extension BluetoothAddress {
    /// As it stands in the name of a record.
    var recordName: String { String(hex: octets.octets) + (isRandom ? "-random" : "-public") }
}
