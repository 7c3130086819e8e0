import Aware
import Frames
import Ports
import Wire

extension Accessory {
    /// A stranger asks us to show a PIN.
    mutating func bootstrap(
        _ request: PairingBootstrapping, _ context: FollowUp.Context, _ received: ReceivedAction,
        from peer: MACAddress, at now: Instant
    ) -> [Action] {
        let names = Self.names(in: received.frame)
        let isForOurDisplay: Bool
        do throws(BootstrappingAnswer.Refusal) {
            isForOurDisplay = try BootstrappingAnswer.isForOurDisplay(request)
        } catch {
            return refuse(peer, "bootstrapping: \(error)", at: now)
        }
        guard isForOurDisplay else {
            return refuse(
                peer, name: names.pairingName, "bootstrapping: only a PIN on our display will do", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        guard hasRoom(for: peer) else {
            return refuse(peer, name: names.pairingName, "bootstrapping: too many peers", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        guard devices.all.count < configuration.deviceLimit else {
            return refuse(
                peer, name: names.pairingName, "bootstrapping: as many devices are paired as may be", at: now)
                + reply(BootstrappingAnswer.rejection(of: request), context, to: peer)
        }
        return showPIN(
            for: peer, Peer.Asked(request: request, name: names, context: context), received, at: now)
    }

    /// What the peer calls itself, in whichever of its descriptors.
    private static func names(in frame: ActionFrame) -> PairingInformation {
        for descriptor in frame.serviceDescriptorExtensions {
            if case .generic(let generic)? = descriptor.information?.content { return generic.pairing }
        }
        return PairingInformation(text: [])
    }

    private mutating func showPIN(
        for peer: MACAddress, _ asked: Peer.Asked, _ received: ReceivedAction, at now: Instant
    ) -> [Action] {
        let decision: BootstrappingAnswer.Decision
        var actions: [Action] = []
        do throws(PairingWindow.Refusal) {
            let begun = try window.begin(by: peer, entropy: entropy, at: now)
            guard makeRoom(for: peer, at: now, &actions) else { die("there was room for a peer") }
            actions += dropVerification(of: peer)
            peers[peer]?.attempt = .asked(asked)
            peers[peer]?.schedule = PeerAvailability(in: received.frame, on: .six)?.schedule
            if !begun.isEmpty { actions.append(.tell(.attempt(peer: peer, name: asked.name.pairingName))) }
            actions += perform(begun, at: now)
            decision = .accept
        } catch {
            actions += refuse(peer, name: asked.name.pairingName, "bootstrapping: \(error)", at: now)
            // A request that was late: the peer is about to prove itself, and must not hear a no now.
            if error == .alreadyGuessed { return actions }
            decision =
                switch error {
                case .wait(let until): .comeBack(after: Self.span(from: now, to: until))
                case .anotherAttemptRunning: .comeBack(after: Self.turn)
                case .windowClosed, .notAsked, .alreadyGuessed: .reject
                }
        }
        return actions + reply(BootstrappingAnswer.answer(asked.request, decision), asked.context, to: peer)
    }

    /// Who asks for a PIN does not wait to be recognised any more.
    private mutating func dropVerification(of peer: MACAddress) -> [Action] {
        guard case .verification? = peers[peer]?.attempt else { return [] }
        peers[peer]?.attempt = nil
        return peers[peer]?.isAssociated == true ? [] : [.radio(.removePeer(peer))]
    }

    /// When somebody whose turn it is not may ask again.
    private static let turn = TimeUnits.seconds(2)

    /// A peer can be sent away for 67 s at most, by the size of the field; it is then sent away once more.
    private static func span(from now: Instant, to until: Instant) -> TimeUnits {
        TimeUnits(UInt32(UInt16(clamping: until.microseconds(since: now) / TimeUnits.microseconds + 1)))
    }

    private mutating func reply(
        _ answer: PairingBootstrapping, _ context: FollowUp.Context, to peer: MACAddress
    ) -> [Action] {
        let followUp = FollowUp(context: context, purpose: .pairingBootstrapping(answer))
        let isStranger = isStranger(peer)
        return withStation { $0.send(followUp, to: peer, isProtected: false, asCourtesy: isStranger) }
    }
}
