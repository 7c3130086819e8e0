import CShim
import Ports
import Wire

/// The kernel's wireless side: its sockets, and the numbers under which it is spoken to.
///
/// Devices belong to the socket over which they were made: they go when it is closed, however the program ends.
final class KernelLink {
    let requests: WirelessRequests
    /// Asks, owns the devices, and hears what is meant for their owner.
    let owner: Conversation
    /// Hears what is told to everybody: when frames were sent, when devices go. Apart from the other, because it may
    /// be flooded by other programs' radios.
    let news: Conversation

    init() throws(RadioError) {
        let socket = try NetlinkSocket(.generic)
        let family = try Self.family(socket)
        if let shortcoming = family.shortcoming { throw RadioError(.gone, shortcoming) }
        requests = WirelessRequests(family: family.number)
        owner = Conversation(socket, eventKind: family.number)
        let listening = try NetlinkSocket(.generic)
        for name in [Wireless.Group.frames, Wireless.Group.interfaces] {
            guard let group = family.group(name) else {
                throw RadioError(.gone, "the kernel's nl80211 has no group \(name)")
            }
            try listening.join(group)
        }
        news = Conversation(listening, eventKind: family.number)
    }

    private static func family(_ socket: NetlinkSocket) throws(RadioError) -> WirelessFamily {
        do throws(RadioError) {
            return try WirelessFamily(
                reading: try Conversation(socket, eventKind: nil).ask(WirelessFamily.request))
        } catch {
            throw explain(error)
        }
    }

    /// Netlink says of a family that is not loaded only that there is no such thing.
    static func explain(_ error: RadioError) -> RadioError {
        guard error.cause == .system(-Int32(shim_error_missing)) else { return error }
        return RadioError(.gone, "the kernel has no Wi-Fi (no nl80211: is cfg80211 loaded?)")
    }

    /// All radios that the kernel has.
    func radios() throws(RadioError) -> [Wiphy] {
        var collection = Wiphy.Collection()
        for message in try owner.ask(requests.listRadios()) {
            do throws(WireError) { try collection.add(message) } catch { throw .misunderstood(error) }
        }
        return collection.all
    }
}

extension WirelessFamily {
    init(reading replies: [ArraySlice<UInt8>]) throws(RadioError) {
        guard let reply = replies.first else {
            throw RadioError(.gone, "the kernel does not describe nl80211")
        }
        do throws(WireError) { try self.init(parsing: reply) } catch { throw .misunderstood(error) }
    }
}

extension RadioError {
    static func misunderstood(_ error: WireError) -> RadioError {
        RadioError(.malformed, "the kernel's answer is not understood: \(error)")
    }
}
