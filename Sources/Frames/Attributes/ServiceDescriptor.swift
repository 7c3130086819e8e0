public import Wire

/// What a discovery frame is about: a service published, looked for, or written to.
///
/// - Spec: Wi-Fi Aware 4.0, Service Descriptor attribute (SDA), id 0x03.
public struct ServiceDescriptor: Equatable, Sendable {
    public enum Kind: UInt8, Equatable, Sendable {
        case publish = 0
        case subscribe = 1
        case followUp = 2
    }

    public var service: ServiceIdentifier
    /// The sender's instance, never zero.
    public var instance: UInt8
    /// The receiver's instance in answers and follow-ups; zero where it is for everybody.
    public var requestor: UInt8
    public var kind: Kind
    public var isRangeLimited: Bool
    /// Nil where the control field says that there is none. Empty elements match anything.
    public var matchingFilter: [[UInt8]]?
    public var responseFilter: ServiceResponseFilter?
    public var binding: UInt16?
    /// Service-specific information in its old place; nowadays it is in the extension.
    public var information: [UInt8]?

    public init(
        service: ServiceIdentifier, instance: UInt8, requestor: UInt8 = 0, kind: Kind,
        isRangeLimited: Bool = false, matchingFilter: [[UInt8]]? = nil,
        responseFilter: ServiceResponseFilter? = nil, binding: UInt16? = nil, information: [UInt8]? = nil
    ) {
        self.service = service
        self.instance = instance
        self.requestor = requestor
        self.kind = kind
        self.isRangeLimited = isRangeLimited
        self.matchingFilter = matchingFilter
        self.responseFilter = responseFilter
        self.binding = binding
        self.information = information
    }
}

/// The first six octets of the SHA-256 of a service's lower-cased name.
public struct ServiceIdentifier: RawRepresentable, Hashable, Sendable {
    /// The octets as a number below 2⁴⁸, the first in the highest place.
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue & 0xffff_ffff_ffff }

    public var octets: [UInt8] { MACAddress(rawValue: rawValue).octets }
}

/// Who may answer a subscriber.
///
/// - Spec: Wi-Fi Aware 4.0, Service Response Filter (SRF).
public struct ServiceResponseFilter: Equatable, Sendable {
    public enum Members: Equatable, Sendable {
        case addresses([MACAddress])
        /// `index` 0 … 3 chooses the four hash functions.
        case bloom(index: UInt8, bits: [UInt8])
    }

    /// True: only members answer. False: everybody else does.
    public var includes: Bool
    public var members: Members

    public init(includes: Bool, members: Members) {
        self.includes = includes
        self.members = members
    }
}
