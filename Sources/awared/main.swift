import Crypto
import LinuxHost
import Programs
import Wire

let usage = """
    usage: awared VERB [OPTIONS]

      run --config FILE            be the accessory, until SIGTERM; SIGHUP reads the file again
      check [FILE] [--board FILE]  is this configuration, or this board file, right?
      doctor [--board FILE]        what can this board do, and why not the rest?
      doctor --panel --board FILE  show a test pattern on every panel, for eight seconds

    of the agent that runs:
      status                       how it is
      devices                      the paired devices, and those that paired over Bluetooth only
      forget ID | --all            forget one of them, or all
      pairing open [--for SECONDS] let strangers pair for a while
      pairing close                no longer
      watch                        events as they happen, a JSON object a line

      --radio auto|kernel[:PHY]|air[:DIR]
                                   auto: the simulated air where there is no kernel radio
      --board FILE                 what hangs on the board (run, check, doctor)
      --state DIR                  where the identity and the paired devices are kept
      --capture FILE.pcapng        take down what is on the air (run)
      --json                       print a JSON document instead of a table
      -v, --verbose                say more
      -h, --help

    """

let options = [
    Option("config", takesValue: true), Option("board", takesValue: true),
    Option("capture", takesValue: true),
    Option("radio", takesValue: true), Option("state", takesValue: true), Option("for", takesValue: true),
    Option("all"), Option("panel"), Option("json"), Option("verbose", letter: UInt8(ascii: "v")),
    Option("help", letter: UInt8(ascii: "h")),
]

func complain(_ text: String, status: Int32 = ExitStatus.failed) -> Int32 {
    Programs.complain("awared", text, status: status)
}

func main() -> Int32 {
    let command: ParsedArguments
    do throws(UsageError) { command = try Arguments.ofProcess.parsed(options: options) } catch {
        return ExitStatus.usage
    }
    if command.has("help") {
        StandardStream.output.write(usage)
        return ExitStatus.done
    }
    let place = StatePlace(command.value("state"), program: "awared")
    let operands = Array(command.operands.dropFirst())
    switch (command.operands.first, operands.count) {
    case ("run", 0): return run(command, place)
    case ("check", 1): return check(operands[0], board: command.value("board"), isJSON: command.has("json"))
    case ("check", 0) where command.has("board"):
        return check(nil, board: command.value("board"), isJSON: command.has("json"))
    case ("doctor", 0): return doctor(command, place)
    case ("status", 0), ("devices", 0), ("watch", 0), ("forget", 0), ("forget", 1), ("pairing", 1):
        return ask(command, operands, place)
    case (let verb?, _):
        return complain("do not understand \"\(verb)\" here; try awared --help", status: ExitStatus.usage)
    case (nil, _):
        StandardStream.error.write(usage)
        return ExitStatus.usage
    }
}

hideMemory()
CryptoLibrary.start()
endProgram(with: main())
