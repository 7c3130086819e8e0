import Foundation
import Ports
import Testing
import Wire

@testable import LinuxRadio

/// A kernel that answers as a test wants, or not at all. Its descriptor never becomes readable.
private final class QuietKernel: MessageSocket {
    private let pipe = Pipe()
    var answers: [Reception] = []
    private(set) var asked = 0

    var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }
    func send(_ message: [UInt8]) { asked += 1 }
    func receive() -> Reception { answers.isEmpty ? .nothing : answers.removeFirst() }
}

struct ConversationTests {
    private let requests = WirelessRequests(family: 0x25)
    private let kernel = QuietKernel()

    private func conversation(patience: UInt64) -> Conversation {
        Conversation(kernel, eventKind: 0x25, patience: patience)
    }

    /// An acknowledgement of the first request, numbered 1.
    private static let acknowledgement: [UInt8] =
        [36, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 20)

    @Test func `an answer ends the wait`() throws {
        kernel.answers = [.nothing, .overrun, .datagram([1, 2, 3]), .datagram(Self.acknowledgement)]
        let conversation = conversation(patience: 20_000)
        #expect(try conversation.ask(requests.stop(Recordings.device)).isEmpty)
        #expect(conversation.overruns == 1 && conversation.malformed == 1)
        #expect(conversation.silence == nil)
    }

    @Test func `a kernel that does not answer is given up in time, and not asked again`() throws {
        let conversation = conversation(patience: 50_000)
        let began = ContinuousClock.now
        let error = #expect(throws: RadioError.self) {
            try conversation.ask(requests.stop(Recordings.device))
        }
        #expect(error == RadioError(.gone, "the kernel does not answer: stop NAN"))
        #expect(ContinuousClock.now - began >= .milliseconds(50))
        kernel.answers = [.datagram(Self.acknowledgement)]
        #expect(throws: RadioError.self) { try conversation.ask(requests.stop(Recordings.device)) }
        #expect(throws: RadioError.self) { try conversation.takeEvents() }
        #expect(kernel.asked == 1)
    }

    @Test func `the wait is one that a drone bears`() throws {
        let conversation = Conversation(kernel, eventKind: nil)
        let began = ContinuousClock.now
        #expect(throws: RadioError.self) { try conversation.ask(requests.listRadios()) }
        #expect(.seconds(2) ... .seconds(10) ~= ContinuousClock.now - began)
    }
}
