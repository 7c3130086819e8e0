public import Wire

/// What is kept of a bonded client over its connections.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part G, 3.3.3.3 and 7.1.
public struct ClientMemory: Equatable, Sendable {
    /// Which services it has found, as ``AttributeDatabase/fingerprint``; 0 where none.
    public var services: UInt32 = 0
    public var subscriptions = Subscriptions()

    public init() {}
}

// MARK: Octets: services (4) | number of subscriptions (1), each: characteristic (2) | choice (2)

extension ClientMemory {
    /// More than there are characteristics to subscribe to.
    static let mostSubscriptions = 32

    public init(parsing reader: inout FrameReader) throws(WireError) {
        services = try reader.number32("client's services")
        let count = Int(try reader.octet("number of subscriptions"))
        guard count <= Self.mostSubscriptions else {
            throw .unexpected("number of subscriptions", value: UInt64(count))
        }
        for _ in 0..<count {
            let id = GATTCharacteristic.ID(try reader.number16("characteristic"))
            subscriptions[id] = try reader.number16("subscription")
        }
    }

    public var octets: [UInt8] {
        var octets = ATTServer.octets(UInt16(truncatingIfNeeded: services))
        octets += ATTServer.octets(UInt16(truncatingIfNeeded: services >> 16))
        let choices = subscriptions.all.prefix(Self.mostSubscriptions)
        octets.append(UInt8(choices.count))
        for choice in choices {
            octets += ATTServer.octets(choice.id.number) + ATTServer.octets(choice.value)
        }
        return octets
    }
}
