import Frames
import Testing
import Wire

@testable import Aware

struct BootstrappingTests {
    let start = Instant(microseconds: 1_000_000)

    private func answer(
        _ step: PairingBootstrapping.Step, _ methods: BootstrappingMethods = .pinDisplay, token: UInt8 = 5
    ) -> PairingBootstrapping {
        PairingBootstrapping(dialogToken: token, step: step, methods: methods)
    }

    private func asking() -> BootstrappingRequest {
        var request = BootstrappingRequest(dialogToken: 5)
        _ = request.start(at: start)
        return request
    }

    private func asks(_ cookie: [UInt8]) -> [BootstrappingRequest.Action] {
        [
            .send(
                PairingBootstrapping(dialogToken: 5, step: .request(cookie: cookie), methods: .pinKeypad))
        ]
    }

    // MARK: The phone's side

    @Test func `asks for the display, and is done when it is agreed to`() throws {
        var request = BootstrappingRequest(dialogToken: 5)
        #expect(request.deadline == nil)
        #expect(request.advance(to: start) == [])
        #expect(request.start(at: start) == asks([]))
        #expect(try request.receive(answer(.accepted), at: start) == [.agreed])
        #expect(request.deadline == nil)
        #expect(throws: BootstrappingRequest.Refusal.notAsking) {
            try request.receive(answer(.accepted), at: start)
        }
    }

    @Test func `repeats itself every second, and gives up after twelve`() throws {
        var request = asking()
        var now = start
        var repetitions = 0
        while let deadline = request.deadline {
            now = deadline
            let actions = request.advance(to: now)
            if actions == [.failed(.noAnswer)] { break }
            #expect(actions == asks([]))
            repetitions += 1
        }
        #expect(repetitions == 11 || repetitions == 12)
        #expect(now >= start + .seconds(12))
        #expect(request.deadline == nil && request.advance(to: now + .seconds(100)) == [])
    }

    @Test func `comes back when it is told to, with what it was given`() throws {
        var request = asking()
        let after = TimeUnits.seconds(4)
        #expect(try request.receive(answer(.comeBack(after: after, cookie: [1, 2]), []), at: start) == [])
        #expect(request.deadline == start + after)
        #expect(throws: BootstrappingRequest.Refusal.notAsking) {
            try request.receive(answer(.accepted), at: start)
        }
        #expect(request.advance(to: start + .seconds(3)) == [])
        #expect(request.advance(to: start + after) == asks([1, 2]))
        #expect(try request.receive(answer(.accepted), at: start + after) == [.agreed])
    }

    @Test func `does not let itself be sent away for ever, nor for long`() throws {
        var request = asking()
        var now = start
        for _ in 0..<20 {
            #expect(
                try request.receive(answer(.comeBack(after: TimeUnits(.max), cookie: [1]), []), at: now) == []
            )
            let until = try #require(request.deadline)
            #expect(until <= now + .seconds(120))
            now = until
            #expect(request.advance(to: now) == asks([1]))
        }
        #expect(
            try request.receive(answer(.comeBack(after: TimeUnits(1), cookie: [1]), []), at: now)
                == [.failed(.sentAwayTooOften)])
    }

    @Test func `a no ends it, and so does a yes to something else`() throws {
        var request = asking()
        #expect(
            try request.receive(answer(.rejected(.methodNotSupported), []), at: start)
                == [.failed(.rejected(.methodNotSupported))])
        request = asking()
        #expect(
            try request.receive(answer(.accepted, .opportunistic), at: start)
                == [.failed(.otherMethod(.opportunistic))])
        #expect(request.deadline == nil)
    }

    @Test func `answers that are not to it are passed over`() throws {
        var request = asking()
        let deadline = request.deadline
        #expect(throws: BootstrappingRequest.Refusal.otherDialogue) {
            try request.receive(answer(.accepted, token: 6), at: start)
        }
        #expect(throws: BootstrappingRequest.Refusal.notAnAnswer) {
            try request.receive(answer(.request(cookie: [])), at: start)
        }
        #expect(throws: BootstrappingRequest.Refusal.notAnAnswer) {
            try request.receive(answer(.advertisement), at: start)
        }
        #expect(throws: BootstrappingRequest.Refusal.longCookie) {
            let cookie = [UInt8](repeating: 1, count: 129)
            return try request.receive(answer(.comeBack(after: TimeUnits(1), cookie: cookie), []), at: start)
        }
        #expect(request.deadline == deadline)
    }

    // MARK: The accessory's side

    @Test func `tells what is meant for our display from what is not`() throws {
        let request = answer(.request(cookie: []), .pinKeypad)
        #expect(try BootstrappingAnswer.isForOurDisplay(request))
        #expect(
            try BootstrappingAnswer.isForOurDisplay(
                answer(.request(cookie: []), [.pinKeypad, .opportunistic])))
        #expect(try !BootstrappingAnswer.isForOurDisplay(answer(.request(cookie: []), .opportunistic)))
        #expect(try !BootstrappingAnswer.isForOurDisplay(answer(.request(cookie: []), .pinDisplay)))
        #expect(throws: BootstrappingAnswer.Refusal.missingToken) {
            try BootstrappingAnswer.isForOurDisplay(answer(.request(cookie: []), .pinKeypad, token: 0))
        }
        for cookie in [[1], [0, 0, 0, 1, 0], [UInt8](repeating: 1, count: 255)] {
            #expect(throws: BootstrappingAnswer.Refusal.foreignCookie) {
                try BootstrappingAnswer.isForOurDisplay(answer(.request(cookie: cookie), .pinKeypad))
            }
        }
        for step in [PairingBootstrapping.Step.accepted, .advertisement, .rejected(.methodNotSupported)] {
            #expect(throws: BootstrappingAnswer.Refusal.notARequest) {
                try BootstrappingAnswer.isForOurDisplay(answer(step, .pinKeypad))
            }
        }
    }

    @Test func `its answers are what the other side understands`() throws {
        let request = PairingBootstrapping(dialogToken: 5, step: .request(cookie: []), methods: .pinKeypad)
        var phone = asking()
        #expect(try phone.receive(BootstrappingAnswer.answer(request, .accept), at: start) == [.agreed])
        phone = asking()
        let later = BootstrappingAnswer.answer(request, .comeBack(after: TimeUnits(1000)))
        #expect(try phone.receive(later, at: start) == [])
        guard case .send(let again)? = phone.advance(to: start + TimeUnits(1000)).first else {
            Issue.record("it does not come back")
            return
        }
        #expect(try BootstrappingAnswer.isForOurDisplay(again))
        phone = asking()
        #expect(
            try phone.receive(BootstrappingAnswer.answer(request, .reject), at: start)
                == [.failed(.rejected(.methodNotSupported))])
    }

    @Test(arguments: [UInt32(0), 1, 65_535])
    func `every time to come back that fits its field is written and read`(_ count: UInt32) throws {
        let request = PairingBootstrapping(dialogToken: 5, step: .request(cookie: []), methods: .pinKeypad)
        let answer = BootstrappingAnswer.answer(request, .comeBack(after: TimeUnits(count)))
        let frame = ActionFrame(
            kind: .serviceDiscovery, isProtectedDual: false, attributes: [.pairingBootstrapping(answer)])
        let octets = try frame.octets()
        let read = try ActionFrame(parsing: FrameReader(octets.span.bytes))
        #expect(read.pairingBootstrapping == answer)
    }
}
