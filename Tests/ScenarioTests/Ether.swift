import Frames
import Ports
import Simulation
import Wire

/// A radio through which a scenario sees what its owner hears and says, and has a hand in it.
final class Ether: Radio {
    /// Everything that the owner heard or handed over, protected frames in plain text.
    private(set) var heard: [[UInt8]] = []
    private(set) var said: [[UInt8]] = []
    /// What becomes of a frame that arrives: usually itself.
    var whenHearing: ([UInt8]) -> [[UInt8]] = { [$0] }
    /// What becomes of a frame that is handed over. Where nothing does, it is reported as sent and acknowledged.
    var whenSaying: ([UInt8]) -> [UInt8]? = { $0 }

    /// How many data paths the radio has no room for.
    var refusals = 0
    var refusesStart = false

    private let radio: any Radio
    private var events: [RadioEvent] = []

    init(_ radio: any Radio) {
        self.radio = radio
    }

    /// Lets the owner hear a frame that no radio brought.
    func inject(_ frame: [UInt8]) {
        events.append(.received(ReceivedFrame(octets: frame, signal: -50)))
    }

    /// Tells the owner that the radio has left its channel.
    func loseChannel() { events.append(.channelLost) }

    /// The local schedules that the owner has set.
    private(set) var schedules: [LocalSchedule] = []
    var refusesChannel = false

    func heard(_ kind: FrameKind) -> [[UInt8]] { heard.filter { FrameKind(of: $0) == kind } }
    func said(_ kind: FrameKind) -> [[UInt8]] { said.filter { FrameKind(of: $0) == kind } }

    /// Forgets what was heard and said.
    func forget() {
        heard = []
        said = []
    }

    private static func keep(_ frame: [UInt8], in list: inout [[UInt8]]) {
        if list.count == 8192 { list.removeFirst(4096) }
        list.append(frame)
    }

    var deadline: Instant? { events.isEmpty ? radio.deadline : Instant(microseconds: 0) }
    func addDescriptors(to set: inout DescriptorSet) {}

    func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        if case .openDataPath = request, refusals > 0 {
            refusals -= 1
            throw RadioError(.noRoom, "no room for a data path")
        }
        if case .setLocalSchedule(let schedule) = request {
            if refusesChannel, schedule.slots != 0 { throw RadioError(.system(16), "the channel is busy") }
            schedules.append(schedule)
        }
        if case .start = request, refusesStart { throw RadioError(.gone, "no radio") }
        guard case .send(let octets, let cookie) = request else { return try radio.perform(request, at: now) }
        Self.keep(octets, in: &said)
        guard let frame = whenSaying(octets) else {
            events.append(.sent(cookie: cookie, acknowledged: true))
            return
        }
        try radio.perform(.send(frame, cookie: cookie), at: now)
    }

    func nextEvent(at now: Instant) -> RadioEvent? {
        while true {
            if !events.isEmpty {
                let event = events.removeFirst()
                if case .received(let frame) = event { Self.keep(frame.octets, in: &heard) }
                return event
            }
            guard let event = radio.nextEvent(at: now) else { return nil }
            guard case .received(let frame) = event else { return event }
            for octets in whenHearing(frame.octets) {
                events.append(.received(ReceivedFrame(octets: octets, signal: frame.signal)))
            }
        }
    }
}

/// The frames of a pairing and of a connection, in their order.
enum FrameKind: Equatable, CaseIterable {
    case discovery, request, accepted, comeBack, rejected
    case auth1, auth2, auth3, identityKey
    case m1, m2, m3, m4, termination

    init?(of octets: [UInt8]) {
        guard let frame = try? ManagementFrame(octets) else { return nil }
        if frame.header.subtype == .authentication {
            guard frame.body.count >= 4 else { return nil }
            switch frame.body[2] {
            case 1: self = .auth1
            case 2: self = .auth2
            case 3: self = .auth3
            default: return nil
            }
            return
        }
        guard let action = frame.action else { return nil }
        switch action.kind {
        case .action(.dataPathRequest): self = .m1
        case .action(.dataPathResponse): self = .m2
        case .action(.dataPathConfirm): self = .m3
        case .action(.dataPathKeyInstall): self = .m4
        case .action(.dataPathTermination): self = .termination
        case .action: return nil
        case .serviceDiscovery:
            guard action.serviceDescriptors.contains(where: { $0.kind == .followUp }) else {
                self = .discovery
                return
            }
            if action.sharedKeyDescriptor != nil {
                self = .identityKey
                return
            }
            switch action.pairingBootstrapping?.step {
            case .request: self = .request
            case .accepted: self = .accepted
            case .comeBack: self = .comeBack
            case .rejected: self = .rejected
            case .advertisement, nil: return nil
            }
        }
    }
}

/// A management frame, taken apart and put together as nobody but an attacker would.
struct ManagementFrame {
    var header: ManagementHeader
    var body: [UInt8]

    init(_ octets: [UInt8]) throws {
        var reader = FrameReader(octets.span.bytes)
        header = try ManagementHeader(parsing: &reader)
        body = reader.rest()
    }

    init(
        _ body: [UInt8], subtype: ManagementHeader.Subtype = .action, from transmitter: MACAddress,
        to receiver: MACAddress, in cluster: MACAddress, isProtected: Bool = false
    ) {
        header = ManagementHeader(
            subtype: subtype, receiver: receiver, transmitter: transmitter, cluster: cluster,
            isProtected: isProtected)
        self.body = body
    }

    var action: ActionFrame? {
        guard header.subtype == .action else { return nil }
        return try? ActionFrame(parsing: FrameReader(body.span.bytes))
    }

    func octets() throws -> [UInt8] {
        var writer = FrameWriter(limit: 4096)
        header.write(into: &writer)
        writer.octets(body)
        return try writer.finish()
    }
}
