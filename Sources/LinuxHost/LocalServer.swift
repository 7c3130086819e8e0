import CShim
public import Ports
public import Wire

/// The agent's end of the local socket: a stream socket in the file system, mode 0600, for root and the agent's user.
///
/// It never blocks, and holds little: sixteen clients, each with a limit of time and of octets. A client that does
/// not ask, or does not read, is dropped. Clients that the system has no descriptors for wait a second.
///
/// How a request and its answer look is said at ``AnswerHead``.
public final class LocalServer: LocalControl {
    static let mostClients = 16

    public var answerer: (any LocalAnswerer)?

    private let path: String
    private let lock: Descriptor
    private let listener: Descriptor
    private var clients: [LocalConnection] = []
    private var accepted: UInt64 = 0
    private let journal: (any Journal)?
    /// While clients wait: until when the listener is left alone.
    private var rests: Instant?
    /// Lets somebody in; tests put in its place what happens where there are no descriptors.
    var letIn: (Int32) -> Int32 = { shim_accept($0) }

    /// Takes the place of a server that ended without cleaning up, but not that of one that lives.
    ///
    /// - Throws: When another agent has the path, or the system refuses it.
    public init(path: String, journal: (any Journal)? = nil) throws(HostError) {
        ignoreBrokenPipes()
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            let made = shim_make_directories(String(path[..<slash]), 0o700)
            guard made >= 0 else { throw HostError("\(path): no directory for it: \(reason(made))") }
        }
        // The system gives the lock back however its owner ends, so who has it is alive.
        let locked = shim_lock(path + ".lock")
        if locked == shim_error_again { throw HostError("\(path): another agent runs there") }
        guard locked >= 0 else { throw HostError("\(path).lock: \(reason(locked))") }
        let lock = Descriptor(locked)
        let opened = shim_listen(path, Int32(Self.mostClients))
        guard opened >= 0 else { throw HostError("\(path): cannot listen there: \(reason(opened))") }
        self.path = path
        self.journal = journal
        self.lock = lock
        listener = Descriptor(opened)
    }

    deinit { _ = shim_remove_socket(path) }

    public var deadline: Instant? {
        var earliest = rests
        for client in clients { earliest = Instant.earliest(earliest, client.deadline) }
        return earliest
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        if rests == nil { set.add(listener.number) }
        for client in clients { client.addDescriptors(to: &set) }
    }

    public func turn(at now: Instant) {
        accept(at: now)
        // Answering may broadcast, which may drop clients: this walks over those that were there before.
        for client in clients {
            if let line = client.turn(at: now) { answer(line, client, at: now) }
        }
        dropFinished()
    }

    public func broadcast(_ line: String) {
        guard hasListeners else { return }
        let octets = Array(line.utf8) + [UInt8(ascii: "\n")]
        for client in clients { client.broadcast(octets) }
        dropFinished()
    }

    public var hasListeners: Bool { clients.contains { $0.isListening } }

    private func answer(_ request: RequestLine, _ client: LocalConnection, at now: Instant) {
        switch request {
        case .text(let line):
            guard let answerer else {
                client.answer(.reply(Array("the agent does not answer yet\n".utf8), status: 1), at: now)
                return
            }
            let request = LocalRequest(line: line, client: client.number, process: client.process)
            client.answer(answerer.answer(request, at: now), at: now)
        case .tooLong:
            client.answer(.reply(Array("the request is too long\n".utf8), status: 2), at: now)
        case .notText:
            client.answer(.reply(Array("the request is not UTF-8\n".utf8), status: 2), at: now)
        }
    }

    /// At most a backlog's worth a turn, so that clients cannot keep the loop here.
    private func accept(at now: Instant) {
        if let rests, now < rests { return }
        for _ in 0..<Self.mostClients {
            let connection = letIn(listener.number)
            if connection == Int32(shim_error_again) { break }
            guard connection >= 0 else { return rest(at: now, connection) }
            let descriptor = Descriptor(connection)
            var process: Int32 = 0
            var user: UInt32 = 0
            guard shim_peer(connection, &process, &user) >= 0, user == 0 || user == shim_user() else {
                continue
            }
            accepted += 1
            let client = LocalConnection(descriptor, number: accepted, process: process, at: now)
            if clients.count < Self.mostClients {
                clients.append(client)
            } else {
                client.answer(.reply(Array("the agent has too many clients\n".utf8), status: 1), at: now)
            }
        }
        rests = nil
    }

    /// A client that cannot be let in stays readable: the loop would go round and round.
    private func rest(at now: Instant, _ error: Int32) {
        if rests == nil { journal?.write(.warning, "clients of \(path) have to wait: \(reason(error))") }
        rests = now + .seconds(1)
    }

    private func dropFinished() {
        clients.removeAll { $0.isFinished }
    }
}
