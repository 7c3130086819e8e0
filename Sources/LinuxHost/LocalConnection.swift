import CShim
import Ports
import Wire

/// What a client asked.
enum RequestLine: Equatable {
    case text(String)
    case tooLong
    case notText
}

/// One client of the local server.
///
/// Legal transitions: asking → replying → finished, asking → listening → finished, asking → finished.
final class LocalConnection {
    private static let patienceForRequest = TimeUnits.seconds(5)
    private static let patienceForReply = TimeUnits.seconds(10)
    /// What a listener may be behind, in octets.
    static let mostPending = 64 * 1024

    private enum State {
        /// What came of the request so far, and until when the rest has to.
        case asking([UInt8], until: Instant)
        /// Until when the client has to have taken everything.
        case replying(until: Instant)
        case listening
        case finished
    }

    let number: UInt64
    let process: Int32
    private let descriptor: Descriptor
    private var state: State
    private var pending: [UInt8] = []
    private var taken = 0

    init(_ descriptor: consuming Descriptor, number: UInt64, process: Int32, at now: Instant) {
        self.descriptor = descriptor
        self.number = number
        self.process = process
        state = .asking([], until: now + Self.patienceForRequest)
    }

    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    var isListening: Bool {
        if case .listening = state { true } else { false }
    }

    var deadline: Instant? {
        switch state {
        case .asking(_, let until), .replying(let until): until
        case .listening, .finished: nil
        }
    }

    func addDescriptors(to set: inout DescriptorSet) {
        switch state {
        case .asking: set.add(descriptor.number)
        // What a client sends behind its request stays with the system.
        case .replying: set.add(descriptor.number, readable: false, writable: true)
        case .listening: set.add(descriptor.number, writable: !pending.isEmpty)
        case .finished: break
        }
    }

    /// Reads and writes what can be now. Returns the request once it is whole; it wants an answer at once.
    func turn(at now: Instant) -> RequestLine? {
        switch state {
        case .asking(let begun, let until):
            if now >= until {
                state = .finished
                return nil
            }
            return read(after: begun, until: until)
        case .replying(let until):
            flush()
            if now >= until { state = .finished }
            return nil
        case .listening:
            noticeEnd()
            flush()
            return nil
        case .finished:
            return nil
        }
    }

    func answer(_ answer: LocalAnswer, at now: Instant) {
        switch answer {
        case .reply(let octets, let status):
            pending = AnswerHead(status: status, count: octets.count).octets + octets
            state = .replying(until: now + Self.patienceForReply)
        case .stream(let octets):
            pending = AnswerHead(status: 0, count: nil).octets + octets
            state = .listening
        }
        flush()
    }

    /// Drops the client where it is too far behind.
    func broadcast(_ octets: [UInt8]) {
        guard case .listening = state else { return }
        guard pending.count - taken + octets.count <= Self.mostPending else {
            state = .finished
            return
        }
        pending += octets
        flush()
    }

    private func read(after begun: [UInt8], until: Instant) -> RequestLine? {
        var request = begun
        var room = [UInt8](repeating: 0, count: AnswerHead.longestRequest)
        let count = room.withUnsafeMutableBytes { shim_read(descriptor.number, $0.baseAddress, $0.count) }
        if count == Int(shim_error_again) { return nil }
        guard count > 0 else {
            state = .finished
            return nil
        }
        request += room[..<count]
        guard let end = request.firstIndex(of: UInt8(ascii: "\n")) else {
            if request.count >= AnswerHead.longestRequest { return .tooLong }
            state = .asking(request, until: until)
            return nil
        }
        guard end < AnswerHead.longestRequest else { return .tooLong }
        guard let line = String(validating: request[..<end], as: UTF8.self) else { return .notText }
        return .text(line)
    }

    /// A listener has nothing more to say: what it sends is dropped, and its end is the end.
    private func noticeEnd() {
        var room = [UInt8](repeating: 0, count: 256)
        let count = room.withUnsafeMutableBytes { shim_read(descriptor.number, $0.baseAddress, $0.count) }
        if count <= 0, count != Int(shim_error_again) { state = .finished }
    }

    private func flush() {
        while taken < pending.count {
            let count = pending.withUnsafeBytes {
                shim_write(descriptor.number, $0.baseAddress.map { $0 + taken }, $0.count - taken)
            }
            if count == Int(shim_error_again) { return keepRest() }
            guard count >= 0 else {
                state = .finished
                return
            }
            taken += count
        }
        pending.removeAll(keepingCapacity: true)
        taken = 0
        if case .replying = state { state = .finished }
    }

    private func keepRest() {
        pending.removeFirst(taken)
        taken = 0
    }
}
