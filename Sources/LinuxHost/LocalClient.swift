import CShim

/// The programs' end of the local socket.
public enum LocalClient {
    /// How long an agent may think, in seconds. It answers within a turn of its loop.
    private static let patience: Int32 = 10

    /// Sends the request, given without its end, writes the answer as it comes, and returns the status to end with.
    ///
    /// An answer with status 0 goes to standard output, another to standard error.
    /// - Throws: Where no agent runs at the path, or its answer is not whole.
    public static func ask(_ request: String, at path: String) throws(HostError) -> UInt8 {
        try ask(
            request, at: path, output: StandardStream.output.rawValue, error: StandardStream.error.rawValue)
    }

    static func ask(
        _ request: String, at path: String, output: Int32, error: Int32
    ) throws(HostError) -> UInt8 {
        let octets = Array(request.utf8)
        guard octets.count < AnswerHead.longestRequest, !octets.contains(UInt8(ascii: "\n")) else {
            throw HostError("the request is longer than a line of \(AnswerHead.longestRequest) octets")
        }
        ignoreBrokenPipes()
        let agent = try connect(to: path)
        _ = (octets + [UInt8(ascii: "\n")]).withUnsafeBytes { writeAll($0, to: agent.number) }
        _ = shim_patience(agent.number, patience)
        let head = try readHead(agent.number)
        _ = shim_patience(agent.number, head.count == nil ? 0 : patience)
        try copy(head, from: agent.number, to: head.status == 0 ? output : error)
        return head.status
    }

    private static func connect(to path: String) throws(HostError) -> Descriptor {
        let connected = shim_connect(path)
        if connected == shim_error_missing || connected == shim_error_refused {
            throw HostError("no agent runs with its socket at \(path)")
        }
        guard connected >= 0 else { throw HostError("\(path): \(reason(connected))") }
        return Descriptor(connected)
    }

    private static func readHead(_ agent: Int32) throws(HostError) -> AnswerHead {
        var line: [UInt8] = []
        while line.count < AnswerHead.longest {
            var octet: UInt8 = 0
            let count = shim_read(agent, &octet, 1)
            if count == Int(shim_error_again) { throw HostError("the agent does not answer") }
            guard count == 1 else { throw HostError("the agent ended before it answered") }
            if octet == UInt8(ascii: "\n") { break }
            line.append(octet)
        }
        guard let head = AnswerHead(parsing: line) else {
            throw HostError("what answers is no agent, or one of another version")
        }
        return head
    }

    private static func copy(_ head: AnswerHead, from agent: Int32, to output: Int32) throws(HostError) {
        var room = [UInt8](repeating: 0, count: 4096)
        var missing = head.count ?? Int.max
        while missing > 0 {
            let wanted = min(room.count, missing)
            let count = room.withUnsafeMutableBytes { shim_read(agent, $0.baseAddress, wanted) }
            guard count > 0 else {
                throw HostError(
                    head.count == nil ? "the agent ended" : "the agent ended in the middle of its answer")
            }
            missing -= count
            let written = room.withUnsafeBytes {
                writeAll(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: output)
            }
            // Whoever reads us has had enough.
            if written == Int(shim_error_pipe) { return }
            guard written >= 0 else { throw HostError("the answer cannot be written: \(reason(written))") }
        }
    }
}
