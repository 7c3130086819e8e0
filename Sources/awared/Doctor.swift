import Crypto
import LinuxBluetooth
import LinuxBoard
import LinuxHost
import LinuxRadio
import Ports
import Programs
import Wire

/// One thing that the board can or cannot do.
private struct Finding {
    var what: String
    var isGood: Bool
    var explanation: String
    /// Whether the accessory cannot run without it.
    var isNeeded = true
}

/// Says what this board can do, and why not the rest. Fails where the accessory could not run as it is asked to.
func doctor(_ command: ParsedArguments, _ place: StatePlace) -> Int32 {
    let choice: RadioChoice
    do throws(Obstacle) { choice = try RadioChoice(of: command) } catch {
        return complain(error.explanation, status: error.status)
    }
    var findings: [Finding] = []
    if command.has("panel") {
        guard command.has("board") else {
            return complain("doctor --panel needs --board FILE", status: ExitStatus.usage)
        }
    } else {
        findings = examineKernelRadios() + examineBluetooth() + [examine(choice), examine(place)]
    }
    if let file = command.value("board") {
        do throws(ConfigurationError) {
            findings += try examineBoard(file, showing: command.has("panel"), place)
        } catch {
            return complain(error.description, status: ExitStatus.usage)
        }
    }
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
    return findings.allSatisfy { $0.isGood || !$0.isNeeded } ? ExitStatus.done : ExitStatus.failed
}

/// What `bands` may be set to.
private func bands(of radio: RadioFinding) -> String {
    switch radio.bands {
    case .lower: "at 2.4 GHz"
    case .both: "at 2.4 and 5 GHz"
    }
}

/// One finding a radio of the kernel, or one that says why there are none.
private func examineKernelRadios() -> [Finding] {
    do throws(RadioError) {
        let radios = try RadioSurvey.findings()
        guard !radios.isEmpty else {
            return [
                Finding(what: "kernel radio", isGood: false, explanation: "there is none", isNeeded: false)
            ]
        }
        var findings: [Finding] = []
        for radio in radios {
            findings.append(
                Finding(
                    what: radio.name, isGood: radio.obstacle == nil,
                    explanation: radio.obstacle ?? "can be an accessory's radio, \(bands(of: radio))",
                    isNeeded: false))
        }
        return findings
    } catch {
        return [Finding(what: "kernel radio", isGood: false, explanation: error.explanation, isNeeded: false)]
    }
}

/// One finding a controller, or one that says why there is none.
private func examineBluetooth() -> [Finding] {
    var findings: [Finding] = []
    for controller in BluetoothSurvey.findings() {
        var explanation = controller.obstacle ?? "can be an accessory's Bluetooth"
        if !controller.remark.isEmpty { explanation += "; " + controller.remark }
        findings.append(
            Finding(
                what: controller.name, isGood: controller.obstacle == nil, explanation: explanation,
                isNeeded: false))
    }
    return findings
}

/// One finding a part. While an agent runs it has the parts, and says how they are.
private func examineBoard(
    _ file: String, showing isShowing: Bool, _ place: StatePlace
) throws(ConfigurationError) -> [Finding] {
    let board = try readBoard(file)
    let hold: LocalServer
    do throws(HostError) { hold = try LocalServer(path: place.socket) } catch {
        return [
            Finding(
                what: "board", isGood: false,
                explanation: "\(error.explanation): awared status says how the parts are", isNeeded: isShowing
            )
        ]
    }
    var findings: [Finding] = []
    for part in PartTest(board).run(showing: isShowing) {
        findings.append(
            Finding(
                what: part.name, isGood: part.fault == nil,
                explanation: part.fault ?? (isShowing ? "showed the test pattern" : "is there"),
                isNeeded: isShowing))
    }
    _ = hold.hasListeners
    return findings
}

private func examine(_ choice: RadioChoice) -> Finding {
    do throws(RadioError) {
        let opened = try choice.open(network: HostNetwork(), journal: SilentJournal(), capture: nil)
        return Finding(what: "radio", isGood: true, explanation: RadioChoice.description(of: opened))
    } catch {
        return Finding(what: "radio", isGood: false, explanation: error.explanation)
    }
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
