public import Frames
public import Ports
public import Wire

/// Changes of schedules while data paths live: what we say of ours, and what becomes of a peer's.
///
/// A peer asks for another schedule and we answer, or it just tells. What leaves no slot in common is refused, because
/// no traffic could flow; the schedule agreed before stays.
public enum ScheduleExchange {
    /// What a peer's frame comes to.
    public struct Outcome: Equatable, Sendable {
        /// Takes the place of the one that the radio has for the peer.
        public var schedule: PeerSchedule
        /// The body of an answer, where there is one.
        public var answer: [UInt8]?

        public init(schedule: PeerSchedule, answer: [UInt8]?) {
            self.schedule = schedule
            self.answer = answer
        }
    }

    /// Asks a peer for the schedule that the profile has.
    ///
    /// - Parameter dialogToken: names the exchange; not zero.
    public static func request(
        dialogToken: UInt8, as profile: StationProfile, isProtected: Bool
    ) -> [UInt8] {
        body(
            .scheduleRequest, as: profile, isProtected,
            [.dataLink(DataLink(dialogToken: dialogToken, kind: .request, status: .continued))])
    }

    /// Tells a peer of the schedule that the profile has.
    public static func update(as profile: StationProfile, isProtected: Bool) -> [UInt8] {
        body(.scheduleUpdate, as: profile, isProtected, [])
    }

    /// Takes in a peer's request, answer, confirmation or update.
    ///
    /// - Parameters:
    ///   - isPaired: there is a pairing key with the peer, so that frames in the clear are somebody else's.
    ///   - cluster: names the data cluster if we have to found one (``MACAddress/init(random:)``).
    public static func receive(
        _ received: ReceivedAction, as profile: StationProfile, isPaired: Bool, cluster: MACAddress
    ) throws(DataPathRefusal) -> Outcome {
        guard received.isProtected || !isPaired else { throw .unprotected }
        let link = try answer(to: received)
        guard let availability = PeerAvailability(in: received.frame, on: profile.availability.channel) else {
            throw .missing(.availability)
        }
        let common = availability.common(with: profile.availability)
        guard common != 0 else { throw .noCommonSlots }
        if let quality = received.dataLinkQoS, !quality.isMet(by: common) { throw .insufficientSlots }

        guard let link else { return Outcome(schedule: availability.agreedSchedule, answer: nil) }
        let meeting = DataCluster(meetingIn: common, proposal: received.dataCluster, fresh: cluster)
        return Outcome(
            schedule: availability.agreedSchedule,
            answer: body(
                link.kind == .response ? .scheduleResponse : .scheduleConfirm, as: profile,
                received.isProtected, [.dataCluster(meeting), .dataLink(link)]))
    }

    /// What the frame wants to be answered, if the schedule in it is agreeable. Nil where it wants no answer.
    private static func answer(to received: ReceivedAction) throws(DataPathRefusal) -> DataLink? {
        guard let subtype = received.subtype else { throw .contradictory }
        switch subtype {
        case .scheduleRequest:
            let request = try dataLink(of: received, .request)
            return DataLink(
                dialogToken: request.dialogToken, kind: .response, status: .accepted, control: clusterPresent)
        case .scheduleResponse:
            let response = try dataLink(of: received, .response)
            // One that changed something wants to be agreed to.
            guard response.status == .continued else { return nil }
            return DataLink(
                dialogToken: response.dialogToken, kind: .confirm, status: .accepted, control: clusterPresent)
        case .scheduleConfirm:
            _ = try dataLink(of: received, .confirm)
            return nil
        case .scheduleUpdate:
            return nil
        default:
            throw .unexpected(subtype)
        }
    }

    /// What to answer to a request that is refused. Nil where it is none.
    public static func rejection(of received: ReceivedAction, reason: Reason, as profile: StationProfile)
        -> [UInt8]?
    {
        guard received.subtype == .scheduleRequest, let request = received.dataLink, request.kind == .request
        else {
            return nil
        }
        let link = DataLink(
            dialogToken: request.dialogToken, kind: .response, status: .rejected, reason: reason)
        return body(.scheduleResponse, as: profile, received.isProtected, [.dataLink(link)])
    }

    private static let clusterPresent: UInt8 = 1 << 2

    /// The link attribute of the kind that the frame demands, not rejected.
    private static func dataLink(
        of received: ReceivedAction, _ kind: DataLink.Kind
    ) throws(DataPathRefusal) -> DataLink {
        guard let link = received.dataLink else { throw .missing(.dataLink) }
        guard link.kind == kind else { throw .contradictory }
        guard link.status != .rejected else { throw .rejected(link.reason) }
        return link
    }

    private static func body(
        _ subtype: ActionFrame.Subtype, as profile: StationProfile, _ isProtected: Bool, _ link: [Attribute]
    ) -> [UInt8] {
        ActionFrame(
            kind: .action(subtype), isProtectedDual: isProtected,
            attributes: [
                .deviceCapability(profile.deviceCapability),
                .deviceCapabilityExtension(profile.deviceCapabilityExtension),
                .availability(profile.availabilityAttribute),
            ] + link
        ).body
    }
}
