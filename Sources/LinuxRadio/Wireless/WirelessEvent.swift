import Wire

/// What nl80211 says without being asked.
enum WirelessEvent {
    case clusterJoined(MACAddress, isNew: Bool)
    case nextWindow
    /// In dBm.
    case received([UInt8], signal: Int8)
    case sent(cookie: UInt64, acknowledged: Bool)
    case interfaceDeleted
    /// The radio needs the channel for something else.
    case channelLost

    /// The device that an event is about, and the event; nil for what we don't follow.
    ///
    /// - Throws: where the message is malformed, or lacks what an event of its kind has.
    static func parse(
        _ body: ArraySlice<UInt8>
    ) throws(WireError) -> (device: WirelessDevice, event: WirelessEvent)? {
        guard body.count >= headCount, let command = body.first else {
            throw .tooShort(for: "event", missing: headCount - body.count)
        }
        guard followed.contains(command) else { return nil }
        let attributes = try AttributeList(parsing: body.dropFirst(headCount))
        // Another radio's scan and the like.
        guard let identifier = attributes.number64(Wireless.Attribute.device) else { return nil }
        guard let event = try WirelessEvent(command, attributes) else { return nil }
        return (WirelessDevice(identifier: identifier), event)
    }

    /// Command, version, and two octets that are reserved.
    static let headCount = 4
    /// Longer frames do not exist.
    private static let frameLimit = 4096

    private static let followed: [UInt8] = [
        Wireless.Command.clusterJoined, Wireless.Command.nextWindow, Wireless.Command.frame,
        Wireless.Command.frameStatus, Wireless.Command.deleteInterface, Wireless.Command.stopNAN,
        Wireless.Command.channelEvacuation,
    ]

    private init?(_ command: UInt8, _ attributes: AttributeList) throws(WireError) {
        switch command {
        case Wireless.Command.clusterJoined:
            guard let cluster = attributes.address(Wireless.Attribute.address) else {
                throw .tooShort(for: "cluster id", missing: 6)
            }
            self = .clusterJoined(cluster, isNew: attributes.has(Wireless.Attribute.isNewCluster))
        case Wireless.Command.nextWindow:
            self = .nextWindow
        case Wireless.Command.frame:
            guard let frame = attributes.octets(Wireless.Attribute.frame) else {
                throw .tooShort(for: "received frame", missing: 1)
            }
            guard frame.count <= Self.frameLimit else {
                throw .tooLong("received frame", by: frame.count - Self.frameLimit)
            }
            self = .received(frame, signal: Self.signal(attributes))
        case Wireless.Command.frameStatus:
            guard let cookie = attributes.number64(Wireless.Attribute.cookie) else {
                throw .tooShort(for: "cookie", missing: 8)
            }
            self = .sent(cookie: cookie, acknowledged: attributes.has(Wireless.Attribute.acknowledged))
        case Wireless.Command.deleteInterface, Wireless.Command.stopNAN:
            self = .interfaceDeleted
        case Wireless.Command.channelEvacuation:
            self = .channelLost
        default:
            return nil
        }
    }

    private static func signal(_ attributes: AttributeList) -> Int8 {
        guard let number = attributes.number32(Wireless.Attribute.signal) else { return .min }
        return Int8(clamping: Int32(bitPattern: number))
    }
}
