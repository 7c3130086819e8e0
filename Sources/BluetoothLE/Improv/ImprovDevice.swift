public import Wire

/// A device that lets phones put it into a Wi-Fi network, as one value.
///
/// Legal transitions:
///
///     authorisation required ─authorise→ authorised ─connect→ provisioning ─joined→ provisioned
///               or provisioned ←a minute──┘        ↖──────failed───┘
///
/// The specification lets it end once it is provisioned. We differ: a board moves, and networks go away, so the owner's
/// next word lets it be put into another one, and where nobody does it is provisioned as before.
///
/// - Spec: Improv via BLE 2.4, https://www.improv-wifi.com/ble/.
public struct ImprovDevice: Sendable {
    public struct Capabilities: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let identify = Capabilities(rawValue: 0x01)
        public static let deviceInformation = Capabilities(rawValue: 0x02)
        public static let scan = Capabilities(rawValue: 0x04)
    }

    public enum Action: Equatable, Sendable {
        case identify
        case scan
        case connect(name: [UInt8], password: [UInt8])
        /// The characteristic has this value now: clients are told.
        case changed(GATTCharacteristic.ID, [UInt8])
    }

    /// What the device says of itself, to those who ask.
    public struct Description: Equatable, Sendable {
        public var firmware: String
        public var version: String
        public var hardware: String
        public var name: String

        public init(firmware: String, version: String, hardware: String, name: String) {
            self.firmware = firmware
            self.version = version
            self.hardware = hardware
            self.name = name
        }
    }

    private enum State: Sendable {
        case resting(Rest)
        /// Afterwards it is what it was.
        case authorised(until: Instant, then: Rest)
        /// The owner's word still counts afterwards, until then.
        case provisioning(until: Instant, then: Rest)
    }

    /// Without the owner.
    private enum Rest: Sendable {
        case authorisationRequired
        /// It has joined a network, at that time.
        case provisioned(Instant)
    }

    /// A command in parts has to be whole after so long.
    static let assemblyTime = TimeUnits.seconds(5)

    public var description: Description
    /// Whether something on the board can look for networks now.
    public var canScan: Bool
    private var state = State.resting(.authorisationRequired)
    private var error: UInt8 = 0
    private var result: [UInt8] = []
    /// One a client.
    private var assemblies: [Assembly] = []
    /// What is found is told to everybody, so that who asks meanwhile has no need of another search.
    private var isScanning = false

    /// More clients than any controller keeps connected.
    static let mostAssemblies = 16

    /// A command of which more is to come.
    private struct Assembly: Sendable {
        var client: UInt64
        var octets: [UInt8]
        var begun: Instant
    }

    public init(_ description: Description, canScan: Bool) {
        self.description = description
        self.canScan = canScan
    }

    // MARK: Its characteristics

    public static let stateID = GATTCharacteristic.ID(0x300)
    public static let errorID = GATTCharacteristic.ID(0x301)
    public static let commandID = GATTCharacteristic.ID(0x302)
    public static let resultID = GATTCharacteristic.ID(0x303)
    public static let capabilitiesID = GATTCharacteristic.ID(0x304)

    public static let uuid = number(0)
    /// Of its service data.
    public static let short = BluetoothUUID.assigned(0x4677)

    public static var service: GATTService {
        var service = GATTService(uuid)
        service.add(stateID, number(1), [.read, .notify])
        service.add(errorID, number(2), [.read, .notify])
        service.add(commandID, number(3), [.write, .writeWithoutResponse])
        service.add(resultID, number(4), [.read, .notify])
        service.add(capabilitiesID, number(5), .read)
        return service
    }

    private static func number(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x0046_7768_6228_2272, low: 0x4663_2774_7826_8000 + number)
    }

    public var capabilities: Capabilities {
        canScan ? [.identify, .deviceInformation, .scan] : [.identify, .deviceInformation]
    }

    /// A characteristic's value; nil where it is of another service.
    public func value(of id: GATTCharacteristic.ID) -> [UInt8]? {
        switch id {
        case Self.stateID: [stateNumber]
        case Self.errorID: [error]
        case Self.resultID: result
        case Self.capabilitiesID: [capabilities.rawValue]
        default: nil
        }
    }

    private var stateNumber: UInt8 {
        switch state {
        case .resting(.authorisationRequired): 1
        case .authorised: 2
        case .provisioning: 3
        case .resting(.provisioned): 4
        }
    }

    public var isProvisioned: Bool {
        if case .resting(.provisioned) = state { true } else { false }
    }

    /// 28 octets, and so nothing fits beside it: UUID and service data have to be in the same advertisement.
    public var advertisement: AdvertisingData {
        AdvertisingData([
            .services([Self.uuid], isComplete: true),
            .serviceData(Self.short, [stateNumber, capabilities.rawValue, 0, 0, 0, 0]),
        ])
    }

    // MARK: Time and the owner

    /// When ``advance(to:)`` next has something to do.
    public var deadline: Instant? {
        if case .authorised(let until, _) = state { until } else { nil }
    }

    public mutating func advance(to now: Instant) -> [Action] {
        guard case .authorised(let until, let rest) = state, until <= now else { return [] }
        return enter(.resting(rest))
    }

    /// Whether an owner's word counts now.
    public var isAuthorised: Bool {
        if case .resting = state { false } else { true }
    }

    /// The owner is there, or was a moment ago: clients may do what they want until then, for a minute at most is
    /// usual. A word that was given before it joined its network is spent.
    public mutating func authorise(until: Instant, given: Instant) -> [Action] {
        switch state {
        case .resting(.provisioned(let joined)) where given <= joined: return []
        case .resting(let rest), .authorised(_, let rest):
            return enter(.authorised(until: until, then: rest))
        case .provisioning(_, let rest):
            state = .provisioning(until: until, then: rest)
            return []
        }
    }

    // MARK: The client

    /// A part of a command, or all of it. What is wrong with it, the error state says.
    public mutating func receive(_ part: [UInt8], from client: UInt64, at now: Instant) -> [Action] {
        guard let packet = assemble(part, from: client, at: now) else { return [] }
        do throws(ImprovCommand.Refusal) {
            let command = try ImprovCommand(parsing: packet)
            let actions = try perform(command)
            return set(error: 0) + actions
        } catch {
            return set(error: error.rawValue)
        }
    }

    /// A client that is gone does not finish its command.
    public mutating func disconnected(_ client: UInt64) {
        assemblies.removeAll { $0.client == client }
    }

    /// The command, once it is as long as its second octet says.
    private mutating func assemble(
        _ part: [UInt8], from client: UInt64, at now: Instant
    ) -> [UInt8]? {
        var assembly = Assembly(client: client, octets: [], begun: now)
        if let place = assemblies.firstIndex(where: { $0.client == client }) {
            let known = assemblies.remove(at: place)
            if now <= known.begun + Self.assemblyTime { assembly = known }
        }
        assembly.octets += part
        let octets = assembly.octets
        if octets.count > 1, octets.count >= Int(octets[1]) + 3 { return octets }
        if assemblies.count >= Self.mostAssemblies { assemblies.removeFirst() }
        if !octets.isEmpty { assemblies.append(assembly) }
        return nil
    }

    private mutating func perform(_ command: ImprovCommand) throws(ImprovCommand.Refusal) -> [Action] {
        switch command {
        case .identify: return Self.alone(.identify)
        case .deviceInformation:
            let texts = [description.firmware, description.version, description.hardware, description.name]
            return set(result: ImprovPacket.result(of: command.number, texts.map { Array($0.utf8) }))
        case .scan:
            guard canScan else { throw .unknownCommand }
            guard case .authorised = state else { throw .notAuthorised }
            guard !isScanning else { return [] }
            isScanning = true
            return Self.alone(.scan)
        case .connect(let name, let password):
            guard case .authorised(let until, let rest) = state else { throw .notAuthorised }
            // Which ends a search.
            isScanning = false
            return enter(.provisioning(until: until, then: rest))
                + [.connect(name: name, password: password)]
        }
    }

    /// Not inlined: what ships crashes the compiler where it makes constants of such lists.
    @inline(never)
    private static func alone(_ action: Action) -> [Action] { [action] }

    // MARK: What came of it

    public mutating func found(_ networks: [WiFiNetwork]) -> [Action] {
        isScanning = false
        var texts: [[UInt8]] = []
        for network in networks {
            texts += [
                network.name, Array("\(network.signal)".utf8),
                Array((network.isProtected ? "YES" : "NO").utf8),
            ]
        }
        return set(result: ImprovPacket.result(of: ImprovCommand.scan.number, texts, groups: 3))
    }

    public mutating func joined(at now: Instant) -> [Action] {
        guard case .provisioning = state else { return [] }
        return enter(.resting(.provisioned(now))) + set(result: ImprovPacket.result(of: 1, []))
    }

    public mutating func couldNotJoin(at now: Instant) -> [Action] {
        guard case .provisioning(let until, let rest) = state else { return [] }
        return set(error: ImprovCommand.Refusal.unableToConnect.rawValue)
            + enter(now < until ? .authorised(until: until, then: rest) : .resting(rest))
    }

    private mutating func enter(_ new: State) -> [Action] {
        let old = stateNumber
        state = new
        return stateNumber == old ? [] : Self.alone(.changed(Self.stateID, [stateNumber]))
    }

    private mutating func set(error new: UInt8) -> [Action] {
        guard new != error else { return [] }
        error = new
        return Self.alone(.changed(Self.errorID, [new]))
    }

    private mutating func set(result new: [UInt8]) -> [Action] {
        result = new
        return Self.alone(.changed(Self.resultID, new))
    }
}
