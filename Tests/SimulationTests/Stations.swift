import Crypto
import Frames
import Ports
import Simulation
import Wire

/// A world with stations that are turned by the test itself.
final class Stage {
    let world: World
    private(set) var radios: [WorldRadio] = []
    /// Everything that was reported, per station.
    private(set) var events: [[(time: Instant, event: RadioEvent)]] = []
    let addresses: [MACAddress]

    init(_ count: Int, seed: UInt64 = 1) throws {
        world = World(seed: seed)
        addresses = (0..<count).map { MACAddress(rawValue: 0x02aa_bbcc_dd00 + UInt64($0 + 1)) }
        for _ in 0..<count {
            radios.append(world.makeRadio())
            events.append([])
        }
    }

    func start(_ index: Int, preference: UInt8 = 2) throws {
        let configuration = RadioConfiguration(
            managementAddress: addresses[index], masterPreference: preference)
        try radios[index].perform(.start(configuration), at: world.now)
        collect()
    }

    /// All in one cluster, the first being master.
    func gather() throws {
        for index in radios.indices {
            try start(index, preference: index == 0 ? 100 : 2)
            run(TimeUnits(1100))
        }
    }

    /// Peers with a schedule of all slots but the window.
    func introduce(_ one: Int, _ other: Int, slots: UInt32 = 0xffff_fffe) throws {
        for (own, peer) in [(one, other), (other, one)] {
            try perform(own, .addPeer(addresses[peer]))
            guard slots != 0 else { continue }
            try perform(
                own, .setLocalSchedule(LocalSchedule(slots: slots, frequency: 2437, availability: [0x12])))
            try perform(
                own,
                .setPeerSchedule(
                    addresses[peer],
                    PeerSchedule(committedWindows: 0x0449, channelSwitchTime: 0, sequence: 1, slots: slots)))
        }
    }

    func connect(_ one: Int, _ other: Int, keys: (Key?, Key?), idlePeriod: UInt16 = 0) throws {
        try perform(one, .openDataPath(dataPeer(other, idlePeriod), key: keys.0))
        try perform(other, .openDataPath(dataPeer(one, idlePeriod), key: keys.1))
    }

    func dataPeer(_ index: Int, _ idlePeriod: UInt16 = 0) -> DataPeer {
        let interface = radios[index].dataInterface ?? MACAddress(rawValue: 0)
        return DataPeer(
            address: interface, management: addresses[index],
            interfaceIdentifier: interface.interfaceIdentifier,
            ports: [], htCapabilities: [], vhtCapabilities: [], idlePeriod: idlePeriod)
    }

    func perform(_ index: Int, _ request: RadioRequest) throws {
        try radios[index].perform(request, at: world.now)
        collect()
    }

    func send(_ from: Int, to receiver: MACAddress, category: UInt8 = 4, cookie: UInt32 = 1, tag: UInt8 = 0)
        throws
    {
        try perform(from, .send(frame(from, to: receiver, category: category, tag: tag), cookie: cookie))
    }

    func frame(_ from: Int, to receiver: MACAddress, category: UInt8 = 4, tag: UInt8 = 0) throws -> [UInt8] {
        var writer = FrameWriter()
        ManagementHeader(
            subtype: .action, receiver: receiver, transmitter: addresses[from], cluster: cluster(of: from)
        ).write(into: &writer)
        writer.octets([category, 0x09, 0x50, 0x6f, 0x9a, 0x13, tag])
        return try writer.finish()
    }

    func run(_ span: TimeUnits) {
        let end = world.now + span
        while world.step(until: end) { collect() }
        world.run(until: end)
        collect()
    }

    /// To the given time after the beginning of a window.
    func runToWindow(plus span: TimeUnits = TimeUnits(0)) {
        let period: UInt64 = 512 * 1024
        let start = (world.now.microseconds / period + 1) * period
        run(TimeUnits(UInt32((start - world.now.microseconds) / 1024)))
        while world.now.microseconds % period > period / 2 { world.run(until: Instant(microseconds: start)) }
        collect()
        run(span)
    }

    func forget() { for index in events.indices { events[index] = [] } }

    func cluster(of index: Int) -> MACAddress {
        clusters(of: index).last ?? MACAddress(rawValue: 0)
    }

    private var joined: [Int: [MACAddress]] = [:]
    func clusters(of index: Int) -> [MACAddress] { joined[index] ?? [] }

    func received(_ index: Int) -> [[UInt8]] {
        events[index].compactMap { if case .received(let frame) = $0.event { frame.octets } else { nil } }
    }

    func sent(_ index: Int) -> [(cookie: UInt32, acknowledged: Bool)] {
        events[index].compactMap {
            if case .sent(let cookie, let acknowledged) = $0.event { (cookie, acknowledged) } else { nil }
        }
    }

    func windows(_ index: Int) -> [Instant] {
        events[index].compactMap { if case .windowDue = $0.event { $0.time } else { nil } }
    }

    /// Comes before the stage takes the events, and may take them.
    var onTurn: (Instant) -> Void = { _ in }

    private func collect() {
        onTurn(world.now)
        for (index, radio) in radios.enumerated() {
            while let event = radio.nextEvent(at: world.now) {
                if case .clusterJoined(let cluster, _) = event { joined[index, default: []].append(cluster) }
                events[index].append((world.now, event))
            }
        }
    }
}

func key(_ octet: UInt8) -> Key { Key(Secret([UInt8](repeating: octet, count: 16))) }
