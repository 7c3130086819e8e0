import CNetlink
import CShim
import Ports
import Wire

/// Carries whole messages to the kernel and datagrams back, and never blocks.
protocol MessageSocket: AnyObject {
    var descriptor: Int32 { get }
    func send(_ message: [UInt8]) throws(RadioError)
    /// The next datagram of the kernel's.
    func receive() -> Reception
}

enum Reception {
    case datagram([UInt8])
    /// None for now.
    case nothing
    /// So many came at once that the kernel dropped some.
    case overrun
    case failed(RadioError)
}

/// A netlink socket over libnl.
final class NetlinkSocket: MessageSocket {
    /// A datagram of the kernel's has at most 32 KiB.
    private static let roomCount = 1 << 16
    /// What may wait in the socket: a second of a busy air.
    private static let buffer: Int32 = 1 << 20

    enum Family {
        case generic
        case route

        /// linux/netlink.h: NETLINK_GENERIC, NETLINK_ROUTE.
        var number: Int32 {
            switch self {
            case .generic: 16
            case .route: 0
            }
        }
    }

    private let socket: OpaquePointer

    var descriptor: Int32 { nl_socket_get_fd(socket) }

    init(_ family: Family) throws(RadioError) {
        guard let socket = nl_socket_alloc() else { throw RadioError(.noRoom, "netlink: no memory") }
        self.socket = socket
        nl_socket_disable_auto_ack(socket)
        nl_socket_disable_seq_check(socket)
        try check(nl_connect(socket, family.number))
        try check(nl_socket_set_nonblocking(socket))
        try check(nl_socket_set_msg_buf_size(socket, Self.roomCount))
        _ = nl_socket_set_buffer_size(socket, Self.buffer, 0)
        let prepared = shim_netlink_prepare(descriptor)
        guard prepared >= 0 else {
            throw RadioError(.system(-prepared), "netlink: \(systemReason(prepared))")
        }
    }

    deinit { nl_socket_free(socket) }

    func join(_ group: UInt32) throws(RadioError) {
        try check(nl_socket_add_membership(socket, Int32(clamping: group)))
    }

    func send(_ message: [UInt8]) throws(RadioError) {
        let sent = message.withUnsafeBytes {
            nl_sendto(socket, UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
        }
        try check(sent)
    }

    func receive() -> Reception {
        while true {
            var sender = sockaddr_nl()
            var octets: UnsafeMutablePointer<UInt8>?
            let count = nl_recv(socket, &sender, &octets, nil)
            defer { shim_free(octets) }
            switch count {
            case 1...:
                // Other programs can send to us too.
                guard sender.nl_pid == 0, let octets else { continue }
                return .datagram([UInt8](UnsafeBufferPointer(start: octets, count: Int(count))))
            case 0, -Int32(NLE_AGAIN): return .nothing
            case -Int32(NLE_NOMEM): return .overrun
            default: return .failed(failure(count))
            }
        }
    }

    private func check(_ result: Int32) throws(RadioError) {
        if result < 0 { throw failure(result) }
    }

    private func failure(_ result: Int32) -> RadioError {
        guard let text = nl_geterror(result) else { return RadioError(.gone, "netlink: error \(-result)") }
        return RadioError(.gone, "netlink: " + String(cString: text))
    }
}

/// The system's words for an error number, whichever its sign.
func systemReason(_ error: Int32) -> String {
    guard let text = shim_reason(error) else { return "error \(error)" }
    return String(cString: text)
}
