import Crypto
import Wire

/// The frames between two interfaces that share a key: CCMP-128, with its packet numbers counted.
///
/// - Spec: 802.11-2020 §12.5.3.
struct ProtectedLink {
    enum Refusal: Error, Equatable {
        /// Too short, of another key than 0, or with a header that is not CCMP's.
        case notEncrypted
        case replayed
        /// Changed on the way, or encrypted with another key.
        case notAuthentic
    }

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
        guard sent < CCMP.lastPacketNumber, frame.count >= headCount else { return nil }
        sent += 1
        return CCMP.seal(frame, headCount: headCount, packetNumber: sent, key: key.secret)
    }

    /// The plain frame behind a header that still says "protected".
    mutating func open(_ frame: [UInt8], headCount: Int) throws(Refusal) -> [UInt8] {
        guard let number = CCMP.packetNumber(of: frame, headCount: headCount) else { throw .notEncrypted }
        let isData = CCMP.isData(frame)
        guard number > (isData ? receivedData : receivedManagement) else { throw .replayed }
        guard let plain = CCMP.open(frame, headCount: headCount, key: key.secret) else { throw .notAuthentic }
        if isData { receivedData = number } else { receivedManagement = number }
        return plain
    }
}
