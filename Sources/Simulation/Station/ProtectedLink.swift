import Crypto
import Wire

/// The frames between two interfaces that share a key: CCMP-128 with its packet numbers.
///
/// - Spec: 802.11-2020 §12.5.3.
struct ProtectedLink {
    enum Refusal: Error, Equatable {
        case tooShort
        /// Another key than 0, or a header that is not CCMP's.
        case otherKey
        case replayed
        /// Changed on the way, or encrypted with another key.
        case notAuthentic
    }

    static let keyCount = 16
    private static let headCount = 8
    private static let hasExtendedNumber: UInt8 = 0x20
    private static let lastPacketNumber: UInt64 = 0xffff_ffff_ffff

    let key: Key
    private var sent: UInt64 = 0
    /// Management and data frames are counted apart: each kind arrives in its own order.
    private var receivedManagement: UInt64 = 0
    private var receivedData: UInt64 = 0

    init(key: Key) {
        self.key = key
    }

    /// The frame with its body encrypted. Nil once the packet numbers are used up.
    mutating func seal(_ frame: [UInt8], headCount: Int) -> [UInt8]? {
        guard sent < Self.lastPacketNumber, frame.count >= headCount else { return nil }
        sent += 1
        return seal(frame, headCount: headCount, packetNumber: sent)
    }

    func seal(_ frame: [UInt8], headCount: Int, packetNumber: UInt64) -> [UInt8] {
        let number = Self.octets(ofPacketNumber: packetNumber)
        var sealed = [UInt8](frame[..<headCount])
        sealed[1] |= FrameFlags.protected
        let additional = Self.additionalData(of: sealed, headCount: headCount)
        let nonce = Self.nonce(of: sealed, headCount: headCount, packetNumber: number)
        sealed += [
            number[5], number[4], 0, Self.hasExtendedNumber, number[3], number[2], number[1], number[0],
        ]
        sealed += AESCCM.seal(
            [UInt8](frame[headCount...]), nonce: nonce, additionalData: additional, key: key.secret)
        return sealed
    }

    /// The plain frame behind a header that still says "protected".
    mutating func open(_ frame: [UInt8], headCount: Int) throws(Refusal) -> [UInt8] {
        let bodyStart = headCount + Self.headCount
        guard frame.count >= bodyStart + AESCCM.tagCount else { throw .tooShort }
        guard frame[headCount + 3] == Self.hasExtendedNumber else { throw .otherKey }
        let number = [7, 6, 5, 4, 1, 0].map { frame[headCount + $0] }
        let packetNumber = number.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isData = Self.isData(frame)
        guard packetNumber > (isData ? receivedData : receivedManagement) else { throw .replayed }
        let plain = AESCCM.open(
            [UInt8](frame[bodyStart...]),
            nonce: Self.nonce(of: frame, headCount: headCount, packetNumber: number),
            additionalData: Self.additionalData(of: frame, headCount: headCount), key: key.secret)
        guard let plain else { throw .notAuthentic }
        if isData { receivedData = packetNumber } else { receivedManagement = packetNumber }
        return [UInt8](frame[..<headCount]) + plain
    }

    private static func isData(_ frame: [UInt8]) -> Bool { frame[0] & 0x0c == 0x08 }
    private static func isQoS(_ headCount: Int) -> Bool { headCount == FrameHead.dataCount }

    /// What may not change on the way: the header without what retransmission and the hardware change.
    ///
    /// - Spec: 802.11-2020 §12.5.3.3.3.
    private static func additionalData(of frame: [UInt8], headCount: Int) -> [UInt8] {
        let control = isData(frame) ? frame[0] & 0x8f : frame[0]
        var masked = FrameFlags.retry | FrameFlags.powerManagement | FrameFlags.moreData
        if isQoS(headCount) { masked |= FrameFlags.order }
        var octets = [control, frame[1] & ~masked | FrameFlags.protected]
        octets += frame[4..<22]
        octets += [frame[22] & 0x0f, 0]
        if isQoS(headCount) { octets += [frame[24] & 0x0f, 0] }
        return octets
    }

    /// - Spec: 802.11-2020 §12.5.3.3.4: the priority, the management flag, the transmitter and the number.
    private static func nonce(of frame: [UInt8], headCount: Int, packetNumber: [UInt8]) -> [UInt8] {
        let flags: UInt8 = isData(frame) ? (isQoS(headCount) ? frame[24] & 0x0f : 0) : 0x10
        return [flags] + frame[10..<16] + packetNumber
    }

    /// Most significant first, as the nonce has them.
    private static func octets(ofPacketNumber number: UInt64) -> [UInt8] {
        [40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}
