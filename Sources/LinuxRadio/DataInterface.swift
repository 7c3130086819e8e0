import CShim
import Crypto
import Ports
import Wire

/// The network interface of all data paths.
///
/// What goes to many is encrypted with a key that nobody else has, so that nothing can leave it unprotected whatever
/// programs do; and it says as little as it can by itself: no address resolution, no router solicitations.
struct DataInterface {
    let device: WirelessDevice
    let address: MACAddress
    /// The network interface's number, which is also the scope of its link-local addresses.
    let index: UInt32
    let name: String

    var identifier: UInt64 { address.interfaceIdentifier }

    private static let groupKeyIndex: UInt8 = 1
    private static let groupKeyCount = 16

    init(_ created: WirelessReply.NewDevice) {
        device = created.device
        address = created.address
        index = created.index
        name = created.name
    }

    /// Makes an IPv6 interface of it, once the device is started.
    func bringUp(
        _ link: KernelLink, _ route: Conversation, entropy: any Entropy
    ) throws(RadioError) {
        // Without these it works too, with a few encrypted packets more.
        for setting in ["accept_ra", "router_solicitations", "dad_transmits", "autoconf"] {
            _ = shim_write_text("/proc/sys/net/ipv6/conf/\(name)/\(setting)", "0")
        }
        try route.ask(RouteRequests.keepAddressless(index))
        try route.ask(RouteRequests.bringUp(index))
        let key = Key(Secret(random: Self.groupKeyCount, from: entropy))
        try link.owner.ask(link.requests.installGroupKey(key, index: Self.groupKeyIndex, at: device))
        try link.owner.ask(link.requests.useGroupKey(index: Self.groupKeyIndex, at: device))
        try route.ask(RouteRequests.addAddress(identifier, to: index))
    }
}

extension MACAddress {
    /// The modified EUI-64 of an address.
    ///
    /// - Spec: RFC 4291, appendix A.
    var interfaceIdentifier: UInt64 {
        let high = (rawValue >> 24) ^ 0x02_0000
        return high << 40 | 0xfffe << 24 | rawValue & 0xff_ffff
    }
}
