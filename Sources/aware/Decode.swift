import CShim
import Captures
import Crypto
import LinuxHost
import Wire

/// `aware decode CAPTURE [--nd-pmk HEX] [--nik HEX] [--nm-tk HEX] [--json]`: the NAN frames of a capture.
///
/// - Parameter arguments: What follows the verb.
/// - Returns: The exit status: 1 where the file cannot be read to its end, 2 for bad usage.
func decode(_ arguments: [String]) -> Int32 {
    do throws(DecodeUsage) {
        return try DecodeCommand(arguments).run()
    } catch {
        if let message = error.message { Terminal.complain(message) }
        Terminal.complain(DecodeCommand.usage)
        return 2
    }
}

/// The command line is wrong; `message` says how, unless getopt_long has said it.
private struct DecodeUsage: Error {
    var message: String?
}

private struct DecodeCommand {
    static let usage = """
        usage: aware decode CAPTURE [--nd-pmk HEX]... [--nik HEX]... [--nm-tk HEX]... [--json]
          CAPTURE   a pcap or pcapng file of 802.11 frames, or of netlink; - for standard input
          --nd-pmk  a data path's master key, 32 octets: checks the MICs of M2 to M4, unwraps key data
          --nik     an identity key, 16 octets: tells which sender has it
          --nm-tk   a pairing's management key for CCMP-128, 16 octets: decrypts protected frames
          --json    one array with an object for each frame
        """

    private let path: String
    private let isJSON: Bool
    private let keys: CaptureDecoder.Keys

    init(_ arguments: [String]) throws(DecodeUsage) {
        let parsed: ParsedArguments
        do throws(UsageError) {
            parsed = try Arguments(["aware decode"] + arguments).parsed(options: [
                Option("nd-pmk", takesValue: true), Option("nik", takesValue: true),
                Option("nm-tk", takesValue: true), Option("json"),
            ])
        } catch {
            throw DecodeUsage(message: nil)
        }
        guard parsed.operands.count == 1 else {
            throw DecodeUsage(message: "aware decode: name one capture file")
        }
        path = parsed.operands[0]
        isJSON = parsed.has("json")
        keys = CaptureDecoder.Keys(
            dataPathMasters: try Self.keys(parsed, "nd-pmk", count: 32),
            identities: try Self.keys(parsed, "nik", count: 16),
            management: try Self.keys(parsed, "nm-tk", count: CCMP.keyCount))
    }

    private static func keys(
        _ parsed: ParsedArguments, _ name: String, count: Int
    ) throws(DecodeUsage) -> [Key] {
        var keys: [Key] = []
        for option in parsed.given where option.name == name {
            guard let octets = [UInt8](hex: option.value ?? ""), octets.count == count else {
                throw DecodeUsage(
                    message: "aware decode: --\(name) takes \(count) octets, \(2 * count) hexadecimal digits")
            }
            keys.append(Key(Secret(octets)))
        }
        return keys
    }

    func run() -> Int32 {
        guard path != "-" else { return show(0) }
        let descriptor = path.withCString { shim_open_file(shim_here(), $0) }
        guard descriptor >= 0 else {
            Terminal.complain("aware decode: cannot open \(path.printable): \(Terminal.reason(descriptor))")
            return 1
        }
        defer { shim_close(descriptor) }
        return show(descriptor)
    }

    /// Shows frame after frame as they are read, so that a capture of any size needs no more room than one.
    private func show(_ descriptor: Int32) -> Int32 {
        var output = DecodeOutput(isJSON: isJSON)
        var status: Int32 = 0
        do throws(CaptureError) {
            var reader = try CaptureReader(descriptor: descriptor)
            var decoder = CaptureDecoder(keys: keys)
            while let packet = try reader.next() {
                guard let frame = decoder.decode(packet) else { continue }
                // Nobody reads any more: a pager that was left.
                guard output.show(frame) else { return 0 }
            }
        } catch {
            Terminal.complain("aware decode: \(path.printable): \(Self.text(of: error))")
            status = 1
        }
        output.end()
        return status
    }

    private static func text(of error: CaptureError) -> String {
        guard case .unreadable(let number) = error.reason else { return error.description }
        return "cannot be read: \(Terminal.reason(number))"
    }
}

/// Frames, as a document or as lines.
private struct DecodeOutput {
    let isJSON: Bool
    private var isFirst = true

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// False where the output is closed.
    mutating func show(_ frame: DecodedFrame) -> Bool {
        defer { isFirst = false }
        if isJSON { return Terminal.write((isFirst ? "[" : ",\n") + frame.json) }
        var text = ""
        for line in frame.lines { text += line + "\n" }
        return Terminal.write(text)
    }

    func end() {
        if isJSON { _ = Terminal.write(isFirst ? "[]\n" : "]\n") }
    }
}

/// Standard output and standard error.
private enum Terminal {
    /// Writes everything; false where it does not go.
    static func write(_ text: String, to descriptor: Int32 = 1) -> Bool {
        let octets = Array(text.utf8)
        return octets.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                let count = shim_write(descriptor, rest.baseAddress, rest.count)
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    static func complain(_ line: String) {
        _ = write(line + "\n", to: 2)
    }

    /// The system's words for an error number, whichever its sign.
    static func reason(_ error: Int32) -> String {
        guard let text = shim_reason(error) else { return "error \(error)" }
        return String(cString: text)
    }
}
