import Crypto
import Wire

/// A request to the kernel, whole but for the sequence number.
///
/// It exists once: ``erase()`` leaves nothing of a key that is in it.
struct NetlinkRequest {
    /// What the kernel is to do with it.
    struct Flags {
        var rawValue: UInt16
        /// linux/netlink.h: NLM_F_REQUEST and NLM_F_ACK.
        static let order = Flags(rawValue: 0x05)
        /// NLM_F_REQUEST, NLM_F_ACK and NLM_F_DUMP: a list, which an end of its own follows.
        static let list = Flags(rawValue: 0x305)
        /// NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE and NLM_F_CREATE.
        static let replace = Flags(rawValue: 0x505)
    }

    /// For messages about a failure: what was to be done.
    let name: StaticString
    private(set) var octets: [UInt8]

    /// - Parameters:
    ///   - kind: the family's number, or the family's own kind of message.
    ///   - head: what the family has before attributes, in a length that is a multiple of four.
    /// - Spec: RFC 3549, section 2.3.2.
    init(
        _ name: StaticString, kind: UInt16, flags: Flags, head: [UInt8],
        _ write: (inout AttributeWriter) -> Void
    ) {
        self.name = name
        var writer = AttributeWriter()
        writer.head(kind: kind, flags: flags.rawValue, head)
        write(&writer)
        do throws(WireError) {
            octets = try writer.finish()
        } catch {
            die("a request to the kernel is too long: what is in it has to be checked before")
        }
    }

    /// Numbers the request, so that its answer is known.
    mutating func setSequence(_ sequence: UInt32) {
        for place in 0..<4 { octets[8 + place] = UInt8(truncatingIfNeeded: sequence >> UInt32(8 * place)) }
    }

    mutating func erase() { octets.erase() }
}

/// A message from the kernel.
struct NetlinkMessage {
    static let headCount = 16

    var kind: UInt16
    var flags: UInt16
    /// Of the request that it answers; zero for an event.
    var sequence: UInt32
    var body: ArraySlice<UInt8>

    /// The messages of a datagram, at most as many as fit.
    ///
    /// - Throws: where a message is longer than what is left. Those before it are lost with it.
    static func messages(in datagram: [UInt8]) throws(WireError) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = datagram[...]
        while !rest.isEmpty {
            guard rest.count >= headCount else {
                throw .tooShort(for: "netlink header", missing: headCount - rest.count)
            }
            let length = rest.number32(at: 0)
            guard length >= UInt32(headCount) else {
                throw .unexpected("netlink length", value: UInt64(length))
            }
            guard length <= UInt32(clamping: rest.count) else {
                throw .tooShort(for: "netlink message", missing: Int(length) - rest.count)
            }
            let start = rest.startIndex
            messages.append(
                NetlinkMessage(
                    kind: rest.number16(at: 4), flags: rest.number16(at: 6), sequence: rest.number32(at: 8),
                    body: rest[start + headCount..<start + Int(length)]))
            rest = rest.dropFirst((Int(length) + 3) & ~3)
        }
        return messages
    }

    /// What a message means to whoever asked.
    enum Meaning {
        case data
        /// The end of a list.
        case done
        case acknowledged
        case refused(KernelRefusal)
    }

    var meaning: Meaning {
        get throws(WireError) {
            switch kind {
            case Kind.error: return try outcome()
            case Kind.done: return .done
            default: return .data
            }
        }
    }

    /// linux/netlink.h: NLMSG_ERROR and NLMSG_DONE.
    private enum Kind {
        static let error: UInt16 = 2
        static let done: UInt16 = 3
    }

    /// linux/netlink.h: NLM_F_CAPPED, the request is not repeated; NLM_F_ACK_TLVS, there are attributes.
    private enum Flag {
        static let capped: UInt16 = 0x100
        static let hasAttributes: UInt16 = 0x200
    }

    /// An acknowledgement: the error number, the request's header, perhaps the request, perhaps attributes.
    private func outcome() throws(WireError) -> Meaning {
        guard body.count >= 4 else { throw .tooShort(for: "acknowledgement", missing: 4 - body.count) }
        let number = Int32(bitPattern: body.number32(at: 0))
        guard number != 0 else { return .acknowledged }
        // The number comes negated. Its own opposite is no error of the kernel's, and has none.
        return .refused(KernelRefusal(number: number == .min ? .max : abs(number), text: try reason()))
    }

    private func reason() throws(WireError) -> String {
        guard flags & Flag.hasAttributes != 0 else { return "" }
        var before = 4 + Self.headCount
        if flags & Flag.capped == 0 {
            guard body.count >= 8 else { throw .tooShort(for: "acknowledgement", missing: 8 - body.count) }
            before = 4 + ((Int(body.number32(at: 4) & 0xffff) + 3) & ~3)
        }
        let list = try AttributeList(parsing: body.dropFirst(before))
        return list.text(1) ?? ""
    }
}

/// The kernel's no.
struct KernelRefusal: Error, Equatable {
    /// The system's error number, positive.
    var number: Int32
    /// Its extended acknowledgement; empty where there is none.
    var text: String
}
