import CShim
import Crypto
import Ports
import Wire

/// A radio that was started: the kernel's devices, and what the kernel was told of peers.
final class ActiveRadio {
    /// What is known of a peer's management interface.
    struct Peer {
        var hasKey = false
        /// Data may flow to interfaces of the peer.
        var isAuthorized = false
    }

    struct Path {
        var peer: DataPeer
        /// When to look whether it is idle; nil for never.
        var check: Instant?
    }

    /// A frame that the kernel has and has not reported as sent.
    struct Pending {
        var kernelCookie: UInt64
        var cookie: UInt32
        var isMulticast: Bool
    }

    /// How long the kernel may say nothing: looking for a cluster, and in one, where it speaks twice a second.
    private enum Patience {
        static let searching = TimeUnits.seconds(20)
        static let joined = TimeUnits.seconds(5)
    }

    /// Of the discovery windows at 2.4 GHz, in MHz: channel 6.
    private static let windowFrequency: UInt32 = 2437

    let link: KernelLink
    let route: Conversation
    let device: WirelessDevice
    let dataInterface: DataInterface
    let address: MACAddress
    let receiveStreams: UInt8

    private let name: String
    private var watch: Instant
    private(set) var cluster: MACAddress?
    /// Of the local schedule; nil while there is none.
    var channel: ScheduleChannel?
    var peers: [MACAddress: Peer] = [:]
    /// By the peer's data interface.
    var paths: [MACAddress: Path] = [:]
    var pending: [Pending] = []
    /// Messages from the kernel that were not understood.
    private(set) var malformed: UInt64 = 0
    /// Events that are only counted: peers are not told when the radio is elsewhere, and no change of the local schedule
    /// is announced before it comes.
    private(set) var unfollowed: UInt64 = 0

    /// Makes the devices and starts them. Where that fails nothing is left.
    init(
        _ configuration: RadioConfiguration, on wiphy: Wiphy, _ nan: Wiphy.NAN, entropy: any Entropy,
        at now: Instant
    ) throws(RadioError) {
        name = wiphy.name
        address = configuration.managementAddress
        receiveStreams = max(1, min(nan.capabilities.antennas >> 4, nan.capabilities.antennas & 3))
        watch = now + Patience.searching
        link = try KernelLink()
        route = Conversation(try NetlinkSocket(.route), eventKind: nil)
        let requests = link.requests
        do throws(RadioError) {
            device = try Self.create(
                requests.createDevice(wiphy: wiphy.index, name: "nan0", address: address), link, .device
            ).device
            try link.owner.ask(requests.start(device, configuration))
            dataInterface = DataInterface(
                try Self.create(
                    requests.createDataInterface(
                        wiphy: wiphy.index, name: "ndi%d", address: MACAddress(random: entropy.number64())),
                    link, .dataInterface))
            try dataInterface.bringUp(link, route, entropy: entropy)
        } catch {
            // The devices go with the link's socket.
            throw RadioError(error.cause, "\(name): \(error.explanation)\(Self.hint(error.cause, name))")
        }
    }

    private enum Role { case device, dataInterface }

    private static func create(
        _ request: consuming NetlinkRequest, _ link: KernelLink, _ role: Role
    ) throws(RadioError) -> WirelessReply.NewDevice {
        guard let reply = try link.owner.ask(request).first else {
            throw RadioError(.gone, "the kernel does not describe a new interface")
        }
        let created: WirelessReply.NewDevice
        do throws(WireError) { created = try WirelessReply.newDevice(reply) } catch {
            throw .misunderstood(error)
        }
        let patterns: [WirelessRequests.FramePattern] =
            switch role {
            case .device: WirelessRequests.FramePattern.device
            case .dataInterface: WirelessRequests.FramePattern.dataInterface
            }
        for pattern in patterns {
            try link.owner.ask(link.requests.register(pattern, at: created.device))
        }
        return created
    }

    /// What an operator can do about an error.
    private static func hint(_ cause: RadioError.Cause, _ name: String) -> String {
        guard case .system(let number) = cause else { return "" }
        switch -number {
        case Int32(shim_error_not_permitted): return " (it lacks CAP_NET_ADMIN)"
        case Int32(shim_error_rfkill):
            return RadioSwitch.block(of: name).map { " (\($0))" } ?? ""
        default: return ""
        }
    }

    /// Takes the devices away, at once: with the socket they would go a little later.
    func end() {
        for request in [
            link.requests.stop(device), link.requests.delete(dataInterface.device),
            link.requests.delete(device),
        ] { _ = try? link.owner.ask(request) }
    }

    // MARK: The loop

    var hasNews: Bool {
        link.owner.hasEvents || link.news.hasEvents || link.owner.silence != nil || route.silence != nil
    }

    var deadline: Instant? {
        var earliest = watch
        for path in paths.values {
            if let check = path.check { earliest = min(earliest, check) }
        }
        return earliest
    }

    /// What is told to everybody can wait for the next window, unless somebody waits for an acknowledgement.
    func addDescriptors(to set: inout DescriptorSet) {
        set.add(link.owner.descriptor)
        if pending.contains(where: { !$0.isMulticast }) { set.add(link.news.descriptor) }
    }

    /// - Throws: where the radio is gone.
    func turn(at now: Instant) throws(RadioError) -> [RadioEvent] {
        if let silence = route.silence { throw silence }
        var events: [RadioEvent] = []
        for message in try link.news.takeEvents() { try take(message, at: now, &events) }
        for message in try link.owner.takeEvents() { try take(message, at: now, &events) }
        checkPaths(at: now, &events)
        guard now < watch else {
            throw RadioError(
                .gone, "\(name): \(RadioSwitch.block(of: name) ?? "the kernel reports no discovery windows")")
        }
        return events
    }

    private func take(
        _ message: ArraySlice<UInt8>, at now: Instant, _ events: inout [RadioEvent]
    ) throws(RadioError) {
        let parsed: (device: WirelessDevice, event: WirelessEvent)?
        do throws(WireError) {
            parsed = try WirelessEvent.parse(message)
        } catch {
            malformed += 1
            return
        }
        guard let parsed, parsed.device == device || parsed.device == dataInterface.device else { return }
        switch parsed.event {
        case .clusterJoined(let cluster, let isNew):
            watch = now + Patience.joined
            self.cluster = cluster
            pending.removeAll(keepingCapacity: true)
            events.append(.clusterJoined(cluster, isNew: isNew))
        case .nextWindow(let frequency):
            guard cluster != nil else { return }
            watch = now + Patience.joined
            if frequency == Self.windowFrequency { events.append(.windowDue) }
        case .received(let octets, let signal):
            events.append(.received(ReceivedFrame(octets: octets, signal: signal)))
        case .sent(let kernelCookie, let acknowledged):
            guard let index = pending.firstIndex(where: { $0.kernelCookie == kernelCookie }) else { return }
            events.append(.sent(cookie: pending.remove(at: index).cookie, acknowledged: acknowledged))
        case .interfaceDeleted:
            throw RadioError(
                .gone, "\(name): \(RadioSwitch.block(of: name) ?? "its Wi-Fi Aware device was taken away")")
        case .channelLost(let frequency):
            if let channel, UInt32(channel.frequency) == frequency { events.append(.channelLost) }
        case .unalignedSchedule, .scheduleUpdated:
            unfollowed += 1
        }
    }

    private func checkPaths(at now: Instant, _ events: inout [RadioEvent]) {
        for (address, path) in paths {
            guard let check = path.check, check <= now else { continue }
            let period = TimeUnits.seconds(UInt32(path.peer.idlePeriod))
            let rest = remaining(path)
            if rest == nil { events.append(.dataPathIdle(address)) }
            paths[address]?.check = now + (rest ?? period)
        }
    }

    /// How long the path may still be idle. Nil where that time is over, or where its station is gone.
    private func remaining(_ path: Path) -> TimeUnits? {
        let request = link.requests.describeStation(path.peer.address, at: dataInterface.device)
        guard let reply = (try? link.owner.ask(request))?.first,
            let inactive = try? WirelessReply.inactiveTime(reply)
        else { return nil }
        let period = UInt32(path.peer.idlePeriod) * 1000
        return inactive < period ? TimeUnits.milliseconds(period - inactive) : nil
    }
}
