public import Crypto
public import Ports
public import Wire

/// A radio of the kernel: its NAN device, driven over nl80211 (Linux 7.3).
///
/// The devices belong to a socket of this program, so that nothing is left of them when it ends, however it ends.
/// Needs CAP_NET_ADMIN. It wakes once a discovery window while idle.
public final class LinuxRadio: Radio {
    /// As in `phy0`. Changes where any radio is wanted, and another takes the place of one that went.
    public private(set) var name: String

    private let wanted: String?
    private let entropy: any Entropy
    private var active: ActiveRadio?
    private var events = EventQueue<RadioEvent>()

    /// - Parameter wanted: the radio's name or number; nil for the first that can be used.
    /// - Throws: where there is none, with the reason in words.
    public init(_ wanted: String?, entropy: any Entropy) throws(RadioError) {
        let found = try RadioSurvey.radio(wanted, bands: .lower)
        name = found.wiphy.name
        self.wanted = wanted
        self.entropy = entropy
    }

    /// A radio that need not be there yet: it is looked for at every start.
    public init(awaiting wanted: String?, entropy: any Entropy) {
        name = wanted ?? "radio"
        self.wanted = wanted
        self.entropy = entropy
    }

    deinit { active?.end() }

    public var deadline: Instant? {
        !events.isEmpty || active?.hasNews == true ? Instant(microseconds: 0) : active?.deadline
    }

    public func addDescriptors(to set: inout DescriptorSet) { active?.addDescriptors(to: &set) }

    public func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        switch request {
        case .start(let configuration): try start(configuration, at: now)
        case .stop: stop()
        case .send, .setLocalSchedule, .addPeer, .setPeerSchedule, .removePeer, .installPairingKey,
            .removePairingKey, .openDataPath, .closeDataPath:
            guard let active else { throw RadioError(.notRunning, "the radio is not started") }
            events.append(contentsOf: try active.perform(request, at: now))
        }
    }

    public func nextEvent(at now: Instant) -> RadioEvent? {
        if events.isEmpty, let active {
            do throws(RadioError) {
                events.append(contentsOf: try active.turn(at: now))
            } catch {
                stop()
                events.append(.stopped(error))
            }
        }
        return events.next()
    }

    private func start(_ configuration: RadioConfiguration, at now: Instant) throws(RadioError) {
        stop()
        try configuration.check()
        let found = try RadioSurvey.radio(wanted, bands: configuration.bands)
        name = found.wiphy.name
        let radio = try ActiveRadio(configuration, on: found.wiphy, found.nan, entropy: entropy, at: now)
        active = radio
        events.append(
            .started(
                dataInterface: radio.dataInterface.address,
                interfaceIdentifier: radio.dataInterface.identifier,
                capabilities: found.nan.capabilities))
    }

    private func stop() {
        active?.end()
        active = nil
        events.removeAll()
    }
}
