import LinuxBoard
import Ports
import Testing
import Wire

struct ButtonMachineTests {
    /// A button and its line, in milliseconds.
    struct Bench {
        var machine: ButtonMachine
        var isPressed: Bool
        var presses: [ButtonPress] = []

        init(_ settings: ButtonSettings = ButtonSettings(), isPressed: Bool = false) {
            machine = ButtonMachine(settings, isPressed: isPressed, at: Self.time(0))
            self.isPressed = isPressed
        }

        static func time(_ milliseconds: UInt64) -> Instant {
            Instant(microseconds: 5_000_000 + milliseconds * 1000)
        }

        /// The line changes level, with or without being heard of.
        mutating func level(_ pressed: Bool, at milliseconds: UInt64, isHeard: Bool = true) {
            wait(until: milliseconds)
            isPressed = pressed
            if isHeard { presses += machine.edge(isPressed: pressed, at: Self.time(milliseconds)) }
        }

        mutating func wait(until milliseconds: UInt64) {
            while let deadline = machine.deadline, deadline <= Self.time(milliseconds) {
                presses += machine.advance(to: deadline, isPressed: isPressed)
            }
        }
    }

    @Test func `pressed and released, it is a short press, told at its end`() {
        var bench = Bench()
        #expect(bench.machine.deadline == nil, "nobody wakes for a button that nobody presses")
        bench.level(true, at: 0)
        bench.level(false, at: 300)
        #expect(bench.presses == [])
        bench.wait(until: 1_000)
        #expect(bench.presses == [.short])
        #expect(bench.machine.deadline == nil)
    }

    @Test func `a bounce is no press, and a press outlives its bounces`() {
        var bench = Bench()
        for start in stride(from: UInt64(0), to: 400, by: 40) {
            bench.level(true, at: start)
            bench.level(false, at: start + 20)
        }
        bench.wait(until: 2_000)
        #expect(bench.presses == [], "twenty milliseconds are none")
        for (pressed, time) in [(true, 2_000), (false, 2_005), (true, 2_008), (false, 2_500), (true, 2_510)] {
            bench.level(pressed, at: UInt64(time))
        }
        for (pressed, time) in [(false, 2_700), (true, 2_704), (false, 2_709)] {
            bench.level(pressed, at: UInt64(time))
        }
        bench.wait(until: 5_000)
        #expect(bench.presses == [.short], "one, for all that it rattled")
    }

    @Test func `held for ten seconds, it counts down from the first second on`() {
        var bench = Bench()
        bench.level(true, at: 0)
        let completes = Bench.time(0) + .seconds(10)
        bench.wait(until: 1_100)
        #expect(bench.presses == [.holding(completes: completes)])
        bench.wait(until: 9_990)
        #expect(bench.presses.count == 1)
        bench.wait(until: 10_010)
        #expect(bench.presses == [.holding(completes: completes), .held])
        bench.level(false, at: 12_000)
        bench.wait(until: 20_000)
        #expect(bench.presses.count == 2, "its release is nothing more")
        bench.level(true, at: 21_000)
        bench.level(false, at: 21_200)
        bench.wait(until: 22_000)
        #expect(bench.presses.last == .short)
    }

    @Test(arguments: [2_000, 9_900, 9_999] as [UInt64])
    func `released before the end, nothing comes of it`(_ time: UInt64) {
        var bench = Bench()
        bench.level(true, at: 0)
        bench.level(false, at: time)
        bench.wait(until: 20_000)
        #expect(bench.presses.last == .released && bench.presses.count == 2)
    }

    @Test func `a bounce in the last moment does not save the devices`() {
        var bench = Bench()
        bench.level(true, at: 0)
        bench.level(false, at: 9_995)
        bench.level(true, at: 10_005)
        bench.wait(until: 11_000)
        #expect(bench.presses.last == .held)
    }

    @Test func `a release that nobody heard of forgets no device`() {
        var bench = Bench()
        bench.level(true, at: 0)
        bench.wait(until: 2_000)
        bench.level(false, at: 5_000, isHeard: false)
        bench.wait(until: 20_000)
        #expect(bench.presses.count == 2 && bench.presses.last == .released)
    }

    @Test func `a press that nobody heard the end of is over when the next begins`() {
        var bench = Bench()
        bench.level(true, at: 0)
        bench.level(false, at: 200, isHeard: false)
        bench.level(true, at: 400)
        bench.level(false, at: 600)
        bench.wait(until: 2_000)
        #expect(bench.presses == [.short])
    }

    @Test func `a button that is pressed at the start is stuck, and no press until it was released`() {
        var bench = Bench(isPressed: true)
        #expect(bench.machine.isStuck && bench.machine.deadline == nil)
        bench.wait(until: 60_000)
        bench.level(false, at: 61_000)
        bench.wait(until: 62_000)
        #expect(bench.presses == [] && !bench.machine.isStuck)
        bench.level(true, at: 63_000)
        bench.level(false, at: 63_200)
        bench.wait(until: 64_000)
        #expect(bench.presses == [.short])
    }

    @Test func `a button that is pressed for a minute is stuck`() {
        var bench = Bench()
        bench.level(true, at: 0)
        bench.wait(until: 59_000)
        #expect(!bench.machine.isStuck)
        bench.wait(until: 61_000)
        #expect(bench.machine.isStuck && bench.presses.last == .held)
    }

    @Test func `what is switched off does not happen`() {
        var settings = ButtonSettings()
        settings.press = .none
        settings.hold = .none
        var bench = Bench(settings)
        bench.level(true, at: 0)
        bench.level(false, at: 20_000)
        bench.wait(until: 21_000)
        #expect(bench.presses == [.noted])
        bench.level(true, at: 30_000)
        bench.level(false, at: 100_000)
        bench.wait(until: 101_000)
        #expect(bench.presses == [.noted], "it was stuck")
    }

    @Test func `whatever the line does, devices are forgotten by a whole hold alone`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bench = Bench()
            var time: UInt64 = 0
            var pressedSince: UInt64?
            for _ in 0..<50 {
                time += UInt64.random(in: 30...4_000, using: &random)
                let pressed = Bool.random(using: &random)
                bench.wait(until: time)
                let held = bench.presses.filter { $0 == .held }.count
                if held > 0 { #expect(pressedSince.map { time - $0 >= 9_900 } == true) }
                bench.presses = []
                if pressed != bench.isPressed { pressedSince = pressed ? time : nil }
                bench.level(pressed, at: time, isHeard: pressed != bench.isPressed)
            }
        }
    }
}
