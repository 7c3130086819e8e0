import Wire

/// A NAN attribute: id, length, body. What we do not know is kept and passed over.
///
/// - Spec: Wi-Fi Aware 4.0, NAN attributes.
public enum Attribute: Equatable, Sendable {
    case masterIndication(MasterIndication)
    case cluster(ClusterAttribute)
    case serviceDescriptor(ServiceDescriptor)
    case serviceDescriptorExtension(ServiceDescriptorExtension)
    case deviceCapability(DeviceCapability)
    case dataPath(DataPathAttribute)
    case availability(Availability)
    case dataCluster(DataCluster)
    case dataLink(DataLink)
    case dataLinkQoS(DataLinkQoS)
    case unalignedSchedule(UnalignedSchedule)
    case elementContainer(ElementContainer)
    case cipherSuiteInformation(CipherSuiteInformation)
    case securityContextInformation(SecurityContextInformation)
    case sharedKeyDescriptor(SharedKeyDescriptor)
    case publicAvailability(PublicAvailability)
    case dataPathExtension(DataPathExtension)
    case deviceCapabilityExtension(DeviceCapabilityExtension)
    case identityResolution(IdentityResolution)
    case pairingBootstrapping(PairingBootstrapping)
    case vendorSpecific(VendorSpecificAttribute)
    case unknown(AttributeID, [UInt8])
}

public struct AttributeID: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let masterIndication = AttributeID(rawValue: 0x00)
    public static let cluster = AttributeID(rawValue: 0x01)
    public static let serviceDescriptor = AttributeID(rawValue: 0x03)
    public static let serviceDescriptorExtension = AttributeID(rawValue: 0x0e)
    public static let deviceCapability = AttributeID(rawValue: 0x0f)
    public static let dataPath = AttributeID(rawValue: 0x10)
    public static let availability = AttributeID(rawValue: 0x12)
    public static let dataCluster = AttributeID(rawValue: 0x13)
    public static let dataLink = AttributeID(rawValue: 0x14)
    public static let dataLinkQoS = AttributeID(rawValue: 0x15)
    public static let unalignedSchedule = AttributeID(rawValue: 0x17)
    public static let elementContainer = AttributeID(rawValue: 0x1d)
    public static let cipherSuiteInformation = AttributeID(rawValue: 0x22)
    public static let securityContextInformation = AttributeID(rawValue: 0x23)
    public static let sharedKeyDescriptor = AttributeID(rawValue: 0x24)
    public static let publicAvailability = AttributeID(rawValue: 0x27)
    public static let dataPathExtension = AttributeID(rawValue: 0x29)
    public static let deviceCapabilityExtension = AttributeID(rawValue: 0x2a)
    public static let identityResolution = AttributeID(rawValue: 0x2b)
    public static let pairingBootstrapping = AttributeID(rawValue: 0x2c)
    public static let vendorSpecific = AttributeID(rawValue: 0xdd)
}
