import Crypto
import Foundation
import Ports
import SystemBus
import Testing
import Wire

/// A message bus of our own.
final class PrivateBus {
    static let program = "/usr/bin/dbus-daemon"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "bus-\(UUID().uuidString)")
    private let process = Process()
    var address: String { "unix:path=\(directory.path)/bus" }

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--session", "--nofork", "--nopidfile", "--address=\(address)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: directory.path + "/bus") {
            usleep(10_000)
        }
    }

    func stop() {
        // Whoever blocks signals hands that down; this one cannot be blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { stop() }
        try? FileManager.default.removeItem(at: directory)
    }
}

/// libsystemd's sd-bus against the bus's own daemon.
@Suite(.enabled(if: PrivateBus.isInstalled), .serialized)
struct SystemBusTests {
    let daemon: PrivateBus
    let service: SystemBus
    let client: SystemBus

    init() throws {
        daemon = try PrivateBus()
        service = try SystemBus(address: daemon.address)
        client = try SystemBus(address: daemon.address)
        // A connection is made while it is turned.
        while client.deadline != nil {
            _ = try client.nextMessage()
            usleep(1_000)
        }
        let asked = try service.send(
            BusCall(
                "RequestName", of: SystemBus.busName, at: "/org/freedesktop/DBus", on: SystemBus.busName,
                [.string("org.example.Service"), .uint32(0)]))
        #expect(try Self.next(of: service).kind == .answer(to: asked))
    }

    /// The next message that is no signal.
    static func next(of bus: SystemBus) throws -> BusMessage {
        for _ in 0..<6000 {
            if let message = try bus.nextMessage(), message.kind != .signal { return message }
            usleep(5_000)
        }
        throw BusError("nothing came")
    }

    func call(_ body: [BusValue]) throws -> UInt64 {
        try client.send(
            BusCall("Take", of: "org.example.Service", at: "/object", on: "org.example.Service", body))
    }

    @Test func `values of every type come back as they went`() throws {
        var deep = BusValue.variant(.string("end"))
        for _ in 0..<3 { deep = .variant(.dictionary([("key", deep)])) }
        let body: [BusValue] = [
            .octet(255), .boolean(true), .boolean(false), .int16(-2), .uint16(65535), .int32(-3),
            .uint32(.max),
            .int64(.min), .uint64(.max), .string("ü"), .string(""), .path("/a/b"), .signature("a{sv}"),
            .octets([]), .octets([0, 1, 255]), .array(of: "s", []),
            .array(of: "(yq)", [.structure([.octet(1), .uint16(2)])]),
            .dictionary([("one", .octets([1])), ("two", .array(of: "o", [.path("/")]))]), deep,
        ]
        let number = try call(body)
        let taken = try Self.next(of: service)
        #expect(taken.kind == .call && taken.member == "Take" && taken.path == "/object")
        #expect(taken.body == body)
        service.answer(taken.body)
        let answer = try Self.next(of: client)
        #expect(answer.kind == .answer(to: number))
        #expect(answer.body == body)
    }

    @Test func `a refusal has a name and a text`() throws {
        let number = try call([])
        _ = try Self.next(of: service)
        service.refuse(BusFailure("org.example.Error", "no"))
        #expect(try Self.next(of: client).kind == .failure(of: number, BusFailure("org.example.Error", "no")))
    }

    @Test func `a secret is written as a text`() throws {
        _ = try call([.secret(BusSecret(Key(Secret(Array("password".utf8)))))])
        #expect(try Self.next(of: service).body == [.string("password")])
    }

    @Test func `what D-Bus does not allow is not sent`() throws {
        let wrong: [BusValue] = [
            .string("zero\0octet"), .path("no/path"), .signature("a"), .array(of: "", []),
            .array(of: "s", [.octet(1)]), .secret(BusSecret(Key(Secret([0xff])))),
        ]
        for value in wrong {
            #expect(throws: BusError.self, "\(value)") { _ = try call([value]) }
        }
        #expect(throws: BusError.self) {
            _ = try client.send(
                BusCall("no member", of: "org.example.Service", at: "/", on: "org.example.Service"))
        }
        _ = try call([.octet(1)])
        #expect(try Self.next(of: service).body == [.octet(1)])
    }

    @Test func `more than is read is refused, and the connection lives on`() throws {
        let many = BusValue.array(of: "y", [])
        let rows = [BusValue](repeating: .array(of: "s", []), count: 20_000)
        let number = try call([.array(of: "as", rows), many])
        for _ in 0..<3000 {
            #expect(try service.nextMessage() == nil)
            if let message = try client.nextMessage(), message.kind != .signal {
                guard case .failure(number, let failure) = message.kind else {
                    Issue.record("\(message.kind)")
                    return
                }
                #expect(failure.name == "org.freedesktop.DBus.Error.LimitsExceeded")
                break
            }
            usleep(10_000)
        }
        _ = try call([.octet(1)])
        #expect(try Self.next(of: service).body == [.octet(1)])
    }

    @Test func `its descriptor becomes ready, and nothing else wakes it`() throws {
        while try service.nextMessage() != nil {}
        #expect(service.deadline == nil)
        var set = DescriptorSet()
        service.addDescriptors(to: &set)
        #expect(set.interests.count == 1)
        #expect(set.interests.first?.readable == true)
        #expect(set.interests.first?.writable == false)
    }

    @Test func `a bus that ends is told of`() throws {
        daemon.stop()
        #expect(throws: BusError.self) {
            for _ in 0..<6000 {
                _ = try client.nextMessage()
                usleep(5_000)
            }
        }
    }

    @Test func `no bus is told of at once`() {
        #expect(throws: BusError.self) { _ = try SystemBus(address: "unix:path=/nowhere/at/all") }
        #expect(throws: BusError.self) { _ = try SystemBus(address: "nonsense") }
    }
}

struct DaemonProcessTests {
    @Test func `a process is found by its name`() throws {
        let own = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
        #expect(daemonRuns(String(own)))
        #expect(!daemonRuns("no-such-daemon"))
        #expect(!daemonRuns(""))
    }
}
