import Crypto
import Frames
import Wire

/// Writes the frames of one data path's negotiation, all in the same form and with the same protection.
struct DataPathFrames {
    /// As it is when the frame is written.
    var own: DataPathEnd
    let name: DataPathName
    /// The initiator's choice. Terminations carry zero.
    let dialogToken: UInt8
    /// Of the publisher.
    let publish: UInt8
    let form: DataPathMessage.Form
    let isProtected: Bool

    /// What a message proves: its suite and which key, in M1 and M2, and its key descriptor.
    struct Security {
        var suite: CipherSuite
        var keyIdentifier: [UInt8]
        var descriptor: SharedKeyDescriptor
    }

    /// The same negotiation, told of a change at our end.
    func told(of own: DataPathEnd) -> DataPathFrames {
        var frames = self
        frames.own = own
        return frames
    }

    func request(_ security: Security, items: [DataPathExtension.Item], idlePeriod: UInt16) -> [UInt8] {
        let link = DataLink(
            dialogToken: dialogToken, kind: .request, status: .continued,
            idlePeriod: idlePeriod == 0 ? nil : idlePeriod)
        return body(
            .dataPathRequest,
            path(
                .request, .continued, [.confirmRequired, .securityPresent, .publishPresent], publish: publish,
                items),
            attributes(of: security), then: [.dataLink(link), elements])
    }

    func response(
        _ security: Security, items: [DataPathExtension.Item], idlePeriod: UInt16, cluster: DataCluster
    ) -> [UInt8] {
        let link = DataLink(
            dialogToken: dialogToken, kind: .response, status: .accepted, control: LinkControl.clusterPresent,
            idlePeriod: idlePeriod == 0 ? nil : idlePeriod)
        return body(
            .dataPathResponse,
            path(
                .response, .continued, [.securityPresent, .responderPresent], responder: own.dataInterface,
                items),
            attributes(of: security), then: [.dataCluster(cluster), .dataLink(link), elements])
    }

    /// - Parameter agreement: what answers a counter-proposal of the schedule.
    func confirm(_ descriptor: SharedKeyDescriptor, agreement: DataCluster?) -> [UInt8] {
        var tail: [Attribute] = []
        if let agreement {
            let link = DataLink(
                dialogToken: dialogToken, kind: .confirm, status: .accepted,
                control: LinkControl.clusterPresent)
            tail = [.dataCluster(agreement), .dataLink(link)]
        }
        return body(
            .dataPathConfirm, path(.confirm, .continued, [.securityPresent]),
            [.sharedKeyDescriptor(descriptor)],
            then: tail)
    }

    func keyInstall(_ descriptor: SharedKeyDescriptor) -> [UInt8] {
        body(
            .dataPathKeyInstall, path(.securityInstall, .accepted, [.securityPresent]),
            [.sharedKeyDescriptor(descriptor)])
    }

    func termination(_ reason: Reason = .unspecified) -> [UInt8] {
        body(.dataPathTermination, path(.terminate, .rejected, [], reason: reason, token: 0))
    }

    /// - Parameter echoed: the suites and key identifiers of the request.
    func rejection(_ reason: Reason, echoed: [Attribute]) -> [UInt8] {
        let control: DataPathHead.Control = echoed.isEmpty ? [] : [.securityPresent]
        return body(.dataPathResponse, path(.response, .rejected, control, reason: reason), echoed)
    }

    private enum LinkControl {
        static let clusterPresent: UInt8 = 1 << 2
    }

    private var elements: Attribute { .elementContainer(own.profile.elementContainer) }

    private func attributes(of security: Security) -> [Attribute] {
        [
            .cipherSuiteInformation(.init(entries: [.init(suite: security.suite, publish: publish)])),
            .securityContextInformation(
                .init(entries: [.init(publish: publish, identifier: security.keyIdentifier)])),
            .sharedKeyDescriptor(security.descriptor),
        ]
    }

    private func path(
        _ kind: DataPathHead.Kind, _ status: NegotiationStatus, _ control: DataPathHead.Control,
        publish: UInt8? = nil, responder: MACAddress? = nil, reason: Reason = Reason(rawValue: 0),
        token: UInt8? = nil, _ items: [DataPathExtension.Item] = []
    ) -> Attribute {
        var head = DataPathHead(
            dialogToken: token ?? dialogToken, kind: kind, status: status, reason: reason,
            initiator: name.initiator,
            identifier: name.identifier, control: control, publish: publish, responder: responder)
        switch form {
        case .extended:
            return .dataPathExtension(DataPathExtension(head: head, items: items))
        case .plain:
            let information = plainInformation(items)
            if information != nil { head.control.insert(.bit5) }
            return .dataPath(DataPathAttribute(head: head, information: information))
        }
    }

    /// The older attribute has room for the service's information alone.
    private func plainInformation(_ items: [DataPathExtension.Item]) -> [UInt8]? {
        for case .service(let information) in items { return information.octets }
        return nil
    }

    /// In the order in which other devices send the attributes.
    private func body(
        _ subtype: ActionFrame.Subtype, _ path: Attribute, _ security: [Attribute] = [],
        then link: [Attribute] = []
    ) -> [UInt8] {
        let profile = own.profile
        var attributes: [Attribute] = [
            .deviceCapability(profile.deviceCapability),
            .deviceCapabilityExtension(profile.deviceCapabilityExtension), path,
        ]
        attributes += security
        attributes.append(.availability(profile.availabilityAttribute))
        attributes += link
        return ActionFrame(kind: .action(subtype), isProtectedDual: isProtected, attributes: attributes).body
    }
}

extension DataCluster {
    /// The first slot in common, in which every member has to be, is all that a cluster demands; the rest of the
    /// common slots follows from both availabilities. A cluster that the peer proposed is joined where it fits.
    init(meetingIn common: UInt32, proposal: DataCluster?, fresh: MACAddress) {
        var proposed: UInt32 = 0
        for schedule in proposal?.schedules ?? [] { proposed |= schedule.slots.dependableSlots }
        let slots = proposed & common
        let first = common & (~common &+ 1)
        self.init(
            identifier: slots == 0 ? fresh : proposal?.identifier ?? fresh, control: 1,
            schedules: [Schedule(map: 1, slots: TimeBitmap(slots: slots == 0 ? first : slots))])
    }
}

extension DataLinkQoS {
    /// Whether slots of 512 TU are as many and as close together as needed.
    func isMet(by slots: UInt32) -> Bool {
        guard slots.nonzeroBitCount >= Int(minimumSlots) else { return false }
        guard maximumLatency != .max, slots != 0 else { return slots != 0 }
        var gap = 0
        var longest = 0
        for slot in 0..<64 {
            gap = slots >> UInt32(slot % 32) & 1 == 1 ? 0 : gap + 1
            longest = max(longest, gap)
        }
        return longest <= Int(maximumLatency)
    }
}
