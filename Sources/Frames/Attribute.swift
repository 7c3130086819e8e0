public import Wire

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

// MARK: Octets
//
//   id (1) | length (2) | body

extension Attribute {
    public var id: AttributeID {
        switch self {
        case .masterIndication: .masterIndication
        case .cluster: .cluster
        case .serviceDescriptor: .serviceDescriptor
        case .serviceDescriptorExtension: .serviceDescriptorExtension
        case .deviceCapability: .deviceCapability
        case .dataPath: .dataPath
        case .availability: .availability
        case .dataCluster: .dataCluster
        case .dataLink: .dataLink
        case .dataLinkQoS: .dataLinkQoS
        case .unalignedSchedule: .unalignedSchedule
        case .elementContainer: .elementContainer
        case .cipherSuiteInformation: .cipherSuiteInformation
        case .securityContextInformation: .securityContextInformation
        case .sharedKeyDescriptor: .sharedKeyDescriptor
        case .publicAvailability: .publicAvailability
        case .dataPathExtension: .dataPathExtension
        case .deviceCapabilityExtension: .deviceCapabilityExtension
        case .identityResolution: .identityResolution
        case .pairingBootstrapping: .pairingBootstrapping
        case .vendorSpecific: .vendorSpecific
        case .unknown(let id, _): id
        }
    }

    /// Reads one attribute and leaves the reader at the next.
    public init(parsing frame: inout FrameReader) throws(WireError) {
        let id = AttributeID(rawValue: try frame.octet("attribute id"))
        let count = Int(try frame.number16("attribute length"))
        var body = try frame.slice(count, "attribute body")
        switch id {
        case .masterIndication: self = .masterIndication(try .init(parsing: body))
        case .cluster: self = .cluster(try .init(parsing: body))
        case .serviceDescriptor: self = .serviceDescriptor(try .init(parsing: body))
        case .serviceDescriptorExtension: self = .serviceDescriptorExtension(try .init(parsing: body))
        case .deviceCapability: self = .deviceCapability(try .init(parsing: body))
        case .dataPath: self = .dataPath(try .init(parsing: body))
        case .availability: self = .availability(try .init(parsing: body))
        case .dataCluster: self = .dataCluster(try .init(parsing: body))
        case .dataLink: self = .dataLink(try .init(parsing: body))
        case .dataLinkQoS: self = .dataLinkQoS(try .init(parsing: body))
        case .unalignedSchedule: self = .unalignedSchedule(try .init(parsing: body))
        case .elementContainer: self = .elementContainer(try .init(parsing: body))
        case .cipherSuiteInformation: self = .cipherSuiteInformation(try .init(parsing: body))
        case .securityContextInformation: self = .securityContextInformation(try .init(parsing: body))
        case .sharedKeyDescriptor: self = .sharedKeyDescriptor(try .init(parsing: body))
        case .publicAvailability: self = .publicAvailability(try .init(parsing: body))
        case .dataPathExtension: self = .dataPathExtension(try .init(parsing: body))
        case .deviceCapabilityExtension where count < DeviceCapabilityExtension.leastCount:
            // A device from before pairing says nothing of it: known, but not in this form.
            self = .unknown(id, body.rest())
        case .deviceCapabilityExtension: self = .deviceCapabilityExtension(try .init(parsing: body))
        case .identityResolution: self = .identityResolution(try .init(parsing: body))
        case .pairingBootstrapping: self = .pairingBootstrapping(try .init(parsing: body))
        case .vendorSpecific: self = .vendorSpecific(try .init(parsing: body))
        default: self = .unknown(id, body.rest())
        }
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(id.rawValue)
        frame.measured16("attribute") { writeBody(into: &$0) }
    }

    private func writeBody(into frame: inout FrameWriter) {
        switch self {
        case .masterIndication(let body): body.write(into: &frame)
        case .cluster(let body): body.write(into: &frame)
        case .serviceDescriptor(let body): body.write(into: &frame)
        case .serviceDescriptorExtension(let body): body.write(into: &frame)
        case .deviceCapability(let body): body.write(into: &frame)
        case .dataPath(let body): body.write(into: &frame)
        case .availability(let body): body.write(into: &frame)
        case .dataCluster(let body): body.write(into: &frame)
        case .dataLink(let body): body.write(into: &frame)
        case .dataLinkQoS(let body): body.write(into: &frame)
        case .unalignedSchedule(let body): body.write(into: &frame)
        case .elementContainer(let body): body.write(into: &frame)
        case .cipherSuiteInformation(let body): body.write(into: &frame)
        case .securityContextInformation(let body): body.write(into: &frame)
        case .sharedKeyDescriptor(let body): body.write(into: &frame)
        case .publicAvailability(let body): body.write(into: &frame)
        case .dataPathExtension(let body): body.write(into: &frame)
        case .deviceCapabilityExtension(let body): body.write(into: &frame)
        case .identityResolution(let body): body.write(into: &frame)
        case .pairingBootstrapping(let body): body.write(into: &frame)
        case .vendorSpecific(let body): body.write(into: &frame)
        case .unknown(_, let octets): frame.octets(octets)
        }
    }
}
