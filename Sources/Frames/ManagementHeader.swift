public import Wire

/// The header of an 802.11 management frame: 24 octets, to which the radio adds the sequence number.
///
/// - Spec: 802.11-2020 §9.3.3.1.
public struct ManagementHeader: Equatable, Sendable {
    public struct Subtype: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let beacon = Subtype(rawValue: 8)
        public static let authentication = Subtype(rawValue: 11)
        public static let action = Subtype(rawValue: 13)
    }

    public var subtype: Subtype
    public var isProtected: Bool
    public var isRetry: Bool
    public var receiver: MACAddress
    public var transmitter: MACAddress
    /// Address 3: the cluster.
    public var cluster: MACAddress
    /// 0 … 4095; zero in what we hand to a radio.
    public var sequence: UInt16

    public init(
        subtype: Subtype, receiver: MACAddress, transmitter: MACAddress, cluster: MACAddress,
        isProtected: Bool = false, isRetry: Bool = false, sequence: UInt16 = 0
    ) {
        self.subtype = subtype
        self.isProtected = isProtected
        self.isRetry = isRetry
        self.receiver = receiver
        self.transmitter = transmitter
        self.cluster = cluster
        self.sequence = sequence
    }
}
