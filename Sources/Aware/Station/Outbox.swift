import Frames
public import Ports
public import Wire

/// Frames that were handed to the radio and not yet reported as sent.
///
/// The radio forgets them when the cluster changes, and their third address would be wrong anyway: the outbox then
/// builds and sends them again. A unicast frame that nobody acknowledged is sent again a few times.
public struct Outbox: Sendable {
    /// A full outbox refuses; a flood of requests cannot make it grow.
    public static let capacity = 48
    /// How many of them may be courtesies, so that a flood of requests leaves room for those whom we know.
    public static let courtesyLimit = 16

    /// How often a unicast frame is handed to the radio, which repeats by itself each time.
    private static let attempts = 4
    /// In discovery windows. A radio that never reports must not fill the outbox.
    private static let patience = 16

    private struct Pending: Sendable {
        var cookie: UInt32
        var subtype: ManagementHeader.Subtype
        var receiver: MACAddress
        var body: [UInt8]
        /// An answer to somebody to whom we owe none: sent once, and not at all while there are many.
        var isCourtesy: Bool
        var attempts = 1
        var windows = 0
    }

    /// Our management address, from which everything is sent.
    public let address: MACAddress
    /// Nil until there is one.
    public private(set) var cluster: MACAddress?
    /// Frames that were given up, or never taken.
    public private(set) var lost: UInt64 = 0

    private var pending: [Pending] = []
    private var lastCookie: UInt32 = 0

    /// Whether nothing waits to be sent or reported.
    public var isEmpty: Bool { pending.isEmpty }

    public init(address: MACAddress) {
        self.address = address
    }

    /// Sends the body of an action frame, now or as soon as there is a cluster.
    ///
    /// A courtesy is an answer to somebody to whom we owe none: it is sent once, and not at all while there are many.
    public mutating func send(
        _ action: [UInt8], to receiver: MACAddress, asCourtesy isCourtesy: Bool = false
    ) -> [RadioRequest] {
        send(action, subtype: .action, to: receiver, isCourtesy)
    }

    /// Sends the body of an authentication frame.
    public mutating func send(
        authentication body: [UInt8], to receiver: MACAddress, asCourtesy isCourtesy: Bool = false
    ) -> [RadioRequest] {
        send(body, subtype: .authentication, to: receiver, isCourtesy)
    }

    /// The radio is done with the frame: it is over, or is sent again.
    public mutating func sent(_ cookie: UInt32, acknowledged: Bool) -> [RadioRequest] {
        guard let index = pending.firstIndex(where: { $0.cookie == cookie }) else { return [] }
        if acknowledged || pending[index].receiver.isMulticast {
            pending.remove(at: index)
            return []
        }
        guard !pending[index].isCourtesy, pending[index].attempts < Self.attempts else {
            pending.remove(at: index)
            lost += 1
            return []
        }
        pending[index].attempts += 1
        return handOver(index)
    }

    /// Every frame that waits is built anew for the cluster.
    public mutating func joined(_ cluster: MACAddress) -> [RadioRequest] {
        self.cluster = cluster
        var requests: [RadioRequest] = []
        for index in pending.indices { requests += handOver(index) }
        return requests
    }

    /// Forgets what the radio has not reported for too long; to be called in every discovery window.
    public mutating func windowPassed() {
        let before = pending.count
        for index in pending.indices { pending[index].windows += 1 }
        pending.removeAll { $0.windows > ($0.receiver.isMulticast ? 1 : Self.patience) }
        lost += UInt64(before - pending.count)
    }

    /// The radio does not take the frame; whoever wanted it sent repeats it or does without.
    public mutating func refused(_ cookie: UInt32) {
        let before = pending.count
        pending.removeAll { $0.cookie == cookie }
        lost += UInt64(before - pending.count)
    }

    /// Whether something for the peer has not left yet.
    public func isWaiting(for receiver: MACAddress) -> Bool {
        pending.contains { $0.receiver == receiver }
    }

    /// Whom an authentication frame that has not been reported yet is for; nil for other frames.
    public func receiver(ofAuthentication cookie: UInt32) -> MACAddress? {
        pending.first { $0.cookie == cookie && $0.subtype == .authentication }?.receiver
    }

    private mutating func send(
        _ body: [UInt8], subtype: ManagementHeader.Subtype, to receiver: MACAddress, _ isCourtesy: Bool
    ) -> [RadioRequest] {
        guard pending.count < Self.capacity, !isCourtesy || courtesies < Self.courtesyLimit else {
            lost += 1
            return []
        }
        pending.append(
            Pending(cookie: 0, subtype: subtype, receiver: receiver, body: body, isCourtesy: isCourtesy))
        return cluster == nil ? [] : handOver(pending.count - 1)
    }

    private var courtesies: Int {
        var count = 0
        for frame in pending where frame.isCourtesy { count += 1 }
        return count
    }

    private mutating func handOver(_ index: Int) -> [RadioRequest] {
        guard let cluster else { return [] }
        lastCookie &+= 1
        pending[index].cookie = lastCookie
        let frame = pending[index]
        let header = ManagementHeader(
            subtype: frame.subtype, receiver: frame.receiver, transmitter: address, cluster: cluster)
        var writer = FrameWriter(limit: ManagementHeader.count + FrameWriter.managementLimit)
        header.write(into: &writer)
        writer.octets(frame.body)
        do throws(WireError) {
            return [.send(try writer.finish(), cookie: lastCookie)]
        } catch {
            die("a frame longer than the writer of its body allows")
        }
    }
}
