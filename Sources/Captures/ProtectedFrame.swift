public import Crypto
import Frames
import Wire

/// A management frame encrypted with CCMP-128, to be read by somebody who has its key.
///
/// - Spec: 802.11-2020 §12.5.3.
public struct ProtectedFrame {
    public static let keyCount = 16

    private static let headCount = 8

    private let header: [UInt8]
    private let body: [UInt8]

    /// Nil where the frame is too short or not encrypted.
    ///
    /// - Parameter frame: From the 802.11 header on, without a checksum.
    public init?(_ frame: [UInt8]) {
        let start = ManagementHeader.count
        guard frame.count >= start + Self.headCount + AESCCM.tagCount, frame[1] & 0x40 != 0 else {
            return nil
        }
        header = Array(frame[..<start])
        body = Array(frame[start...])
    }

    /// The body, or nil where the key is another one.
    public func opened(with key: Key) -> [UInt8]? {
        guard key.secret.count == Self.keyCount else { return nil }
        return AESCCM.open(
            Array(body[Self.headCount...]), nonce: nonce, additionalData: additionalData, key: key.secret)
    }

    /// §12.5.3.3.4: that it is a management frame, the transmitter, the packet number.
    private var nonce: [UInt8] {
        [0x10] + header[10..<16] + [body[7], body[6], body[5], body[4], body[1], body[0]]
    }

    /// §12.5.3.3.3: the header without what a repetition or power saving changes.
    private var additionalData: [UInt8] {
        [header[0], header[1] & ~0x38] + header[4..<22] + [header[22] & 0x0f, 0]
    }
}
