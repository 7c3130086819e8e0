/// Whatever carries attributes, and can be asked for one without a switch.
///
/// Where an attribute comes several times, the first counts.
public protocol AttributeCarrier {
    /// In the order of the frame.
    var attributes: [Attribute] { get }
}

extension ActionFrame: AttributeCarrier {}

extension [Attribute]: AttributeCarrier {
    public var attributes: [Attribute] { self }
}

extension AttributeCarrier {
    public var serviceDescriptors: [ServiceDescriptor] {
        all { if case .serviceDescriptor(let value) = $0 { value } else { nil } }
    }
    public var serviceDescriptorExtensions: [ServiceDescriptorExtension] {
        all { if case .serviceDescriptorExtension(let value) = $0 { value } else { nil } }
    }
    /// One for each map of the device.
    public var availabilities: [Availability] {
        all { if case .availability(let value) = $0 { value } else { nil } }
    }
    public var dataClusters: [DataCluster] {
        all { if case .dataCluster(let value) = $0 { value } else { nil } }
    }

    /// What belongs to the descriptor of this instance.
    public func serviceDescriptorExtension(ofInstance instance: UInt8) -> ServiceDescriptorExtension? {
        serviceDescriptorExtensions.first { $0.instance == instance }
    }

    public var masterIndication: MasterIndication? {
        first { if case .masterIndication(let value) = $0 { value } else { nil } }
    }
    public var cluster: ClusterAttribute? {
        first { if case .cluster(let value) = $0 { value } else { nil } }
    }
    public var deviceCapability: DeviceCapability? {
        first { if case .deviceCapability(let value) = $0 { value } else { nil } }
    }
    public var deviceCapabilityExtension: DeviceCapabilityExtension? {
        first { if case .deviceCapabilityExtension(let value) = $0 { value } else { nil } }
    }
    public var availability: Availability? {
        first { if case .availability(let value) = $0 { value } else { nil } }
    }
    public var dataPath: DataPathAttribute? {
        first { if case .dataPath(let value) = $0 { value } else { nil } }
    }
    public var dataPathExtension: DataPathExtension? {
        first { if case .dataPathExtension(let value) = $0 { value } else { nil } }
    }
    public var dataCluster: DataCluster? {
        first { if case .dataCluster(let value) = $0 { value } else { nil } }
    }
    public var dataLink: DataLink? {
        first { if case .dataLink(let value) = $0 { value } else { nil } }
    }
    public var dataLinkQoS: DataLinkQoS? {
        first { if case .dataLinkQoS(let value) = $0 { value } else { nil } }
    }
    public var unalignedSchedule: UnalignedSchedule? {
        first { if case .unalignedSchedule(let value) = $0 { value } else { nil } }
    }
    public var publicAvailability: PublicAvailability? {
        first { if case .publicAvailability(let value) = $0 { value } else { nil } }
    }
    public var elementContainer: ElementContainer? {
        first { if case .elementContainer(let value) = $0 { value } else { nil } }
    }
    public var cipherSuites: CipherSuiteInformation? {
        first { if case .cipherSuiteInformation(let value) = $0 { value } else { nil } }
    }
    public var securityContext: SecurityContextInformation? {
        first { if case .securityContextInformation(let value) = $0 { value } else { nil } }
    }
    public var sharedKeyDescriptor: SharedKeyDescriptor? {
        first { if case .sharedKeyDescriptor(let value) = $0 { value } else { nil } }
    }
    public var identityResolution: IdentityResolution? {
        first { if case .identityResolution(let value) = $0 { value } else { nil } }
    }
    public var pairingBootstrapping: PairingBootstrapping? {
        first { if case .pairingBootstrapping(let value) = $0 { value } else { nil } }
    }

    private func first<Body>(_ body: (Attribute) -> Body?) -> Body? {
        for attribute in attributes {
            if let found = body(attribute) { return found }
        }
        return nil
    }

    private func all<Body>(_ body: (Attribute) -> Body?) -> [Body] {
        var found: [Body] = []
        for attribute in attributes {
            if let value = body(attribute) { found.append(value) }
        }
        return found
    }
}
