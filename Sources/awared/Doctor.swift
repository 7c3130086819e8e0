import Crypto
import LinuxHost
import Ports
import Programs
import Wire

/// One thing that the board can or cannot do.
private struct Finding {
    var what: String
    var isGood: Bool
    var explanation: String
}

/// Says what this board can do, and why not the rest. Fails where the accessory could not run as it is asked to.
func doctor(_ command: ParsedArguments, _ place: StatePlace) -> Int32 {
    guard let choice = RadioChoice(command.value("radio") ?? "auto") else {
        return complain("--radio is auto, kernel[:PHY] or air[:DIR]", status: ExitStatus.usage)
    }
    let findings = [examine(choice), examine(place)]
    if command.has("json") {
        StandardStream.output.write(
            JSONWriter.array { list in
                for finding in findings {
                    list.object {
                        $0.member("what", finding.what)
                        $0.member("good", finding.isGood)
                        $0.member("explanation", finding.explanation)
                    }
                }
            } + "\n")
    } else {
        var table = Table(["", "WHAT", "WHY"])
        for finding in findings {
            table.row([finding.isGood ? "ok" : "no", finding.what, finding.explanation])
        }
        StandardStream.output.write(table.text)
    }
    return findings.allSatisfy { $0.isGood } ? ExitStatus.done : ExitStatus.failed
}

private func examine(_ choice: RadioChoice) -> Finding {
    do throws(RadioError) {
        _ = try choice.open(network: HostNetwork(), journal: SilentJournal(), capture: nil)
    } catch {
        return Finding(what: "radio", isGood: false, explanation: error.explanation)
    }
    return Finding(
        what: "radio", isGood: true,
        explanation: "the simulated air, between programs of this machine; this version has no kernel radio")
}

private func examine(_ place: StatePlace) -> Finding {
    do throws(StoreError) {
        let names = try place.store().names()
        return Finding(
            what: "state", isGood: true, explanation: "\(names.count) records in \(place.directory)")
    } catch {
        return Finding(what: "state", isGood: false, explanation: error.explanation)
    }
}

private final class SilentJournal: Journal {
    func write(_ importance: Importance, _ line: String) {}
}
