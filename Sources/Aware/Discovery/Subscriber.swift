public import Frames
public import Wire

/// A publication of another device, as far as its frames tell.
public struct Discovery: Equatable, Sendable {
    public var service: ServiceIdentifier
    public var publisher: MACAddress
    /// The publisher's number for the publication, 1 to 255.
    public var instance: UInt8
    /// Of the service; nil where its frames do not tell.
    public var port: UInt16?
    public var transport: GenericService.Transport?
    /// Known while the publisher's pairing is on.
    public var information: PairingInformation?
    /// By which those that are paired with the publisher recognise it; nil where it sent none.
    public var identity: IdentityResolution?
    public var canPair: Bool
    public var capability: DeviceCapability?
    /// One for each map of the device.
    public var availabilities: [Availability]
    /// In dBm.
    public var signal: Int8
    public var lastHeard: Instant
}

/// Looks for services: listens, and in active mode asks in every discovery window.
///
/// - Spec: Wi-Fi Aware 4.0, subscribe function.
public struct Subscriber: Sendable {
    /// A service that is looked for, and who may answer.
    public struct Subscription: Equatable, Sendable {
        public var service: ServiceIdentifier
        public var instance: UInt8
        public var matchingFilter: [[UInt8]]?
        public var responseFilter: ServiceResponseFilter?

        public init(
            service: ServiceIdentifier, instance: UInt8, matchingFilter: [[UInt8]]? = nil,
            responseFilter: ServiceResponseFilter? = nil
        ) {
            self.service = service
            self.instance = instance
            self.matchingFilter = matchingFilter
            self.responseFilter = responseFilter
        }
    }

    /// Publications kept at once; the one heard longest ago makes room.
    public static let capacity = 64
    /// A publisher that is silent for so long is gone.
    public static let memory = TimeUnits.seconds(15)

    public var subscriptions: [Subscription]
    /// Whether to ask; otherwise only unsolicited publications are found.
    public var isActive: Bool
    /// Whether publications of services nobody subscribed to are kept as well.
    public var isPromiscuous: Bool
    /// What was heard of late, at most ``capacity``.
    public private(set) var discoveries: [Discovery] = []

    public init(subscriptions: [Subscription], isActive: Bool = true, isPromiscuous: Bool = false) {
        self.subscriptions = subscriptions
        self.isActive = isActive
        self.isPromiscuous = isPromiscuous
    }

    /// When the oldest publication is forgotten.
    public var deadline: Instant? {
        var earliest: Instant?
        for discovery in discoveries {
            earliest = Instant.earliest(earliest, discovery.lastHeard + Self.memory)
        }
        return earliest
    }

    /// Questions for everybody in the next discovery window, as attributes each.
    public func questions(from station: StationProfile, identity: IdentityResolution) -> [[Attribute]] {
        guard isActive else { return [] }
        var frames: [[Attribute]] = []
        for subscription in subscriptions {
            let descriptor = ServiceDescriptor(
                service: subscription.service, instance: subscription.instance, kind: .subscribe,
                matchingFilter: subscription.matchingFilter, responseFilter: subscription.responseFilter)
            frames.append(
                [.serviceDescriptor(descriptor)] + station.common(identity))
        }
        return frames
    }

    /// Takes the publications in a frame in, and returns those that are new or changed.
    public mutating func receive(
        _ frame: ActionFrame, from publisher: MACAddress, signal: Int8, at now: Instant
    ) -> [Discovery] {
        var news: [Discovery] = []
        for descriptor in frame.serviceDescriptors where descriptor.kind == .publish && isWanted(descriptor) {
            let discovery = Self.discovery(descriptor, in: frame, from: publisher, signal: signal, at: now)
            if remember(discovery) { news.append(discovery) }
        }
        return news
    }

    /// Forgets publications that were not heard for ``memory``.
    public mutating func advance(to now: Instant) {
        discoveries.removeAll { $0.lastHeard + Self.memory <= now }
    }

    private func isWanted(_ descriptor: ServiceDescriptor) -> Bool {
        if isPromiscuous { return true }
        return subscriptions.contains {
            $0.service == descriptor.service
                && Matching.accepts(subscriber: $0.matchingFilter, publisher: descriptor.matchingFilter)
        }
    }

    /// Whether it is news to the person who looks.
    private mutating func remember(_ discovery: Discovery) -> Bool {
        let known = discoveries.firstIndex {
            $0.publisher == discovery.publisher && $0.instance == discovery.instance
                && $0.service == discovery.service
        }
        if let known {
            let old = discoveries[known]
            discoveries[known] = discovery
            return old.information != discovery.information || old.canPair != discovery.canPair
                || old.port != discovery.port || old.identity != discovery.identity
        }
        if discoveries.count >= Self.capacity {
            var oldest = discoveries.startIndex
            for index in discoveries.indices
            where discoveries[index].lastHeard < discoveries[oldest].lastHeard {
                oldest = index
            }
            discoveries.remove(at: oldest)
        }
        discoveries.append(discovery)
        return true
    }

    private static func discovery(
        _ descriptor: ServiceDescriptor, in frame: ActionFrame, from publisher: MACAddress, signal: Int8,
        at now: Instant
    ) -> Discovery {
        var generic: GenericService?
        for extended in frame.serviceDescriptorExtensions where extended.instance == descriptor.instance {
            if case .generic(let service)? = extended.information?.content { generic = service }
        }
        let capabilities = frame.deviceCapabilityExtension?.pairing ?? []
        return Discovery(
            service: descriptor.service, publisher: publisher, instance: descriptor.instance,
            port: generic?.port, transport: generic?.transport,
            information: generic?.text.isEmpty == false ? generic?.pairing : nil,
            identity: frame.identityResolution, canPair: capabilities.contains(.setup),
            capability: frame.deviceCapability, availabilities: frame.availabilities, signal: signal,
            lastHeard: now)
    }
}
