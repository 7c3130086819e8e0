import Crypto
import Frames
import Ports
import Testing
import Wire

@testable import Aware

/// Random octets from a seed, the first of which a test may choose.
final class DataPathEntropy: Entropy {
    private var state: UInt64
    private var chosen: [[UInt8]]

    init(seed: UInt64, chosen: [[UInt8]] = []) {
        state = seed
        self.chosen = chosen
    }

    func fill(_ octets: UnsafeMutableRawBufferPointer) {
        if let first = chosen.first, first.count == octets.count {
            octets.copyBytes(from: first)
            chosen.removeFirst()
            return
        }
        for index in octets.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            octets[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}

/// A phone and an accessory between which every frame passes through the test's hands.
struct DataPathWorld {
    enum Side { case phone, accessory }

    struct Settings {
        var suite = CipherSuite.pasn128
        var phoneKey: UInt8 = 1
        var accessoryKey: UInt8 = 1
        var publish: UInt8 = 1
        var phoneSlots = LocalAvailability.allButTheWindow
        var accessorySlots = LocalAvailability.allButTheWindow
        var phoneIdle: UInt16 = 25
        var accessoryIdle: UInt16 = 25
        var isProtected = true
        var knowsExtension = true
        var seed: UInt64 = 1
    }

    static let phoneAddress = MACAddress(rawValue: 0x02aa_bbcc_dd02)
    static let accessoryAddress = MACAddress(rawValue: 0x0211_2233_4401)
    static let phoneInterface = MACAddress(rawValue: 0x4200_0000_0100)
    static let accessoryInterface = MACAddress(rawValue: 0x4200_0000_0200)
    static let service = DataPathService(
        publish: 1, identifier: ServiceIdentifier(rawValue: 0x8292_f9a7_1acc), port: 14_550, transport: .udp)

    var phone: DataPathInitiator
    var accessory: DataPathResponder
    var now = Instant(microseconds: 1_000_000)
    /// On the air, in the order of sending.
    var air: [(from: Side, body: [UInt8])] = []
    var done: (phone: [DataPathAction], accessory: [DataPathAction]) = ([], [])
    var refusals: [DataPathRefusal] = []
    /// What becomes of a frame on the air: usually itself, once.
    var disturb: (Side, [UInt8]) -> [[UInt8]] = { [$1] }

    init(_ settings: Settings = Settings()) throws {
        let phoneEnd = Self.end(
            Self.phoneAddress, Self.phoneInterface, slots: settings.phoneSlots, idle: settings.phoneIdle)
        let accessoryEnd = Self.end(
            Self.accessoryAddress, Self.accessoryInterface, slots: settings.accessorySlots,
            idle: settings.accessoryIdle)
        phone = try DataPathInitiator(
            identifier: 1,
            peer: .init(
                address: Self.accessoryAddress,
                capability: settings.knowsExtension ? accessoryEnd.profile.deviceCapability : nil,
                availability: PeerAvailability(
                    [accessoryEnd.profile.availabilityAttribute],
                    capability: accessoryEnd.profile.deviceCapability, on: .six)),
            service: DataPathService(publish: settings.publish, identifier: Self.service.identifier),
            own: phoneEnd, suite: settings.suite, master: Self.key(settings.phoneKey),
            isProtected: settings.isProtected, entropy: DataPathEntropy(seed: settings.seed))
        accessory = DataPathResponder(
            name: phone.name, peer: Self.phoneAddress, own: accessoryEnd, services: [Self.service],
            master: Self.key(settings.accessoryKey), entropy: DataPathEntropy(seed: settings.seed + 1))
    }

    static func key(_ filling: UInt8) -> Key { Key(Secret([UInt8](repeating: filling, count: 32))) }

    static func end(_ address: MACAddress, _ interface: MACAddress, slots: UInt32, idle: UInt16)
        -> DataPathEnd
    {
        DataPathEnd(
            profile: StationProfile(
                address: address,
                radio: RadioCapabilities(
                    operationMode: 0x17, antennas: 0x22, channelSwitchTime: 0, capabilities: 0,
                    htCapabilities: [UInt8](repeating: 0x1b, count: 26),
                    vhtCapabilities: [UInt8](repeating: 0xaa, count: 12)),
                pairing: [.setup, .caching], availability: LocalAvailability(slots: slots)),
            dataInterface: interface, interfaceIdentifier: interface.interfaceIdentifier, idlePeriod: idle)
    }

    mutating func start() { perform(phone.start(at: now), of: .phone) }

    mutating func perform(_ actions: [DataPathAction], of side: Side) {
        for action in actions {
            if case .send(let body) = action { air += disturb(side, body).map { (side, $0) } }
        }
        switch side {
        case .phone: done.phone += actions
        case .accessory: done.accessory += actions
        }
    }

    /// Brings the oldest frame to its receiver.
    mutating func deliver() {
        guard !air.isEmpty else { return }
        let (from, body) = air.removeFirst()
        deliver(body, from: from)
    }

    mutating func deliver(_ body: [UInt8], from: Side) {
        do throws(DataPathRefusal) {
            let received = try ReceivedAction(parsing: body, isEncrypted: body.first == 9)
            switch from {
            case .phone: try perform(accessory(hears: received), of: .accessory)
            case .accessory: try perform(phone.receive(received, at: now), of: .phone)
            }
        } catch {
            refusals.append(error)
        }
    }

    /// As the accessory does it: a refused request is answered.
    private mutating func accessory(hears received: ReceivedAction) throws(DataPathRefusal)
        -> [DataPathAction]
    {
        do throws(DataPathRefusal) {
            return try accessory.receive(received, at: now)
        } catch {
            if let reason = error.reason,
                let body = DataPathResponder.rejection(of: received, reason: reason, as: accessory.own)
            {
                perform([.send(body)], of: .accessory)
            }
            throw error
        }
    }

    /// Until nobody has anything to do any more, or for `limit`.
    mutating func run(for limit: TimeUnits = .seconds(60)) {
        let end = now + limit
        while true {
            while !air.isEmpty { deliver() }
            guard let next = Instant.earliest(phone.deadline, accessory.deadline), next <= end else { return }
            now = max(now, next)
            perform(phone.advance(to: now), of: .phone)
            perform(accessory.advance(to: now), of: .accessory)
        }
    }
}

extension [DataPathAction] {
    var opened: [(peer: DataPeer, key: Key)] {
        compactMap { if case .open(let peer, let key) = $0 { (peer, key) } else { nil } }
    }
    var closed: [MACAddress] { compactMap { if case .close(let peer) = $0 { peer } else { nil } } }
    var sent: [[UInt8]] { compactMap { if case .send(let body) = $0 { body } else { nil } } }
    var schedules: [PeerSchedule] { compactMap { if case .setPeerSchedule(let it) = $0 { it } else { nil } } }
    var established: [DataPathFacts] { compactMap { if case .established(let it) = $0 { it } else { nil } } }
    var endings: [DataPathEnding] { compactMap { if case .ended(let it) = $0 { it } else { nil } } }
}

extension [UInt8] {
    /// The subtype of an action frame: 5 is M1, 8 is M4, 9 a termination.
    var message: UInt8 { count > 6 ? self[6] : 0 }

    func flipping(bit: Int) -> [UInt8] {
        var flipped = self
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        return flipped
    }
}

extension Key {
    func holds(_ octets: [UInt8]) -> Bool { secret.isEqual(to: Secret(octets)) }
    func isSame(as other: Key) -> Bool { secret.isEqual(to: other.secret) }
}
