public import Wire

/// The accessory's side of the attribute protocol towards one client: octets in, octets out.
///
/// What it has to send is ``outgoing``; the owner calls ``sent(at:)`` when that is handed over, and while it is not,
/// leaves what the client sends where it is (``isReady``). So a client that does not read its answers stops itself.
/// Of each characteristic only the newest value waits to be told. It never asks for security: who may not see
/// something is refused, and pairs if it cares to.
///
/// A bonded client's subscriptions hold over connections, from when the link is encrypted: until then it may be anybody.
/// One that knows other services than there are now is told so, where it has subscribed to that, and has to subscribe
/// anew; all others find out what there is at each connection. It is told after it has asked something, too: iPhones
/// drop a connection that begins with an indication.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F; Part G, 2.5.2 and 7.1.
public struct ATTServer {
    /// Every link carries so much.
    static let leastMTU = 23
    /// A whole value of 512 octets in one write.
    static let mostMTU = 517
    public static let mostValue = 512
    /// So long a client may owe us a confirmation (3.3.3).
    static let confirmationTime = TimeUnits.seconds(30)

    let database: AttributeDatabase
    var subscriptions = Subscriptions()
    /// How well the link is protected now.
    public var security = LinkSecurity.open {
        didSet { recall() }
    }
    /// Whether there are keys to protect the link with: its client is then asked to encrypt, not to pair.
    public var isBonded: Bool
    /// The longest PDU, of either side.
    public internal(set) var mtu = ATTServer.leastMTU

    var response: [UInt8]?
    var news: [News] = []
    var prepared = PreparedWrites()
    private var indication = Indication.none
    /// Of a bonded client that has not encrypted the link yet.
    private var recalled: ClientMemory?
    private var outdated = Outdated.no

    private enum Indication {
        case none
        case unconfirmed(GATTCharacteristic.ID, until: Instant)
        case late
    }

    /// Whether the client knows other services than there are, by their fingerprint.
    private enum Outdated {
        case no
        /// It has not asked anything yet, and is not told.
        case untold(UInt32)
        /// It has not confirmed that it was told.
        case told(UInt32)
    }

    /// A value that waits to be told, as a notification or an indication.
    struct News {
        var characteristic: GATTCharacteristic
        var handle: UInt16
        var value: [UInt8]
    }

    /// - Parameter memory: Of a client that is bonded.
    public init(_ database: AttributeDatabase, recalling memory: ClientMemory? = nil) {
        self.database = database
        recalled = memory
        isBonded = memory != nil
    }

    // MARK: Time

    /// When ``isOver`` may become true. Nil while the client owes nothing.
    public var deadline: Instant? {
        if case .unconfirmed(_, let until) = indication { until } else { nil }
    }

    public mutating func advance(to now: Instant) {
        if case .unconfirmed(_, let until) = indication, until <= now { indication = .late }
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
            if case .unconfirmed(let id, _) = indication, pdu.count == 1 { confirmed(id) }
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
        if case .untold(let known) = outdated {
            outdated = .told(known)
            notify(.serviceChanged, Self.octets(1) + Self.octets(.max))
        }
    }

    private mutating func confirmed(_ id: GATTCharacteristic.ID) {
        indication = .none
        if id == .serviceChanged { outdated = .no }
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
            if isIndicated(news[index]) {
                indication = .unconfirmed(
                    news[index].characteristic.id, until: now + Self.confirmationTime)
            }
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

    // MARK: Over connections

    /// What is to be kept of the client for its next connection; nil where it is not bonded, or has not shown that it is.
    public var memory: ClientMemory? {
        guard isBonded, security > .open else { return nil }
        var memory = ClientMemory()
        memory.subscriptions = subscriptions
        memory.services = database.fingerprint
        switch outdated {
        case .untold(let known), .told(let known):
            if subscriptions[.serviceChanged] != 0 { memory.services = known }
        case .no: break
        }
        return memory
    }

    /// The client has proved that it is the one that is bonded. What it has chosen meanwhile stays.
    private mutating func recall() {
        guard security > .open, let memory = recalled else { return }
        recalled = nil
        let isCurrent = memory.services == database.fingerprint
        for choice in memory.subscriptions.all where subscriptions[choice.id] == 0 {
            if isCurrent || choice.id == .serviceChanged { subscriptions[choice.id] = choice.value }
        }
        if !isCurrent, memory.subscriptions[.serviceChanged] != 0 { outdated = .untold(memory.services) }
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
