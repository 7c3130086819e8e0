import CShim
import Ports
import Wire

/// Asks the kernel over one socket, and keeps the events that come in between.
///
/// A kernel that once did not answer in time is not asked again: what it did is not known any more, and each question
/// would hold up everything else in the program.
final class Conversation {
    /// The kernel answers at once; installing a key waited for others once, nearly a second under emulation. Two
    /// seconds are what a ground station bears without a heartbeat. In microseconds.
    private static let patience: UInt64 = 2_000_000
    /// Events that wait, at most. The kernel holds back what comes after them in the socket.
    private static let eventLimit = 512

    private let socket: any MessageSocket
    private let patience: UInt64
    /// Why nothing is asked any more.
    private(set) var silence: RadioError?
    private var sequence: UInt32 = 0
    private var events: [ArraySlice<UInt8>] = []
    /// Of event messages: the family's number.
    private let kind: UInt16?
    /// What was no netlink, and how often the kernel had to drop something.
    private(set) var malformed: UInt64 = 0
    private(set) var overruns: UInt64 = 0

    var descriptor: Int32 { socket.descriptor }

    /// - Parameter eventKind: the kind of messages that are events; nil where none are wanted.
    init(_ socket: any MessageSocket, eventKind: UInt16?, patience: UInt64 = Conversation.patience) {
        self.socket = socket
        self.patience = patience
        kind = eventKind
    }

    var hasEvents: Bool { !events.isEmpty }

    /// Has something done, and returns what the kernel answers to it, without headers.
    @discardableResult
    func ask(_ request: consuming NetlinkRequest) throws(RadioError) -> [ArraySlice<UInt8>] {
        if let silence { throw silence }
        var request = request
        sequence = sequence == .max ? 1 : sequence + 1
        request.setSequence(sequence)
        let name = request.name
        defer { request.erase() }
        try socket.send(request.octets)
        var replies: [ArraySlice<UInt8>] = []
        let end = shim_monotonic() + patience
        while true {
            switch socket.receive() {
            case .datagram(let datagram):
                do throws(KernelRefusal) {
                    if try take(datagram, &replies) { return replies }
                } catch {
                    throw error.radioError(name)
                }
            case .nothing: try wait(until: end, name)
            case .overrun: overruns += 1
            case .failed(let error): throw error
            }
        }
    }

    /// Takes in what has come. The messages of events, oldest first.
    func takeEvents() throws(RadioError) -> [ArraySlice<UInt8>] {
        if let silence { throw silence }
        var isDry = false
        while !isDry, events.count < Self.eventLimit {
            switch socket.receive() {
            case .datagram(let datagram):
                var none: [ArraySlice<UInt8>] = []
                // An answer that comes after its time is nobody's any more.
                _ = try? take(datagram, &none)
            case .nothing: isDry = true
            case .overrun: overruns += 1
            case .failed(let error): throw error
            }
        }
        let taken = events
        events.removeAll(keepingCapacity: true)
        return taken
    }

    /// Whether the answer to the latest request is complete.
    private func take(
        _ datagram: [UInt8], _ replies: inout [ArraySlice<UInt8>]
    ) throws(KernelRefusal) -> Bool {
        var isComplete = false
        var refusal: KernelRefusal?
        do throws(WireError) {
            for message in try NetlinkMessage.messages(in: datagram) {
                guard message.sequence == sequence, sequence != 0 else {
                    if message.sequence == 0, message.kind == kind { keep(message.body) }
                    continue
                }
                switch try message.meaning {
                case .data: replies.append(message.body)
                case .acknowledged, .done: isComplete = true
                case .refused(let no): refusal = no
                }
            }
        } catch {
            malformed += 1
        }
        if let refusal { throw refusal }
        return isComplete
    }

    private func keep(_ event: ArraySlice<UInt8>) {
        guard events.count < Self.eventLimit else {
            overruns += 1
            return
        }
        events.append(event)
    }

    private func wait(until end: UInt64, _ name: StaticString) throws(RadioError) {
        let now = shim_monotonic()
        guard now < end else {
            let error = RadioError(.gone, "the kernel does not answer: \(name)")
            silence = error
            throw error
        }
        var interest = shim_interest(descriptor: descriptor, wanted: Int16(shim_readable), ready: 0)
        _ = shim_wait(&interest, 1, Int64(end - now))
    }
}

extension KernelRefusal {
    func radioError(_ name: StaticString) -> RadioError {
        var explanation = "\(name): \(systemReason(number))"
        if !text.isEmpty { explanation += ": \(text)" }
        return RadioError(.system(number), explanation)
    }
}
