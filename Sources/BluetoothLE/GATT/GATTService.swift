/// A service that an accessory offers, and its characteristics, in the order in which a client finds them.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part G, 3.1 and 3.3.
public struct GATTService: Equatable, Sendable {
    public var uuid: BluetoothUUID
    public var characteristics: [GATTCharacteristic]

    public init(_ uuid: BluetoothUUID, _ characteristics: [GATTCharacteristic] = []) {
        self.uuid = uuid
        self.characteristics = characteristics
    }

    /// Adds a characteristic behind the others.
    ///
    /// Not inlined: what ships crashes the compiler where it makes constants of lists of them.
    @inline(never)
    mutating func add(
        _ id: GATTCharacteristic.ID, _ uuid: BluetoothUUID, _ properties: GATTCharacteristic.Properties,
        access: LinkSecurity = .open
    ) {
        characteristics.append(GATTCharacteristic(id, uuid, properties, access: access))
    }
}

public struct GATTCharacteristic: Equatable, Sendable {
    /// What our side calls a characteristic; no client ever sees it.
    public struct ID: Hashable, Sendable {
        public let number: UInt16

        public init(_ number: UInt16) { self.number = number }
    }

    public struct Properties: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let read = Properties(rawValue: 0x02)
        public static let writeWithoutResponse = Properties(rawValue: 0x04)
        public static let write = Properties(rawValue: 0x08)
        public static let notify = Properties(rawValue: 0x10)
        public static let indicate = Properties(rawValue: 0x20)
    }

    public var id: ID
    public var uuid: BluetoothUUID
    public var properties: Properties
    /// What the link has to be like for reading, writing and subscribing.
    public var access: LinkSecurity

    public init(_ id: ID, _ uuid: BluetoothUUID, _ properties: Properties, access: LinkSecurity = .open) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.access = access
    }
}

/// How well a link is protected.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part C, 10.2.1: levels 1, 2, and 3 or 4 of LE security mode 1.
public enum LinkSecurity: UInt8, Comparable, Sendable {
    case open
    case encrypted
    /// Encrypted, and a passkey has proved who is there.
    case authenticated

    public static func < (one: LinkSecurity, other: LinkSecurity) -> Bool { one.rawValue < other.rawValue }
}
