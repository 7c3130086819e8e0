import MAVLink
import Ports
import Wire

/// What a paired device has had of the drone service.
public struct DroneDevice: Equatable, Sendable {
    public var device: String
    public var name: String
    /// It has spoken lately, and hears the vehicle.
    public var isHeard: Bool
    /// Messages from and to the device.
    public var received: UInt64
    public var sent: UInt64
    /// Messages that were not sent because the link was full or gone.
    public var dropped: UInt64
    /// Messages from the device that were damaged.
    public var badChecksums: UInt64
    /// Datagrams from the device that were longer than any that carries MAVLink, and were dropped.
    public var oversized: UInt64
}

/// A device's end of the drone service.
struct Endpoint {
    enum Contact {
        /// Nothing valid has come; nobody knows to which port to send.
        case silent
        case heard(SocketAddress, at: Instant)
    }

    /// What a datagram may hold, in octets; a turn's work is bounded by it.
    private static let longestDatagram = 2048

    private(set) var path: ServicePath
    var contact = Contact.silent
    private var stream = FrameStream()
    private var oversized: UInt64 = 0
    private var sent: UInt64 = 0
    private var dropped: UInt64 = 0

    init(path: ServicePath) {
        self.path = path
    }

    var isHeard: Bool {
        switch contact {
        case .silent: false
        case .heard: true
        }
    }

    var report: DroneDevice {
        DroneDevice(
            device: path.device, name: path.name, isHeard: isHeard, received: stream.counters.frames,
            sent: sent, dropped: dropped, badChecksums: stream.counters.badChecksums,
            oversized: oversized)
    }

    /// The device has a new path; what was counted stays.
    mutating func move(to path: ServicePath) {
        if self.path.peer != path.peer || self.path.own != path.own { contact = .silent }
        self.path = path
    }

    /// - Returns: The frames in the datagram, and whether the device was silent before.
    mutating func receive(
        _ datagram: [UInt8], from sender: SocketAddress, at now: Instant
    ) -> (frames: [MAVLinkFrame], isNew: Bool) {
        guard datagram.count <= Self.longestDatagram else {
            oversized += 1
            return ([], false)
        }
        let frames = stream.receive(datagram: datagram)
        guard !frames.isEmpty else { return ([], false) }
        let isNew = !isHeard
        contact = .heard(sender, at: now)
        return (frames, isNew)
    }

    mutating func count(_ outcome: SendOutcome, of datagram: Coalescing.Datagram) {
        switch outcome {
        case .handedOver: sent += datagram.frames
        case .noRoom, .failed: dropped += datagram.frames
        }
    }
}
