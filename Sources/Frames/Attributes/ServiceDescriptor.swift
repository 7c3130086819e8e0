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
    /// Bit 7 of the control field, which means nothing yet.
    public var isReservedBitSet: Bool
    /// Nil where the control field says that there is none. Empty elements match anything.
    public var matchingFilter: [[UInt8]]?
    public var responseFilter: ServiceResponseFilter?
    public var binding: UInt16?
    /// Service-specific information in its old place; nowadays it is in the extension.
    public var information: [UInt8]?

    public init(
        service: ServiceIdentifier, instance: UInt8, requestor: UInt8 = 0, kind: Kind,
        isRangeLimited: Bool = false, isReservedBitSet: Bool = false, matchingFilter: [[UInt8]]? = nil,
        responseFilter: ServiceResponseFilter? = nil, binding: UInt16? = nil, information: [UInt8]? = nil
    ) {
        self.service = service
        self.instance = instance
        self.requestor = requestor
        self.kind = kind
        self.isRangeLimited = isRangeLimited
        self.isReservedBitSet = isReservedBitSet
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
        /// `bits` are never empty.
        case bloom(index: UInt8, bits: [UInt8])
    }

    /// True: only members answer. False: everybody else does.
    public var includes: Bool
    public var members: Members
    /// The bits of the control field that mean nothing yet: 4 to 7, and for addresses 2 and 3.
    public var reserved: UInt8

    public init(includes: Bool, members: Members, reserved: UInt8 = 0) {
        self.includes = includes
        self.members = members
        self.reserved = reserved
    }
}

// MARK: Octets
//
//   service (6) | instance (1) | requestor (1) | control (1) | [binding (2)] |
//   [filter length (1) | [length (1) | value] …] | [SRF length (1) | SRF] | [information length (1) | information]
//
//   SRF: reserved (4 bits), Bloom index (2), include (1), Bloom instead of addresses (1) | bits or addresses

extension ServiceDescriptor {
    private enum Control {
        static let kind: UInt8 = 0b11
        static let matchingFilter: UInt8 = 1 << 2
        static let responseFilter: UInt8 = 1 << 3
        static let information: UInt8 = 1 << 4
        static let rangeLimited: UInt8 = 1 << 5
        static let binding: UInt8 = 1 << 6
        static let reserved: UInt8 = 1 << 7
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        service = ServiceIdentifier(rawValue: try body.address("service identifier").rawValue)
        instance = try body.octet("service instance")
        requestor = try body.octet("requestor instance")
        let control = try body.octet("service control")
        guard let kind = Kind(rawValue: control & Control.kind) else {
            throw .unexpected("service control", value: UInt64(control))
        }
        self.kind = kind
        isRangeLimited = control & Control.rangeLimited != 0
        isReservedBitSet = control & Control.reserved != 0

        binding = control & Control.binding != 0 ? try body.number16("binding bitmap") : nil
        matchingFilter = nil
        if control & Control.matchingFilter != 0 {
            let count = Int(try body.octet("matching filter's length"))
            matchingFilter = try Self.filter(parsing: try body.slice(count, "matching filter"))
        }
        responseFilter = nil
        if control & Control.responseFilter != 0 {
            let count = Int(try body.octet("service response filter's length"))
            responseFilter = try ServiceResponseFilter(
                parsing: try body.slice(count, "service response filter"))
        }
        information = nil
        if control & Control.information != 0 {
            let count = Int(try body.octet("service information's length"))
            information = try body.octets(count, "service information")
        }
        try body.end("service descriptor")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octets(service.octets)
        frame.octet(instance)
        frame.octet(requestor)
        frame.octet(control)
        if let binding { frame.number16(binding) }
        if let matchingFilter {
            frame.measured8("matching filter") { frame in
                for element in matchingFilter {
                    frame.measured8("matching filter's element") { $0.octets(element) }
                }
            }
        }
        if let responseFilter {
            frame.measured8("service response filter") { responseFilter.write(into: &$0) }
        }
        if let information { frame.measured8("service information") { $0.octets(information) } }
    }

    private var control: UInt8 {
        var control = kind.rawValue
        if matchingFilter != nil { control |= Control.matchingFilter }
        if responseFilter != nil { control |= Control.responseFilter }
        if information != nil { control |= Control.information }
        if isRangeLimited { control |= Control.rangeLimited }
        if binding != nil { control |= Control.binding }
        if isReservedBitSet { control |= Control.reserved }
        return control
    }

    private static func filter(parsing body: consuming FrameReader) throws(WireError) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        while body.remaining > 0 {
            let count = Int(try body.octet("matching filter element's length"))
            elements.append(try body.octets(count, "matching filter's element"))
        }
        return elements
    }
}

extension ServiceResponseFilter {
    private enum Control {
        static let bloom: UInt8 = 1 << 0
        static let includes: UInt8 = 1 << 1
        static let index: UInt8 = 0b1100
    }

    init(parsing body: consuming FrameReader) throws(WireError) {
        let control = try body.octet("service response filter's control")
        includes = control & Control.includes != 0
        if control & Control.bloom != 0 {
            reserved = control & ~(Control.bloom | Control.includes | Control.index)
            guard body.remaining > 0 else { throw .tooShort(for: "Bloom filter", missing: 1) }
            members = .bloom(index: (control & Control.index) >> 2, bits: body.rest())
        } else {
            reserved = control & ~(Control.bloom | Control.includes)
            var addresses: [MACAddress] = []
            while body.remaining > 0 {
                addresses.append(try body.address("service response filter's address"))
            }
            members = .addresses(addresses)
        }
    }

    func write(into frame: inout FrameWriter) {
        let include = includes ? Control.includes : 0
        switch members {
        case .bloom(let index, let bits):
            guard index < 4 else {
                return frame.fail(.unexpected("Bloom filter's index", value: UInt64(index)))
            }
            let reserved = reserved & ~(Control.bloom | Control.includes | Control.index)
            frame.octet(Control.bloom | include | index << 2 | reserved)
            frame.octets(bits)
        case .addresses(let addresses):
            frame.octet(include | reserved & ~(Control.bloom | Control.includes))
            for address in addresses { frame.address(address) }
        }
    }
}
