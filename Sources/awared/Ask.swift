import LinuxHost
import Programs

/// Has the running agent do or tell something.
func ask(_ command: ParsedArguments, _ operands: [String], _ place: StatePlace) -> Int32 {
    var words = [command.operands[0]] + operands
    switch words[0] {
    case "forget":
        guard command.has("all") != (operands.count == 1) else {
            return complain("forget takes a device or --all", status: ExitStatus.usage)
        }
        if command.has("all") { words.append("--all") }
    case "pairing":
        guard operands[0] == "open" || operands[0] == "close" else {
            return complain("pairing open or pairing close", status: ExitStatus.usage)
        }
        if let seconds = command.value("for") { words.append(seconds) }
    default: break
    }
    for word in words where word.utf8.contains(UInt8(ascii: " ")) || word.isEmpty {
        return complain("no device is called \"\(word)\"", status: ExitStatus.usage)
    }
    if command.has("json") { words.append("--json") }
    do throws(HostError) {
        return Int32(try LocalClient.ask(words.joined(separator: " "), at: place.socket))
    } catch {
        return complain("\(error.explanation); start it with awared run, or name its state with --state")
    }
}
