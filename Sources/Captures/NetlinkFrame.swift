import Wire

/// The 802.11 frame in a captured nl80211 message: what a program hands to the kernel's radio, or gets from it.
///
/// An interface of type nlmon captures them. Frames are plain text there, whatever they are on the air.
///
/// - Spec: LINKTYPE_NETLINK of tcpdump.org; linux/netlink.h, linux/genetlink.h, linux/nl80211.h.
enum NetlinkFrame {
    private static let genericFamily: UInt16 = 16
    /// NL80211_CMD_FRAME: a frame to be sent, or one received. The report that it was sent repeats it, and is left out.
    private static let frameCommand: UInt8 = 59
    /// NL80211_ATTR_FRAME.
    private static let frameAttribute: UInt16 = 51
    private static let attributeTypes: UInt16 = 0x3fff

    private static let cookedHead = 16
    private static let messageHead = 16

    /// Empty where the messages hold none.
    static func frame(in packet: [UInt8]) throws(WireError) -> [UInt8] {
        var reader = FrameReader(packet.span.bytes)
        _ = try reader.octets(cookedHead - 2, "netlink capture header")
        guard try reader.bigEndian16("netlink family") == genericFamily else { return [] }
        while reader.remaining >= messageHead {
            let length = Int(try reader.number32("netlink message length"))
            let rest = min(aligned(length), reader.remaining + 4) - 4
            guard length >= messageHead, rest >= 0 else { return [] }
            var message = try reader.slice(rest, "netlink message")
            _ = try message.octets(12, "netlink message header")
            if let frame = try frame(in: &message) { return plain(frame) }
        }
        return []
    }

    private static func frame(in message: inout FrameReader) throws(WireError) -> [UInt8]? {
        guard message.remaining >= 4 else { return nil }
        let command = try message.octet("generic netlink command")
        _ = try message.octets(3, "generic netlink header")
        guard command == frameCommand else { return nil }
        while message.remaining >= 4 {
            let length = Int(try message.number16("attribute length"))
            let type = try message.number16("attribute type") & attributeTypes
            guard length >= 4 else { return nil }
            let body = try message.octets(length - 4, "attribute")
            if type == frameAttribute { return body }
            _ = try message.octets(min(aligned(length) - length, message.remaining), "attribute padding")
        }
        return nil
    }

    /// The kernel has decrypted what it hands over; the header still says "protected".
    private static func plain(_ frame: [UInt8]) -> [UInt8] {
        var frame = frame
        if frame.count > 1 { frame[1] &= ~0x40 }
        return frame
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
