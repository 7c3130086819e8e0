import Frames
import Ports
import Simulation
import Wire

/// A station's radio with a test between it and its owner: it notes requests, refuses some, and brings in frames that
/// nobody sent.
final class Tap: Radio {
    private let radio: WorldRadio
    private var made: [RadioEvent] = []
    private(set) var requests: [RadioRequest] = []
    /// Whether the radio does not do as it is asked.
    var refuses: (RadioRequest) -> Bool = { _ in false }

    init(_ radio: WorldRadio) {
        self.radio = radio
    }

    var deadline: Instant? { made.isEmpty ? radio.deadline : Instant(microseconds: 0) }
    func addDescriptors(to set: inout DescriptorSet) { radio.addDescriptors(to: &set) }

    func perform(_ request: RadioRequest, at now: Instant) throws(RadioError) {
        requests.append(request)
        if refuses(request) { throw RadioError(.noRoom, "the test refuses") }
        try radio.perform(request, at: now)
    }

    func nextEvent(at now: Instant) -> RadioEvent? {
        made.isEmpty ? radio.nextEvent(at: now) : made.removeFirst()
    }

    /// Brings a frame in. One that is said to be protected counts as decrypted with the transmitter's key.
    func bring(
        _ body: [UInt8], _ subtype: ManagementHeader.Subtype = .action, from transmitter: MACAddress,
        to receiver: MACAddress, in cluster: MACAddress, isProtected: Bool = false
    ) throws {
        var writer = FrameWriter()
        ManagementHeader(
            subtype: subtype, receiver: receiver, transmitter: transmitter, cluster: cluster,
            isProtected: isProtected
        ).write(into: &writer)
        writer.octets(body)
        made.append(.received(ReceivedFrame(octets: try writer.finish(), signal: -40)))
    }

    /// How many frames went to the receiver.
    func frames(to receiver: MACAddress) -> Int {
        requests.count {
            guard case .send(let octets, _) = $0 else { return false }
            return Array(octets[4..<10]) == receiver.octets
        }
    }

    /// The slots of the last schedule that was set for the peer.
    func slots(of peer: MACAddress) -> UInt32? {
        for case .setPeerSchedule(peer, let schedule) in requests.reversed() { return schedule.slots }
        return nil
    }
}
