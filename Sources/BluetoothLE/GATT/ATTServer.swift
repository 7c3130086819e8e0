public import Wire

/// The accessory's side of the attribute protocol towards one client: octets in, octets out.
///
/// What it has to send is ``outgoing``; the owner calls ``sent(at:)`` when that is handed over, and while it is not,
/// leaves what the client sends where it is (``isReady``). So a client that does not read its answers stops itself.
/// Of each characteristic only the newest value waits to be told. It never asks for security: who may not see
/// something is refused, and pairs if it cares to.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F.
public struct ATTServer {
    /// Every link carries so much.
    static let leastMTU = 23
    /// A whole value of 512 octets in one write.
    static let mostMTU = 517
    public static let mostValue = 512
    /// So long a client may owe us a confirmation (3.3.3).
    static let confirmationTime = TimeUnits.seconds(30)

    let database: AttributeDatabase
    public internal(set) var subscriptions: Subscriptions
    /// How well the link is protected now.
    public var security = LinkSecurity.open
    /// Whether there are keys to protect the link with: its client is then asked to encrypt, not to pair.
    public var isBonded = false
    /// The longest PDU, of either side.
    public internal(set) var mtu = ATTServer.leastMTU

    var response: [UInt8]?
    var news: [News] = []
    var prepared = PreparedWrites()
    private var indication = Indication.none

    private enum Indication {
        case none
        case unconfirmed(until: Instant)
        case late
    }

    /// A value that waits to be told, as a notification or an indication.
    struct News {
        var characteristic: GATTCharacteristic
        var handle: UInt16
        var value: [UInt8]
    }

    /// - Parameter subscriptions: What a bonded client chose when it was last connected.
    public init(_ database: AttributeDatabase, subscriptions: Subscriptions = Subscriptions()) {
        self.database = database
        self.subscriptions = subscriptions
    }

    // MARK: Time

    /// When ``isOver`` may become true. Nil while the client owes nothing.
    public var deadline: Instant? {
        if case .unconfirmed(let until) = indication { until } else { nil }
    }

    public mutating func advance(to now: Instant) {
        if case .unconfirmed(let until) = indication, until <= now { indication = .late }
    }

    /// The client has not confirmed an indication in time: the connection is of no more use and is to be ended.
    public var isOver: Bool {
        if case .late = indication { true } else { false }
    }

    // MARK: Receiving

    /// Whether another PDU may be handed in. While not, the owner reads none from the client.
    public var isReady: Bool { response == nil }

    /// Takes what the client sent. What is to be answered is ``outgoing`` afterwards.
    public mutating func receive(_ pdu: [UInt8], from values: any CharacteristicValues, at now: Instant) {
        guard isReady, !isOver, let first = pdu.first else { return }
        let opcode = ATTOpcode(rawValue: first)
        if opcode == .confirmation {
            if case .unconfirmed = indication, pdu.count == 1 { indication = .none }
            return
        }
        guard !opcode.isFromServers else { return }
        if opcode.isCommand {
            if opcode == .writeCommand, pdu.count <= mtu { command(pdu, to: values, at: now) }
            return
        }
        do throws(ATTRefusal) {
            response = try answer(pdu, from: values, at: now)
        } catch {
            response = error.response(to: opcode)
        }
    }

    private mutating func answer(
        _ pdu: [UInt8], from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        guard pdu.count <= mtu else { throw ATTRefusal(.invalidPDU) }
        let request: ATTRequest
        do throws(WireError) { request = try ATTRequest(parsing: pdu) } catch {
            throw ATTRefusal(.invalidPDU)
        }
        switch request {
        case .exchangeMTU(let offered): return exchangeMTU(offered)
        case .findInformation(let handles): return try findInformation(handles)
        case .findByTypeValue(let handles, let type, let value):
            return try find(handles, type: type, value: value)
        case .readByGroupType(let handles, let type): return try readGroups(handles, type: type)
        case .readByType(let handles, let type):
            return try read(handles, type: type, from: values, at: now)
        case .read(let handle): return try read(handle, from: values, at: now)
        case .readBlob(let handle, let offset): return try read(handle, offset: offset, from: values, at: now)
        case .readMultiple(let handles): return try read(handles, from: values, at: now)
        case .write(let handle, let value):
            try write(value, to: handle, in: values, at: now)
            return [ATTOpcode.writeResponse.rawValue]
        case .prepareWrite(let part): return try prepare(part)
        case .executeWrite(let isWanted): return try executeWrites(isWanted, in: values, at: now)
        case .other: throw ATTRefusal(.requestNotSupported)
        }
    }

    private mutating func exchangeMTU(_ offered: UInt16) -> [UInt8] {
        mtu = min(Self.mostMTU, max(Self.leastMTU, Int(offered)))
        return [ATTOpcode.exchangeMTUResponse.rawValue] + Self.octets(UInt16(Self.mostMTU))
    }

    static func octets(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    // MARK: Sending

    /// The PDU to be sent next; nil when there is none for now. It may change until it is sent.
    public var outgoing: [UInt8]? {
        if let response { return response }
        guard !isOver, let index = nextNews else { return nil }
        let item = news[index]
        let opcode: ATTOpcode = isIndicated(item) ? .indication : .notification
        return [opcode.rawValue] + Self.octets(item.handle) + item.value.prefix(mtu - 3)
    }

    /// ``outgoing`` has been handed over.
    public mutating func sent(at now: Instant) {
        if response != nil {
            response = nil
        } else if let index = nextNews {
            if isIndicated(news[index]) { indication = .unconfirmed(until: now + Self.confirmationTime) }
            news.remove(at: index)
        }
    }

    /// Tells the client a new value, where it wants to know and the link is as the value needs it. One that still
    /// waits to be told is replaced.
    public mutating func notify(_ id: GATTCharacteristic.ID, _ value: [UInt8]) {
        guard subscriptions[id] != 0, let (handle, characteristic) = database.characteristic(id) else {
            return
        }
        let item = News(characteristic: characteristic, handle: handle, value: value)
        for index in news.indices where news[index].handle == handle {
            news[index] = item
            return
        }
        news.append(item)
    }

    /// Tells a client that knows the services from an earlier connection that they are others now.
    public mutating func servicesChanged() {
        notify(.serviceChanged, Self.octets(1) + Self.octets(.max))
    }

    /// The first that may be told now.
    private var nextNews: Int? {
        news.firstIndex { item in
            guard item.characteristic.access <= security else { return false }
            guard case .unconfirmed = indication else { return true }
            return !isIndicated(item)
        }
    }

    /// Who chose both is notified.
    private func isIndicated(_ item: News) -> Bool {
        subscriptions[item.characteristic.id] & Subscriptions.notification == 0
    }

    /// Forgets what waits for a subscription that is over.
    mutating func forgetNews(of id: GATTCharacteristic.ID) {
        news.removeAll { $0.characteristic.id == id }
    }
}
