public import Wire

/// What an advertisement or a scan response says.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part C, 11; Core Specification Supplement 11, Part A, 1.
public struct AdvertisingData: Equatable, Sendable {
    public enum Element: Equatable, Sendable {
        case flags(UInt8)
        /// All of one size.
        case services([BluetoothUUID], isComplete: Bool)
        /// In UTF-8.
        case name([UInt8], isComplete: Bool)
        /// In dBm.
        case transmitPower(Int8)
        case serviceData(BluetoothUUID, [UInt8])
        case manufacturer(company: UInt16, [UInt8])
        case transports([TransportBlock])
        case other(type: UInt8, [UInt8])
    }

    /// Room of a legacy advertisement or scan response.
    public static let legacyLimit = 31
    /// Room beside the flags, which the kernel adds.
    public static let limitBesideFlags = 28
    /// The most that extended advertising carries.
    public static let extendedLimit = 1650

    /// Of ``Element/transports(_:)``, for those who have their octets already.
    public static let transportsType: UInt8 = 0x26

    public var elements: [Element]

    public init(_ elements: [Element] = []) {
        self.elements = elements
    }
}

// MARK: Octets: structures of length (1) | type (1) | data (length - 1)

extension AdvertisingData {
    private enum Kind {
        static let flags: UInt8 = 0x01
        static let someServices16: UInt8 = 0x02
        static let allServices16: UInt8 = 0x03
        static let someServices128: UInt8 = 0x06
        static let allServices128: UInt8 = 0x07
        static let shortName: UInt8 = 0x08
        static let wholeName: UInt8 = 0x09
        static let transmitPower: UInt8 = 0x0a
        static let serviceData16: UInt8 = 0x16
        static let serviceData128: UInt8 = 0x21
        static let transports = AdvertisingData.transportsType
        static let manufacturer: UInt8 = 0xff
    }

    /// Reads structures up to the end, or up to one of length zero, behind which there is only padding.
    public init(parsing octets: [UInt8]) throws(WireError) {
        guard octets.count <= Self.extendedLimit else {
            throw .tooLong("advertising data", by: octets.count - Self.extendedLimit)
        }
        elements = []
        var reader = FrameReader(octets.span.bytes)
        while reader.remaining > 0 {
            let length = Int(try reader.octet("advertising structure's length"))
            guard length > 0 else { return }
            var structure = try reader.slice(length, "advertising structure")
            elements.append(
                try Element(type: try structure.octet("advertising structure's type"), &structure))
            try structure.end("advertising structure")
        }
    }

    /// The octets.
    ///
    /// - Throws: ``WireError/tooLong(_:by:)`` where they don't fit the limit.
    public func octets(limit: Int) throws(WireError) -> [UInt8] {
        var frame = FrameWriter(limit: Self.extendedLimit)
        for element in elements {
            frame.measured8("advertising structure") { element.write(into: &$0) }
        }
        let octets = try frame.finish()
        guard octets.count <= limit else { throw .tooLong("advertising data", by: octets.count - limit) }
        return octets
    }
}

extension AdvertisingData.Element {
    private typealias Kind = AdvertisingData.Kind

    fileprivate init(type: UInt8, _ data: inout FrameReader) throws(WireError) {
        switch type {
        case Kind.flags: self = .flags(try data.octet("flags"))
        case Kind.someServices16, Kind.allServices16:
            self = .services(try Self.services(in: &data, size: 2), isComplete: type == Kind.allServices16)
        case Kind.someServices128, Kind.allServices128:
            self = .services(try Self.services(in: &data, size: 16), isComplete: type == Kind.allServices128)
        case Kind.shortName, Kind.wholeName:
            self = .name(data.rest(), isComplete: type == Kind.wholeName)
        case Kind.transmitPower:
            self = .transmitPower(Int8(bitPattern: try data.octet("transmit power")))
        case Kind.serviceData16:
            self = .serviceData(try BluetoothUUID(parsing: &data, count: 2, "service data"), data.rest())
        case Kind.serviceData128:
            self = .serviceData(try BluetoothUUID(parsing: &data, count: 16, "service data"), data.rest())
        case Kind.manufacturer:
            self = .manufacturer(company: try data.number16("company identifier"), data.rest())
        case Kind.transports: self = .transports(try TransportBlock.blocks(parsing: &data))
        default: self = .other(type: type, data.rest())
        }
    }

    private static func services(in data: inout FrameReader, size: Int) throws(WireError) -> [BluetoothUUID] {
        var services: [BluetoothUUID] = []
        while data.remaining > 0 {
            services.append(try BluetoothUUID(parsing: &data, count: size, "list of services"))
        }
        return services
    }

    fileprivate func write(into frame: inout FrameWriter) {
        switch self {
        case .flags(let flags):
            frame.octet(Kind.flags)
            frame.octet(flags)
        case .services(let services, let isComplete):
            let isShort = services.first?.count != 16
            frame.octet(
                isShort
                    ? (isComplete ? Kind.allServices16 : Kind.someServices16)
                    : (isComplete ? Kind.allServices128 : Kind.someServices128))
            for service in services {
                if (service.count != 16) != isShort {
                    frame.fail(.unexpected("size of a service in a list", value: UInt64(service.count)))
                }
                service.write(into: &frame)
            }
        case .name(let name, let isComplete):
            frame.octet(isComplete ? Kind.wholeName : Kind.shortName)
            frame.octets(name)
        case .transmitPower(let power):
            frame.octet(Kind.transmitPower)
            frame.octet(UInt8(bitPattern: power))
        case .serviceData(let service, let data):
            frame.octet(service.count == 2 ? Kind.serviceData16 : Kind.serviceData128)
            service.write(into: &frame)
            frame.octets(data)
        case .manufacturer(let company, let data):
            frame.octet(Kind.manufacturer)
            frame.number16(company)
            frame.octets(data)
        case .transports(let blocks):
            frame.octet(Kind.transports)
            for block in blocks { block.write(into: &frame) }
        case .other(let type, let data):
            frame.octet(type)
            frame.octets(data)
        }
    }
}

extension AdvertisingData {
    /// A name for `room` octets of advertising data, its structure's head included: whole where it fits, else cut at a
    /// character's end.
    public static func name(_ name: String, room: Int) -> Element {
        let most = max(0, room - 2)
        guard name.utf8.count > most else { return .name(Array(name.utf8), isComplete: true) }
        var kept: [UInt8] = []
        for scalar in name.unicodeScalars {
            let octets = Array(String(scalar).utf8)
            guard kept.count + octets.count <= most else { break }
            kept += octets
        }
        return .name(kept, isComplete: false)
    }
}
