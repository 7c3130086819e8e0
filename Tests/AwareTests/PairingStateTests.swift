import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// Every state against every input.
struct PairingStateTests {
    static let start = PairingSides.start
    static let late = start + .seconds(60)

    // MARK: Responder

    enum ResponderState: CaseIterable { case waiting, answered, authenticated, failed }
    enum ResponderInput: CaseIterable {
        case sameRequest, otherRequest, supersedingRequest, answer, confirmation, foreignConfirmation, abort,
            noise
        case time, stop, sent
    }

    /// What a responder in each state makes of each input; actions, or why it was refused.
    private static func expectation(_ state: ResponderState, _ input: ResponderInput) -> String {
        switch (state, input) {
        case (.waiting, .sameRequest), (.waiting, .otherRequest), (.waiting, .supersedingRequest):
            "install send"
        case (.failed, .otherRequest), (.failed, .supersedingRequest): "install send"
        case (.answered, .sameRequest): "send"
        case (.answered, .supersedingRequest): "uninstall failed: superseded by a new attempt install send"
        case (.authenticated, .supersedingRequest): "uninstall install send"
        case (.answered, .otherRequest), (.authenticated, .otherRequest): "another attempt is under way"
        case (.authenticated, .sameRequest), (.failed, .sameRequest): "replayed"

        case (.answered, .confirmation): "authenticated"
        case (.answered, .foreignConfirmation): "wrong PIN"
        case (.answered, .abort): "refused by the peer with status 1"
        case (.answered, .answer): "authentication frame 2 out of turn"
        case (.answered, .noise): "malformed frame"
        case (.authenticated, .confirmation): "replayed"
        case (.waiting, .answer), (.waiting, .confirmation), (.waiting, .foreignConfirmation),
            (.waiting, .abort),
            (.waiting, .noise), (.failed, .answer), (.failed, .confirmation), (.failed, .foreignConfirmation),
            (.failed, .abort), (.failed, .noise), (.authenticated, .answer),
            (.authenticated, .foreignConfirmation),
            (.authenticated, .abort), (.authenticated, .noise):
            "not expected now"

        case (.answered, .time): "uninstall failed: no answer"
        case (.answered, .stop): "uninstall failed: given up"
        case (_, .time), (_, .stop), (_, .sent): ""
        }
    }

    @Test(arguments: ResponderState.allCases, ResponderInput.allCases)
    func `the responder answers every input in every state`(state: ResponderState, input: ResponderInput)
        throws
    {
        var sides = PairingSides()
        var other = PairingSides(seed: 2)
        let (request, otherRequest) = (try sides.ask(), try other.ask())
        var responder = sides.responder
        func begin(
            _ responder: inout PASNResponder, _ request: PASNRequest, superseding: Bool = false
        ) throws(PairingRefusal) -> [PASNAction] {
            try responder.begin(
                request, with: sides.expected, offer: PairingSides.offer, entropy: sides.entropy,
                at: Self.start,
                superseding: superseding)
        }
        let answered = try sides.begin(request)
        let answer = try #require(answered.sent)
        let confirmation = try #require(try sides.initiator.receive(answer).sent)
        if state != .waiting { responder = sides.responder }
        if state == .authenticated { _ = try responder.receive(confirmation) }
        if state == .failed { _ = responder.advance(to: Self.late) }

        let otherAnswer = try #require(try other.begin(otherRequest).sent)
        let foreign = try #require(try other.initiator.receive(otherAnswer).sent)
        let outcome = outcome { () throws(PairingRefusal) in
            switch input {
            case .sameRequest: try begin(&responder, request)
            case .otherRequest: try begin(&responder, otherRequest)
            case .supersedingRequest: try begin(&responder, otherRequest, superseding: true)
            case .answer: try responder.receive(answer)
            case .confirmation: try responder.receive(confirmation)
            case .foreignConfirmation: try responder.receive(foreign)
            case .abort: try responder.receive(PASNFrame.body(sequence: 3, status: .refused, []))
            case .noise: try responder.receive([7, 0, 3])
            case .time: responder.advance(to: Self.late)
            case .stop: responder.stop()
            case .sent:
                {
                    responder.sent(at: Self.start)
                    return []
                }()
            }
        }
        expect(outcome, Self.expectation(state, input))
    }

    // MARK: Initiator

    enum InitiatorState: CaseIterable { case ready, asking, authenticated, failed }
    enum InitiatorInput: CaseIterable {
        case start, answer, foreignAnswer, request, confirmation, abort, noise, time, stop
    }

    private static func expectation(_ state: InitiatorState, _ input: InitiatorInput) -> String {
        switch (state, input) {
        case (.ready, .start): "send"
        case (_, .start): ""
        case (.asking, .answer): "install send authenticated"
        case (.asking, .foreignAnswer): "failed: wrong PIN"
        case (.asking, .request): "authentication frame 1 out of turn"
        case (.asking, .confirmation): "authentication frame 3 out of turn"
        case (.asking, .abort): "failed: refused by the peer with status 1"
        case (.asking, .noise): "malformed frame"
        case (.authenticated, .answer): "send"
        case (.ready, .answer), (.ready, .foreignAnswer), (.ready, .request), (.ready, .confirmation),
            (.ready, .abort), (.ready, .noise), (.failed, .answer), (.failed, .foreignAnswer),
            (.failed, .request),
            (.failed, .confirmation), (.failed, .abort), (.failed, .noise), (.authenticated, .foreignAnswer),
            (.authenticated, .request), (.authenticated, .confirmation), (.authenticated, .abort),
            (.authenticated, .noise):
            "not expected now"
        case (.asking, .time): "send"
        case (.ready, .stop), (.asking, .stop): "failed: given up"
        case (_, .time), (_, .stop): ""
        }
    }

    @Test(arguments: InitiatorState.allCases, InitiatorInput.allCases)
    func `the initiator answers every input in every state`(state: InitiatorState, input: InitiatorInput)
        throws
    {
        var sides = PairingSides()
        var other = PairingSides(seed: 2)
        var initiator = sides.initiator
        let request = try #require(sides.initiator.start(at: Self.start).sent)
        let answer = try #require(try sides.begin(try PASNRequest(parsing: request)).sent)
        let foreign = try #require(try other.begin(try other.ask()).sent)
        if state != .ready { initiator = sides.initiator }
        let confirmation = try #require(try sides.initiator.receive(answer).sent)
        if state == .authenticated { initiator = sides.initiator }
        if state == .failed { _ = initiator.stop() }

        let outcome = outcome { () throws(PairingRefusal) in
            switch input {
            case .start: initiator.start(at: Self.start)
            case .answer: try initiator.receive(answer)
            case .foreignAnswer: try initiator.receive(foreign)
            case .request: try initiator.receive(request)
            case .confirmation: try initiator.receive(confirmation)
            case .abort:
                try initiator.receive(PASNResponder.refusal(status: .refused, offer: PairingSides.offer))
            case .noise: try initiator.receive([7, 0, 2])
            case .time: initiator.advance(to: Self.late)
            case .stop: initiator.stop()
            }
        }
        expect(outcome, Self.expectation(state, input))
    }

    // MARK: Parts

    private func outcome(_ feed: () throws(PairingRefusal) -> [PASNAction]) -> String {
        do throws(PairingRefusal) { return try feed().names.joined(separator: " ") } catch {
            if case .malformed = error { return "malformed frame" }
            return "\(error)"
        }
    }

    private func expect(_ outcome: String, _ expectation: String) {
        #expect(outcome == expectation)
    }
}
