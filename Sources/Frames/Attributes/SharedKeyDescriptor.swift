public import Wire

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

// MARK: Octets
//
//   publish (1) | descriptor (1) | info (2) | key length (2) | replay counter (8) | nonce (32) | iv (16) |
//   sequence counter (8) | identifier (8) | MIC (0, 16, 24) | data length (2) | data
//
//   Numbers: most significant octet first.

extension SharedKeyDescriptor {
    /// From the start of the attribute's body to the MIC.
    private static let countBeforeMIC = 78

    public init(parsing body: consuming FrameReader) throws(WireError) {
        publish = try body.octet("key descriptor's publish id")
        descriptor = try body.octet("key descriptor's type")
        info = Info(rawValue: try body.bigEndian16("key information"))
        keyLength = try body.bigEndian16("key length")
        replayCounter = try body.bigEndian64("key replay counter")
        nonce = try body.octets(32, "key nonce")
        iv = try body.octets(16, "key IV")
        sequenceCounter = try body.octets(8, "key sequence counter")
        identifier = try body.octets(8, "key identifier")

        let tail = body.rest()
        guard let count = Self.countOfMIC(in: tail, isUsed: info.contains(.mic)) else {
            throw .unexpected("key data length", value: UInt64(tail.count))
        }
        mic = [UInt8](tail[..<count])
        data = [UInt8](tail[(count + 2)...])
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(publish)
        frame.octet(descriptor)
        frame.bigEndian16(info.rawValue)
        frame.bigEndian16(keyLength)
        frame.bigEndian64(replayCounter)
        frame.octets(nonce, exactly: 32, "key nonce")
        frame.octets(iv, exactly: 16, "key IV")
        frame.octets(sequenceCounter, exactly: 8, "key sequence counter")
        frame.octets(identifier, exactly: 8, "key identifier")
        guard [0, 16, 24].contains(mic.count) else {
            return frame.fail(.unexpected("key MIC length", value: UInt64(mic.count)))
        }
        frame.octets(mic)
        let excess = data.count - Int(UInt16.max)
        guard excess <= 0 else { return frame.fail(.tooLong("key data", by: excess)) }
        frame.bigEndian16(UInt16(data.count))
        frame.octets(data)
    }

    /// Where the MIC of the first key descriptor lies in an action frame's body; nil where there is none.
    public static func micRange(inBodyOf octets: [UInt8]) -> Range<Int>? {
        (try? locateMIC(in: octets)) ?? nil
    }

    private static func locateMIC(in octets: [UInt8]) throws(WireError) -> Range<Int>? {
        var frame = FrameReader(octets.span.bytes)
        _ = try ActionFrame.head(parsing: &frame)
        while frame.remaining > 0 {
            let id = AttributeID(rawValue: try frame.octet("attribute id"))
            let count = Int(try frame.number16("attribute length"))
            let start = octets.count - frame.remaining + countBeforeMIC
            let body = try frame.slice(count, "attribute body")
            guard id == .sharedKeyDescriptor else { continue }
            let mic = try SharedKeyDescriptor(parsing: body).mic.count
            return mic == 0 ? nil : start..<start + mic
        }
        return nil
    }

    /// How long the MIC is, if the data length after it is to fit.
    ///
    /// An unused MIC is zeros, which no data length can be that leaves room for it: without one is tried first.
    /// With a used one it never is.
    private static func countOfMIC(in tail: [UInt8], isUsed: Bool) -> Int? {
        // Not a loop over one of two literals: in the Embedded build of Swift 6.3 it passed over the 0.
        if !isUsed, isCountOfMIC(0, in: tail) { return 0 }
        if isCountOfMIC(16, in: tail) { return 16 }
        if isCountOfMIC(24, in: tail) { return 24 }
        return nil
    }

    /// Whether the length of the key data after so many octets is that of the rest.
    private static func isCountOfMIC(_ count: Int, in tail: [UInt8]) -> Bool {
        guard count + 2 <= tail.count else { return false }
        return Int(tail[count]) << 8 | Int(tail[count + 1]) == tail.count - count - 2
    }
}
