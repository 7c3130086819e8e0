/// CCMP-128: how 802.11 encrypts the body of a frame with AES-CCM. Management frames, and data frames of three addresses
/// with or without QoS control.
///
/// Whoever seals never uses a packet number twice with a key, and whoever opens refuses those that came before: that is
/// theirs to see to.
///
/// - Spec: 802.11-2020 §12.5.3.
public enum CCMP {
    public static let keyCount = 16
    public static let lastPacketNumber: UInt64 = 0xffff_ffff_ffff

    /// What stands between the frame's header and its encrypted body.
    private static let headCount = 8
    private static let hasExtendedNumber: UInt8 = 0x20
    /// A frame with QoS control has two octets more.
    private static let plainHeadCount = 24

    /// The frame with its body encrypted behind a header that says so.
    ///
    /// - Parameter headCount: where the frame's body begins: 24, or 26 with QoS control.
    public static func seal(
        _ frame: [UInt8], headCount: Int, packetNumber: UInt64, key: borrowing Secret
    ) -> [UInt8] {
        let number = octets(ofPacketNumber: packetNumber)
        var sealed = [UInt8](frame[..<headCount])
        sealed[1] |= Flag.protected
        let additional = additionalData(of: sealed, headCount: headCount)
        let nonce = nonce(of: sealed, headCount: headCount, packetNumber: number)
        sealed += [number[5], number[4], 0, hasExtendedNumber, number[3], number[2], number[1], number[0]]
        sealed += AESCCM.seal(
            [UInt8](frame[headCount...]), nonce: nonce, additionalData: additional, key: key)
        return sealed
    }

    /// The packet number that an encrypted frame claims. Nil where the frame is too short, or its CCMP header is none:
    /// of another key than 0, say.
    public static func packetNumber(of frame: [UInt8], headCount: Int) -> UInt64? {
        guard frame.count >= headCount + Self.headCount + AESCCM.tagCount,
            frame[headCount + 3] == hasExtendedNumber
        else { return nil }
        return numberOctets(in: frame, headCount: headCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The plain frame behind a header that still says "protected". Nil where it was changed on the way, or encrypted
    /// with another key.
    public static func open(_ frame: [UInt8], headCount: Int, key: borrowing Secret) -> [UInt8]? {
        guard packetNumber(of: frame, headCount: headCount) != nil else { return nil }
        let number = numberOctets(in: frame, headCount: headCount)
        let plain = AESCCM.open(
            [UInt8](frame[(headCount + Self.headCount)...]),
            nonce: nonce(of: frame, headCount: headCount, packetNumber: number),
            additionalData: additionalData(of: frame, headCount: headCount), key: key)
        guard let plain else { return nil }
        return [UInt8](frame[..<headCount]) + plain
    }

    public static func isData(_ frame: [UInt8]) -> Bool { frame[0] & 0x0c == 0x08 }

    /// Bits of the second octet of a frame.
    private enum Flag {
        static let retry: UInt8 = 0x08
        static let powerManagement: UInt8 = 0x10
        static let moreData: UInt8 = 0x20
        static let protected: UInt8 = 0x40
        static let order: UInt8 = 0x80
    }

    /// What may not change on the way: the header without what retransmission and the hardware change.
    ///
    /// - Spec: 802.11-2020 §12.5.3.3.3.
    private static func additionalData(of frame: [UInt8], headCount: Int) -> [UInt8] {
        let hasQoS = headCount > plainHeadCount
        let control = isData(frame) ? frame[0] & 0x8f : frame[0]
        var masked = Flag.retry | Flag.powerManagement | Flag.moreData
        if hasQoS { masked |= Flag.order }
        var octets = [control, frame[1] & ~masked | Flag.protected]
        octets += frame[4..<22]
        octets += [frame[22] & 0x0f, 0]
        if hasQoS { octets += [frame[24] & 0x0f, 0] }
        return octets
    }

    /// - Spec: 802.11-2020 §12.5.3.3.4: the priority, the management flag, the transmitter and the number.
    private static func nonce(of frame: [UInt8], headCount: Int, packetNumber: [UInt8]) -> [UInt8] {
        let priority = headCount > plainHeadCount ? frame[24] & 0x0f : 0
        let flags: UInt8 = isData(frame) ? priority : 0x10
        return [flags] + frame[10..<16] + packetNumber
    }

    /// Most significant first, as the nonce has them.
    private static func octets(ofPacketNumber number: UInt64) -> [UInt8] {
        [40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }

    private static func numberOctets(in frame: [UInt8], headCount: Int) -> [UInt8] {
        [7, 6, 5, 4, 1, 0].map { frame[headCount + $0] }
    }
}
