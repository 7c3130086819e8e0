import Foundation
import Ports
import Testing
import Wire

@testable import LinuxHost

struct StreamTests {
    @Test func `a journal writes lines that cannot disturb a terminal`() {
        let capture = Capture()
        let journal = StandardJournal(verbose: false, descriptor: capture.descriptor, hasPriorities: false)
        journal.write(.notice, "paired Ann\u{1b}[2J\nforged line\u{7f}\u{9b}")
        journal.write(.debug, "not written")
        journal.write(.warning, "é\t漢")
        #expect(capture.text() == "paired Ann\u{fffd}[2J\u{fffd}forged line\u{fffd}\u{fffd}\né\u{fffd}漢\n")
    }

    @Test func `under journald lines carry their priority`() {
        let capture = Capture()
        let journal = StandardJournal(verbose: true, descriptor: capture.descriptor, hasPriorities: true)
        journal.write(.debug, "a")
        journal.write(.notice, "b")
        journal.write(.warning, "c")
        #expect(capture.text() == "<7>a\n<5>b\n<4>c\n")
    }

    @Test func `a line has an end`() {
        let capture = Capture()
        let journal = StandardJournal(verbose: false, descriptor: capture.descriptor, hasPriorities: false)
        journal.write(.notice, String(repeating: "é", count: 4000))
        #expect(capture.text() == String(repeating: "é", count: 512) + "...\n")
    }

    @Test func `the console panel writes a line per change`() {
        let capture = Capture()
        let panel = ConsolePanel(descriptor: capture.descriptor)
        let now = Instant(microseconds: 7)
        let states: [PanelState] = [
            .idle, .idle, .open(until: now + .seconds(120)), .pin([4, 8, 2, 9, 1, 3]),
            .pin([4, 8, 2, 9, 1, 3]),
            .refused("Ann", reason: "wrong PIN"), .locked(until: now + .seconds(64)),
            .pin([0, 0, 0, 0, 0, 7]),
            .paired("Ann's\nphone"), .passkey([1, 0, 4, 7, 1, 1]), .forgetting(at: now + .seconds(7)),
            .identify,
            .fault("no radio"), .idle,
        ]
        for state in states { panel.show(PanelContent(state, name: "Drone", connected: 0), at: now) }
        #expect(
            capture.text() == """
                idle
                open 120 s
                PIN 482913
                refused Ann wrong PIN
                locked 64 s
                PIN 000007
                paired Ann's\u{fffd}phone
                passkey 104711
                forgetting in 7 s
                identify
                fault no radio
                idle

                """)
    }

    @Test func `a line of input is bounded and takes nothing behind it`() throws {
        let input = Pipe()
        try input.fileHandleForWriting.write(contentsOf: Data("482913\r\n\nlonger than eight\nlast".utf8))
        try input.fileHandleForWriting.close()
        let descriptor = input.fileHandleForReading.fileDescriptor
        #expect(StandardInput.readLine(limit: 8, from: descriptor) == "482913")
        #expect(StandardInput.readLine(limit: 8, from: descriptor) == "")
        #expect(StandardInput.readLine(limit: 8, from: descriptor) == "longer t")
        #expect(StandardInput.readLine(limit: 8, from: descriptor) == "last")
        #expect(StandardInput.readLine(limit: 8, from: descriptor) == nil)
    }

    @Test func `a file is read up to a limit`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("capture", "12345")
        #expect(try readFile(path, limit: 5) == Array("12345".utf8))
        #expect(throws: FileError.self) { _ = try readFile(path, limit: 4) }
        #expect(throws: FileError.self) { _ = try readFile(directory.path, limit: 4) }
        #expect(throws: FileError.self) { _ = try readFile(path + ".no", limit: 4) }
        #expect(throws: FileError.self) { _ = try readFile("/dev/zero", limit: 4) }
    }
}
