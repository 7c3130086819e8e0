import Wire

/// What nl80211 says without being asked.
enum WirelessEvent {
    case clusterJoined(MACAddress, isNew: Bool)
    /// The window that comes next is there, in MHz: with two bands the windows of each come in turn.
    case nextWindow(frequency: UInt32)
    /// In dBm.
    case received([UInt8], signal: Int8)
    case sent(cookie: UInt64, acknowledged: Bool)
    case interfaceDeleted
    /// The radio has left a channel of the local schedule, in MHz, because it is needed for something else.
    case channelLost(frequency: UInt32)
    /// When the radio is elsewhere, as an attribute for frames to peers; empty for not at all any more.
    case unalignedSchedule([UInt8])
    /// A change of the local schedule that was announced to peers has come, or could not.
    case scheduleUpdated(isSuccessful: Bool)

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
    /// Attributes for peers are short.
    private static let unalignedScheduleLimit = 256

    private static let followed: [UInt8] = [
        Wireless.Command.clusterJoined, Wireless.Command.nextWindow, Wireless.Command.frame,
        Wireless.Command.frameStatus, Wireless.Command.deleteInterface, Wireless.Command.stopNAN,
        Wireless.Command.channelEvacuation, Wireless.Command.unalignedSchedule,
        Wireless.Command.scheduleUpdated,
    ]

    private init?(_ command: UInt8, _ attributes: AttributeList) throws(WireError) {
        switch command {
        case Wireless.Command.clusterJoined:
            guard let cluster = attributes.address(Wireless.Attribute.address) else {
                throw .tooShort(for: "cluster id", missing: 6)
            }
            self = .clusterJoined(cluster, isNew: attributes.has(Wireless.Attribute.isNewCluster))
        case Wireless.Command.nextWindow:
            guard let frequency = attributes.number32(Wireless.Attribute.frequency) else {
                throw .tooShort(for: "window's frequency", missing: 4)
            }
            self = .nextWindow(frequency: frequency)
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
            guard
                let frequency = try attributes.nested(Wireless.Attribute.channel)?.number32(
                    Wireless.Attribute.frequency)
            else { throw .tooShort(for: "evacuated channel", missing: 4) }
            self = .channelLost(frequency: frequency)
        case Wireless.Command.unalignedSchedule:
            let octets = attributes.octets(Wireless.Attribute.unalignedSchedule) ?? []
            guard octets.count <= Self.unalignedScheduleLimit else {
                throw .tooLong("unaligned schedule", by: octets.count - Self.unalignedScheduleLimit)
            }
            self = .unalignedSchedule(octets)
        case Wireless.Command.scheduleUpdated:
            self = .scheduleUpdated(isSuccessful: attributes.has(Wireless.Attribute.isScheduleUpdated))
        default:
            return nil
        }
    }

    private static func signal(_ attributes: AttributeList) -> Int8 {
        guard let number = attributes.number32(Wireless.Attribute.signal) else { return .min }
        return Int8(clamping: Int32(bitPattern: number))
    }
}
