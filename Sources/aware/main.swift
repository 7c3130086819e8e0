import Crypto
import LinuxHost
import Programs

let usage = """
    usage: aware VERB [OPTIONS]

      scan                         look for accessories
      pair SERVICE                 pair with the nearest that shows a PIN
      connect SERVICE              open a data path and keep it open
      devices                      the paired accessories
      forget DEVICE | --all        forget one, or all
      decode CAPTURE               the NAN frames of a capture, field by field; see aware decode --help

      --service S, --vendor V, --model M
                                   scan: only what is so
      --for SECONDS                scan: how long (5)
      --pin PIN                    pair: instead of asking for it
      --name NAME                  pair: how this machine introduces itself
      --listen ADDR:PORT           connect: where programs of this machine reach the service
      --device ID                  connect: this accessory and no other
      --watch                      devices: which of them are there, as it changes
      --radio auto|kernel[:PHY]|air[:DIR]
                                   auto: the simulated air where there is no kernel radio
      --state DIR                  where the identity and the paired accessories are kept
      --capture FILE.pcapng        take down what is on the air
      --json                       print a JSON document instead of a table
      -v, --verbose                say more
      -h, --help

    """

let options = [
    Option("service", takesValue: true), Option("vendor", takesValue: true),
    Option("model", takesValue: true),
    Option("for", takesValue: true), Option("pin", takesValue: true), Option("name", takesValue: true),
    Option("listen", takesValue: true), Option("device", takesValue: true), Option("watch"), Option("all"),
    Option("radio", takesValue: true), Option("state", takesValue: true), Option("capture", takesValue: true),
    Option("json"), Option("verbose", letter: UInt8(ascii: "v")), Option("help", letter: UInt8(ascii: "h")),
]

func complain(_ text: String, status: Int32 = ExitStatus.failed) -> Int32 {
    Programs.complain("aware", text, status: status)
}

func main() -> Int32 {
    let words = Arguments.ofProcess.words
    if words.dropFirst().first == "decode" { return decode(Array(words.dropFirst(2))) }

    let command: ParsedArguments
    do throws(UsageError) { command = try Arguments(words).parsed(options: options) } catch {
        return ExitStatus.usage
    }
    if command.has("help") {
        StandardStream.output.write(usage)
        return ExitStatus.done
    }
    do throws(Obstacle) {
        let operands = Array(command.operands.dropFirst())
        switch (command.operands.first, operands.count) {
        case ("scan", 0): return try Scan(command).run()
        case ("pair", 1): return try Pair(command, service: operands[0]).run()
        case ("connect", 1): return try Connect(command, service: operands[0]).run()
        case ("devices", 0):
            return try command.has("watch") ? WatchDevices(command).run() : listDevices(command)
        case ("forget", 0), ("forget", 1): return try forget(operands.first, command)
        case (let verb?, _):
            return complain("do not understand \"\(verb)\" here; try aware --help", status: ExitStatus.usage)
        case (nil, _):
            StandardStream.error.write(usage)
            return ExitStatus.usage
        }
    } catch {
        return complain(error.explanation, status: error.status)
    }
}

hideMemory()
CryptoLibrary.start()
endProgram(with: main())
