import Wire

/// The requests that make the data interface an IPv6 interface which says nothing by itself.
///
/// - Spec: rtnetlink(7); linux/rtnetlink.h, if_link.h, if_addr.h, neighbour.h.
enum RouteRequests {
    private enum Kind {
        static let newLink: UInt16 = 16
        static let newAddress: UInt16 = 20
        static let newNeighbour: UInt16 = 28
        static let deleteNeighbour: UInt16 = 29
    }

    /// AF_INET6.
    private static let inet6: UInt8 = 10

    /// linux/if.h: IFF_UP, IFF_NOARP, IFF_MULTICAST.
    private enum Flag {
        static let up: UInt32 = 1 << 0
        static let silent: UInt32 = 1 << 7
        static let multicast: UInt32 = 1 << 12
    }

    /// Leaves the link-local address to us, while the interface is down: the kernel might be told to make others.
    static func keepAddressless(_ index: UInt32) -> NetlinkRequest {
        link("prepare data interface", index, flags: 0, mask: 0) { writer in
            // IFLA_AF_SPEC, in it AF_INET6, in it IFLA_INET6_ADDR_GEN_MODE: IN6_ADDR_GEN_MODE_NONE.
            writer.nest(26) { families in
                families.nest(UInt16(inet6)) { $0.octet(8, 1) }
            }
        }
    }

    /// Neither address resolution nor multicast programs: neighbours are known, and there is nobody else.
    static func bringUp(_ index: UInt32) -> NetlinkRequest {
        link(
            "bring data interface up", index, flags: Flag.up | Flag.silent,
            mask: Flag.up | Flag.silent | Flag.multicast
        ) { _ in }
    }

    private static func link(
        _ name: StaticString, _ index: UInt32, flags: UInt32, mask: UInt32,
        _ write: (inout AttributeWriter) -> Void
    ) -> NetlinkRequest {
        // struct ifinfomsg: family, padding, type, index, flags, mask.
        request(
            name, Kind.newLink, .order,
            head: [0, 0, 0, 0] + number32(index) + number32(flags) + number32(mask), write)
    }

    /// Gives the interface the address fe80:: of the identifier, at once: nobody else has it.
    static func addAddress(_ identifier: UInt64, to index: UInt32) -> NetlinkRequest {
        // struct ifaddrmsg: family, prefix length, IFA_F_NODAD, RT_SCOPE_LINK, index.
        request("add address", Kind.newAddress, .replace, head: [inet6, 64, 0x02, 253] + number32(index)) {
            writer in
            writer.octets(2, linkLocal(identifier))  // IFA_LOCAL
            writer.octets(1, linkLocal(identifier))  // IFA_ADDRESS
        }
    }

    /// The peer with this address has this identifier, for good.
    static func addNeighbour(_ identifier: UInt64, at address: MACAddress, on index: UInt32) -> NetlinkRequest
    {
        neighbour("add neighbour", Kind.newNeighbour, .replace, identifier, index) { writer in
            writer.address(2, address)  // NDA_LLADDR
        }
    }

    static func removeNeighbour(_ identifier: UInt64, on index: UInt32) -> NetlinkRequest {
        neighbour("remove neighbour", Kind.deleteNeighbour, .order, identifier, index) { _ in }
    }

    private static func neighbour(
        _ name: StaticString, _ kind: UInt16, _ flags: NetlinkRequest.Flags, _ identifier: UInt64,
        _ index: UInt32, _ write: (inout AttributeWriter) -> Void
    ) -> NetlinkRequest {
        // struct ndmsg: family, padding, index, NUD_PERMANENT, flags, type.
        request(name, kind, flags, head: [inet6, 0, 0, 0] + number32(index) + [0x80, 0, 0, 0]) { writer in
            writer.octets(1, linkLocal(identifier))  // NDA_DST
            write(&writer)
        }
    }

    private static func request(
        _ name: StaticString, _ kind: UInt16, _ flags: NetlinkRequest.Flags, head: [UInt8],
        _ write: (inout AttributeWriter) -> Void
    ) -> NetlinkRequest {
        NetlinkRequest(name, kind: kind, flags: flags, head: head, write)
    }

    private static func number32(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func linkLocal(_ identifier: UInt64) -> [UInt8] {
        var octets: [UInt8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0]
        for shift in stride(from: 56, through: 0, by: -8) {
            octets.append(UInt8(truncatingIfNeeded: identifier >> UInt64(shift)))
        }
        return octets
    }
}
