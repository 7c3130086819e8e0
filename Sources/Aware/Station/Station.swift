public import Crypto
public import Frames
public import Ports
public import Wire

/// A station in its cluster: how it sends frames, and which it takes in.
public struct Station: Sendable {
    /// Why a frame on the air is none of ours, or nobody's.
    public enum Refusal: Error, Equatable, Sendable {
        case malformedHeader
        case impossibleTransmitter
        case otherCluster
    }

    /// A frame that is for us.
    public struct Accepted: Sendable {
        public var header: ManagementHeader
        /// What follows the header.
        public var body: [UInt8]
    }

    public var end: DataPathEnd
    public var outbox: Outbox
    /// The same in all frames until the address changes, since verification repeats it.
    public let resolution: IdentityResolution

    /// A station whose radio has started as `profile` says.
    public init(end: DataPathEnd, identity: Identity, entropy: any Entropy) {
        self.end = end
        outbox = Outbox(address: end.profile.address)
        resolution = identity.resolution(of: end.profile.address, entropy: entropy)
    }

    public var profile: StationProfile { end.profile }
    public var address: MACAddress { end.profile.address }

    /// Sends a frame that we composed.
    public mutating func send(
        _ frame: ActionFrame, to receiver: MACAddress, asCourtesy isCourtesy: Bool = false
    ) -> [RadioRequest] {
        outbox.send(frame.body, to: receiver, asCourtesy: isCourtesy)
    }

    /// Sends discovery attributes as a frame.
    public mutating func send(
        discovery attributes: [Attribute], to receiver: MACAddress, isProtected: Bool = false,
        asCourtesy isCourtesy: Bool = false
    ) -> [RadioRequest] {
        send(
            ActionFrame(kind: .serviceDiscovery, isProtectedDual: isProtected, attributes: attributes),
            to: receiver, asCourtesy: isCourtesy)
    }

    public mutating func send(
        _ followUp: FollowUp, to receiver: MACAddress, isProtected: Bool, asCourtesy isCourtesy: Bool = false
    ) -> [RadioRequest] {
        send(
            followUp.frame(from: profile, identity: resolution, isProtected: isProtected), to: receiver,
            asCourtesy: isCourtesy)
    }

    /// Takes a frame in; nil where it is for somebody else.
    public func accept(_ received: ReceivedFrame) throws(Refusal) -> Accepted? {
        let header: ManagementHeader
        let body: [UInt8]
        do throws(WireError) {
            var reader = FrameReader(received.octets.span.bytes)
            header = try ManagementHeader(parsing: &reader)
            body = reader.rest()
        } catch {
            throw .malformedHeader
        }
        guard header.receiver == address || header.receiver == .nanNetwork else { return nil }
        guard !header.transmitter.isMulticast, header.transmitter != address else {
            throw .impossibleTransmitter
        }
        guard header.cluster == outbox.cluster || namesResponder(header) else { throw .otherCluster }
        return Accepted(header: header, body: body)
    }
}

extension Station {
    /// In PASN some stations name the responder in the third address, as 802.11 has it, and not the cluster.
    private func namesResponder(_ header: ManagementHeader) -> Bool {
        header.subtype == .authentication
            && (header.cluster == address || header.cluster == header.transmitter)
    }
}

extension Station.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedHeader: "malformed header"
        case .impossibleTransmitter: "impossible transmitter"
        case .otherCluster: "another cluster's"
        }
    }
}
