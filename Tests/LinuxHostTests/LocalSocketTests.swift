import CShim
import Foundation
import Ports
import Testing
import Wire

@testable import LinuxHost

struct LocalSocketTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path + "/control" }
    private let clock = StoppedClock()

    @Test func `a request is answered, and the client has its status`() throws {
        let server = try LocalServer(path: path)
        let echo = Echo()
        server.answerer = echo
        let client = try RawClient(path)
        client.send("status --json\n")
        server.turn(at: clock.now)
        #expect(client.everything() == "0 14\nstatus --json\n")
        #expect(echo.requests.map(\.process) == [getpid()])
        #expect(echo.requests.map(\.client) == [1])
        let other = try RawClient(path)
        other.send("fail\n")
        server.turn(at: clock.now)
        #expect(other.everything() == "1 5\nfail\n")
        #expect(server.deadline == nil)
    }

    @Test func `a request may come in pieces`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        let client = try RawClient(path)
        for piece in ["sta", "tus", "\n"] {
            server.turn(at: clock.now)
            client.send(piece)
        }
        server.turn(at: clock.now)
        #expect(client.everything() == "0 7\nstatus\n")
    }

    @Test func `requests that are none are refused`() throws {
        let server = try LocalServer(path: path)
        let echo = Echo()
        server.answerer = echo
        let long = try RawClient(path)
        long.send(String(repeating: "x", count: 1024))
        let binary = try RawClient(path)
        binary.send([0xff, 0x0a])
        let half = try RawClient(path)
        half.send("status")
        half.endSending()
        for _ in 0..<2 { server.turn(at: clock.now) }
        #expect(long.everything() == "2 24\nthe request is too long\n")
        #expect(binary.everything() == "2 25\nthe request is not UTF-8\n")
        #expect(half.everything().isEmpty)
        let longest = try RawClient(path)
        longest.send(String(repeating: "x", count: 1023) + "\n")
        server.turn(at: clock.now)
        #expect(longest.everything().hasPrefix("0 1024\nxxx"))
        #expect(echo.requests.count == 1)
    }

    @Test func `without descriptors clients wait, and the loop sleeps`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        let client = try RawClient(path)
        client.send("status\n")
        let letIn = server.letIn
        server.letIn = { _ in -EMFILE }
        func turn() -> Int {
            var set = DescriptorSet()
            server.turn(at: clock.now)
            server.addDescriptors(to: &set)
            return set.interests.count
        }
        #expect(turn() == 0 && server.deadline == clock.now + .seconds(1))
        server.letIn = letIn
        #expect(turn() == 0, "not before the second is over")
        clock.now = clock.now + .seconds(1)
        #expect(turn() == 1 && server.deadline == nil)
        #expect(client.everything() == "0 7\nstatus\n")
    }

    @Test func `nobody answers, and says so`() throws {
        let server = try LocalServer(path: path)
        let client = try RawClient(path)
        client.send("status\n")
        server.turn(at: clock.now)
        #expect(client.everything().hasPrefix("1 "))
    }

    @Test func `a listener gets what is broadcast until it goes`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        #expect(!server.hasListeners)
        let one = try RawClient(path)
        let other = try RawClient(path)
        one.send("watch\n")
        other.send("watch\n")
        server.turn(at: clock.now)
        server.broadcast("first")
        #expect(server.hasListeners)
        #expect(one.available() == "0 -\nwatching\nfirst\n")
        one.close()
        server.turn(at: clock.now)
        server.broadcast("second")
        #expect(other.available() == "0 -\nwatching\nfirst\nsecond\n")
        #expect(server.deadline == nil)
        other.close()
        server.turn(at: clock.now)
        #expect(!server.hasListeners)
    }

    @Test func `a stalled listener is dropped, the others go on`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        let stalled = try RawClient(path)
        let reading = try RawClient(path)
        stalled.send("watch\n")
        reading.send("watch\n")
        server.turn(at: clock.now)
        let line = String(repeating: "x", count: 999)
        var seen = 0
        for _ in 0..<2000 {
            server.broadcast(line)
            server.turn(at: clock.now)
            seen += reading.available().utf8.count
        }
        #expect(seen == 2_000_000 + 13)
        #expect(descriptors(of: server) == 2)
        // What the system still holds of it is much less than was sent.
        #expect(stalled.everything().utf8.count < 1_000_000)
    }

    @Test func `a slow reader gets a large answer whole, one that stops is dropped`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        let slow = try RawClient(path)
        slow.send("large\n")
        server.turn(at: clock.now)
        #expect(descriptors(of: server) == 2)
        var answer = ""
        while true {
            let piece = slow.available()
            if piece.isEmpty { break }
            answer += piece
            server.turn(at: clock.now)
        }
        #expect(answer.utf8.count == 3_000_000 + "0 3000000\n".utf8.count)

        let stopped = try RawClient(path)
        stopped.send("large\n")
        server.turn(at: clock.now)
        let deadline = try #require(server.deadline)
        #expect(deadline.microseconds(since: clock.now) / 1_000_000 == 10)
        server.turn(at: deadline)
        #expect(server.deadline == nil)
        #expect(descriptors(of: server) == 1)
    }

    @Test func `a client that asks nothing is dropped after five seconds`() throws {
        let server = try LocalServer(path: path)
        let client = try RawClient(path)
        server.turn(at: clock.now)
        let deadline = try #require(server.deadline)
        #expect(deadline.microseconds(since: clock.now) / 1_000_000 == 5)
        server.turn(at: deadline)
        #expect(client.everything().isEmpty)
        #expect(server.deadline == nil)
    }

    @Test func `the seventeenth client is refused, and there is room again when one goes`() throws {
        let server = try LocalServer(path: path)
        server.answerer = Echo()
        var clients: [RawClient] = []
        for _ in 0..<16 { clients.append(try RawClient(path)) }
        server.turn(at: clock.now)
        let late = try RawClient(path)
        late.send("status\n")
        server.turn(at: clock.now)
        #expect(late.everything() == "1 31\nthe agent has too many clients\n")
        clients.removeLast().close()
        server.turn(at: clock.now)
        let next = try RawClient(path)
        next.send("status\n")
        server.turn(at: clock.now)
        #expect(next.everything() == "0 7\nstatus\n")
    }

    @Test func `an answerer may broadcast while it answers`() throws {
        let server = try LocalServer(path: path)
        let echo = Echo()
        echo.server = server
        server.answerer = echo
        let listener = try RawClient(path)
        listener.send("watch\n")
        server.turn(at: clock.now)
        let client = try RawClient(path)
        client.send("forget\n")
        server.turn(at: clock.now)
        #expect(client.everything() == "0 7\nforget\n")
        #expect(listener.available() == "0 -\nwatching\nasked forget\n")
        echo.server = nil
    }
}

/// The socket's file, and who has it.
struct LocalSocketFileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path + "/run/control" }

    @Test func `only the owner may connect, and the file goes with the server`() throws {
        var server: LocalServer? = try LocalServer(path: path)
        #expect(directory.mode(of: "run") == 0o700)
        #expect(directory.mode(of: "run/control") == 0o600)
        #expect(server != nil)
        server = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a second agent is refused, and the first goes on`() throws {
        let first = try LocalServer(path: path)
        first.answerer = Echo()
        #expect(complaint { _ = try LocalServer(path: path) } == "\(path): another agent runs there")
        let client = try RawClient(path)
        client.send("status\n")
        first.turn(at: Instant(microseconds: 0))
        #expect(client.everything() == "0 7\nstatus\n")
    }

    @Test func `the socket of a killed agent is replaced`() throws {
        let stale = directory.path + "/control"
        let descriptor = shim_listen(stale, 1)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(FileManager.default.fileExists(atPath: stale))
        #expect(
            complaint { _ = try LocalClient.ask("x", at: stale) }
                == "no agent runs with its socket at \(stale)")
        let server = try LocalServer(path: stale)
        _ = try RawClient(stale)
        #expect(descriptors(of: server) == 1)
    }

    @Test func `what is no socket is not replaced`() throws {
        let file = directory.file("control", "precious")
        #expect(complaint { _ = try LocalServer(path: file) }?.contains("File exists") == true)
        #expect(try readFile(file, limit: 100) == Array("precious".utf8))
    }

    @Test func `a path that is too long for an address works all the same`() throws {
        let long = directory.path + "/" + String(repeating: "d", count: 120) + "/control"
        let server = try LocalServer(path: long)
        server.answerer = Echo()
        let client = try RawClient(long)
        client.send("status\n")
        server.turn(at: Instant(microseconds: 0))
        #expect(client.everything() == "0 7\nstatus\n")
    }
}

struct LocalClientTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path + "/control" }

    @Test func `the answer goes to output or error by its status`() throws {
        #expect(try ask("status", answering: "0 3\nok\n") == Told(status: 0, output: "ok\n"))
        #expect(try ask("forget x", answering: "1 5\nnone\n") == Told(status: 1, error: "none\n"))
        #expect(try ask("empty", answering: "0 0\n") == Told(status: 0))
        #expect(try ask("status", answering: "0 3\nok\nand more") == Told(status: 0, output: "ok\n"))
    }

    @Test(arguments: [
        ("", "ended before it answered"), ("0 5\nok", "middle of its answer"),
        ("0 -\nevent\n", "the agent ended"),
        ("HTTP/1.1 200 OK\n", "no agent"), ("0\n", "no agent"), ("256 1\n", "no agent"),
        ("1 -\n", "no agent"),
        ("0 1234567890\n", "no agent"), ("0 0000000000000000000000", "no agent"),
    ])
    func `an answer that is not whole is no answer`(_ answer: String, _ words: String) {
        let complaint = complaint { _ = try ask("status", answering: answer) }
        #expect(complaint?.contains(words) == true, "\(complaint ?? "no complaint")")
    }

    @Test func `without an agent it says so`() {
        #expect(
            complaint { _ = try LocalClient.ask("x", at: path) } == "no agent runs with its socket at \(path)"
        )
    }

    @Test func `a request that is no line is not sent`() {
        #expect(complaint { _ = try LocalClient.ask("a\nb", at: path) }?.contains("line") == true)
        let long = String(repeating: "x", count: 1024)
        #expect(complaint { _ = try LocalClient.ask(long, at: path) }?.contains("line") == true)
    }

    @Test func `a reader that has had enough ends a watch quietly`() throws {
        let output = Pipe()
        try output.fileHandleForReading.close()
        let listener = try answering("0 -\nevent\n")
        defer { close(listener) }
        let status = try LocalClient.ask(
            "watch", at: path, output: output.fileHandleForWriting.fileDescriptor, error: 2)
        #expect(status == 0)
    }

    private struct Told: Equatable {
        var status: UInt8
        var output = ""
        var error = ""
    }

    /// What the client makes of an agent that has already answered and gone.
    private func ask(_ request: String, answering answer: String) throws -> Told {
        let listener = try answering(answer)
        defer { close(listener) }
        let output = Capture()
        let error = Capture()
        let status = try LocalClient.ask(
            request, at: path, output: output.descriptor, error: error.descriptor)
        return Told(status: status, output: output.text(), error: error.text())
    }

    /// A thread in the agent's place: it answers the first client and closes.
    private func answering(_ answer: String) throws -> Int32 {
        let listener = shim_listen(path, 1)
        guard listener >= 0 else { throw HostError("cannot listen") }
        Thread.detachNewThread {
            var ready = [shim_interest(descriptor: listener, wanted: Int16(shim_readable), ready: 0)]
            guard shim_wait(&ready, 1, 10_000_000) == 1 else { return }
            let client = shim_accept(listener)
            var wanted = [shim_interest(descriptor: client, wanted: Int16(shim_readable), ready: 0)]
            _ = shim_wait(&wanted, 1, 10_000_000)
            var request = [UInt8](repeating: 0, count: 1024)
            _ = shim_read(client, &request, request.count)
            let octets = Array(answer.utf8)
            _ = shim_write(client, octets, octets.count)
            shim_close(client)
        }
        return listener
    }
}

/// Answers with what it was asked.
private final class Echo: LocalAnswerer {
    var requests: [LocalRequest] = []
    var server: LocalServer?

    func answer(_ request: LocalRequest, at now: Instant) -> LocalAnswer {
        requests.append(request)
        server?.broadcast("asked " + request.line)
        switch request.line {
        case "watch": return .stream(Array("watching\n".utf8))
        case "large": return .reply([UInt8](repeating: 0x78, count: 3_000_000), status: 0)
        case "fail": return .reply(Array("fail\n".utf8), status: 1)
        default: return .reply(Array((request.line + "\n").utf8), status: 0)
        }
    }
}

/// A client that does what it likes.
private final class RawClient {
    private var descriptor: Int32

    init(_ path: String) throws {
        descriptor = shim_connect(path)
        guard descriptor >= 0 else { throw HostError("cannot connect") }
    }

    deinit { close() }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ octets: [UInt8]) { _ = shim_write(descriptor, octets, octets.count) }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() {
        if descriptor >= 0 { shim_close(descriptor) }
        descriptor = -1
    }

    /// What there is to read now.
    func available() -> String {
        var text: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += room[..<count]
        }
    }

    /// What there is until the other side closes, which is waited for.
    func everything() -> String {
        var text: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        _ = shim_patience(descriptor, 10)
        while true {
            let count = shim_read(descriptor, &room, room.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += room[..<count]
        }
    }
}

private func descriptors(of server: LocalServer) -> Int {
    var set = DescriptorSet()
    server.addDescriptors(to: &set)
    return set.interests.count
}

private func complaint(_ action: () throws -> Void) -> String? {
    do {
        try action()
        return nil
    } catch {
        return (error as? HostError)?.explanation
    }
}
