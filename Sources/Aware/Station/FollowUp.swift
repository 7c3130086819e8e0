public import Frames
import Wire

extension StationProfile {
    /// What every discovery frame of the station carries besides its purpose.
    func common(_ identity: IdentityResolution) -> [Attribute] {
        [
            .deviceCapability(deviceCapability),
            .availability(availabilityAttribute),
            .deviceCapabilityExtension(deviceCapabilityExtension),
            .identityResolution(identity),
        ]
    }
}

/// A message between a publisher and a subscriber that have found each other.
///
/// - Spec: Wi-Fi Aware 4.0, follow-up message.
public struct FollowUp: Equatable, Sendable {
    /// Whom it is about: the service, the sender's instance, the receiver's.
    public struct Context: Equatable, Sendable {
        public var service: ServiceIdentifier
        public var own: UInt8
        public var peer: UInt8

        public init(service: ServiceIdentifier, own: UInt8, peer: UInt8) {
            self.service = service
            self.own = own
            self.peer = peer
        }
    }

    public var context: Context
    /// Names of the sender, in a request to pair.
    public var information: PairingInformation?
    /// What it is for: bootstrapping, or an exchange of identity keys.
    public var purpose: Attribute

    public init(context: Context, information: PairingInformation? = nil, purpose: Attribute) {
        self.context = context
        self.information = information
        self.purpose = purpose
    }

    /// The frame, encrypted with the pairing key or not.
    public func frame(
        from station: StationProfile, identity: IdentityResolution, isProtected: Bool
    ) -> ActionFrame {
        var items: [GenericService.Item] = []
        if let information { items.append(.text(information.text)) }
        let attributes: [Attribute] =
            [
                .serviceDescriptor(
                    ServiceDescriptor(
                        service: context.service, instance: context.own, requestor: context.peer,
                        kind: .followUp)),
                .serviceDescriptorExtension(
                    ServiceDescriptorExtension(
                        instance: context.own, control: [],
                        information: ServiceInformation(content: .generic(GenericService(items: items))))),
            ] + station.common(identity) + [purpose]
        return ActionFrame(kind: .serviceDiscovery, isProtectedDual: isProtected, attributes: attributes)
    }
}
