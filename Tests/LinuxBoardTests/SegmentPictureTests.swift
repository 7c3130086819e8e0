import Ports
import Testing
import Wire

@testable import LinuxBoard

/// The words of a 7-segment display.
struct SegmentPictureTests {
    private let now = Instant(microseconds: 50_000_000)

    private func text(
        _ state: PanelState, _ digits: Int, connected: Int = 0, after milliseconds: UInt64 = 0
    ) -> String {
        let later = Instant(microseconds: now.microseconds + milliseconds * 1_000)
        let content = PanelContent(state, name: "My Drone", connected: connected)
        let picture = SegmentPicture(.content(content, since: now, now: later), digits: digits)
        #expect(picture.cells.count == digits)
        return SevenSegmentReader.text(picture.cells)
    }

    private func seconds(_ seconds: UInt64) -> Instant {
        Instant(microseconds: now.microseconds + seconds * 1_000_000)
    }

    @Test func `every state has its own picture on four, six and eight digits`() {
        let states: [(PanelState, String, String, String)] = [
            (.idle, "   -", "     -", "       -"),
            (.open(until: seconds(118)), "P118", "P  118", "P    118"),
            (.pin([0, 8, 2, 9, 1, 3]), "082-", "082913", "  082913"),
            (.passkey([1, 0, 4, 7, 1, 1]), "bt  ", "bt    ", "bt104711"),
            (.paired("Phone"), "donE", "donE  ", "donE    "),
            (.refused("Phone", reason: "wrong PIN"), "FA1L", "FA1L  ", "FA1L    "),
            (.locked(until: seconds(58)), "L 58", "L   58", "L     58"),
            (.forgetting(at: seconds(10)), "CL10", "CL  10", "CL    10"),
            (.forgetting(at: seconds(7)), "CL 7", "CL   7", "CL     7"),
            (.identify, "8888", "888888", "88888888"),
            (.fault("no radio"), "Err ", "Err   ", "Err     "),
        ]
        for (state, four, six, eight) in states {
            #expect(text(state, 4) == four)
            #expect(text(state, 6) == six)
            #expect(text(state, 8) == eight)
        }
        #expect(text(.idle, 4, connected: 2) == "on 2")
        #expect(text(.idle, 6, connected: 12) == "on  12")
    }

    @Test func `a number too large for its place is the largest`() {
        #expect(text(.locked(until: seconds(5_000)), 4) == "L999")
        #expect(text(.locked(until: seconds(5_000)), 6) == "L 5000")
        #expect(text(.idle, 4, connected: 1_000) == "on99")
    }

    @Test func `a passkey is told from a PIN`() {
        #expect(text(.passkey([1, 0, 4, 7, 1, 1]), 6, after: 1_000) == "104711")
        #expect(text(.passkey([1, 0, 4, 7, 1, 1]), 6, after: 4_000) == "bt    ")
        #expect(text(.passkey([1, 0, 4, 7, 1, 1]), 4, after: 1_000) == "104-")
        #expect(text(.passkey([1, 0, 4, 7, 1, 1]), 4, after: 3_000) == "-711")
        #expect(text(.passkey([1, 0, 4, 7, 1, 1]), 4, after: 5_000) == "bt  ")
    }

    @Test func `a countdown changes exactly with its seconds`() {
        let end = seconds(3)
        var at = now
        var shown: [UInt64] = []
        while true {
            shown.append(at.secondsLeft(until: end))
            guard let next = at.nextSecond(until: end) else { break }
            #expect(Instant(microseconds: next.microseconds - 1).secondsLeft(until: end) == shown.last)
            at = next
        }
        #expect(shown == [3, 2, 1, 0])
    }
}
