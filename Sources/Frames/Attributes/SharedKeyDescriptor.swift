import Wire

/// A key descriptor in the layout of EAPOL-Key: messages M1 to M4, and the exchange of identity keys.
///
/// Two layouts of the identity key exchange are on the air: phones leave room for a MIC of 16 octets, hostap does
/// not (facts: an accessory must read both). The reader tells them apart by which data length fits.
///
/// - Spec: Wi-Fi Aware 4.0, NAN Shared Key Descriptor attribute, id 0x24; 802.11-2020 §12.7.2.
public struct SharedKeyDescriptor: Equatable, Sendable {
    public struct Info: OptionSet, Sendable {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public static let pairwise = Info(rawValue: 1 << 3)
        public static let install = Info(rawValue: 1 << 6)
        public static let acknowledge = Info(rawValue: 1 << 7)
        public static let mic = Info(rawValue: 1 << 8)
        public static let secure = Info(rawValue: 1 << 9)
        public static let encrypted = Info(rawValue: 1 << 12)
    }

    public var publish: UInt8
    /// 2: RSN.
    public var descriptor: UInt8
    public var info: Info
    public var keyLength: UInt16
    public var replayCounter: UInt64
    /// 32 octets.
    public var nonce: [UInt8]
    /// 16 octets.
    public var iv: [UInt8]
    /// The receive sequence counter, 8 octets.
    public var sequenceCounter: [UInt8]
    /// 8 octets.
    public var identifier: [UInt8]
    /// 0, 16 or 24 octets; zeros while it is being computed.
    public var mic: [UInt8]
    /// Wrapped with the key-encrypting key where `info` says encrypted.
    public var data: [UInt8]

    public init(
        publish: UInt8, descriptor: UInt8 = 2, info: Info, keyLength: UInt16, replayCounter: UInt64,
        nonce: [UInt8] = .init(repeating: 0, count: 32), iv: [UInt8] = .init(repeating: 0, count: 16),
        sequenceCounter: [UInt8] = .init(repeating: 0, count: 8),
        identifier: [UInt8] = .init(repeating: 0, count: 8), mic: [UInt8], data: [UInt8] = []
    ) {
        self.publish = publish
        self.descriptor = descriptor
        self.info = info
        self.keyLength = keyLength
        self.replayCounter = replayCounter
        self.nonce = nonce
        self.iv = iv
        self.sequenceCounter = sequenceCounter
        self.identifier = identifier
        self.mic = mic
        self.data = data
    }
}
