import Aware
import Crypto
import Frames
import LinuxHost
import Phone
import Ports
import Programs
import Runtime
import Wire

/// `aware pair SERVICE`: pairs with the nearest accessory that lets itself be paired.
final class Pair: PhoneOwner {
    private let command: ParsedArguments
    private let service: ServiceName
    private let isJSON: Bool
    private var session: Session?

    init(_ command: ParsedArguments, service: String) throws(Obstacle) {
        self.command = command
        self.service = try Session.service(service)
        isJSON = command.has("json")
        if let pin = command.value("pin"), !Self.isPIN(pin) { throw .usage("a PIN has four to eight digits") }
    }

    func run() throws(Obstacle) -> Int32 {
        let session = try Session(command, owner: self)
        self.session = session
        let service = self.service
        session.agent.ask(at: session.clock.now) { $0.pair(with: service, at: session.clock.now) }
        return session.run()
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        switch action {
        case .askPIN(let discovery):
            let name = discovery.information?.pairingName ?? discovery.publisher.description
            guard let pin = command.value("pin") ?? ask(name.printable) else {
                session?.end(complain("no PIN was given"))
                return
            }
            agent.ask(at: now) { $0.enter(pin: Secret(Array(pin.utf8)), at: now) }
        case .paired(let accessory):
            StandardStream.output.write(
                isJSON
                    ? JSONWriter.object {
                        $0.member("id", accessory.id)
                        $0.member("name", accessory.name.text)
                        $0.member("vendor", accessory.vendor.text)
                        $0.member("model", accessory.model.text)
                    } + "\n" : "paired \(accessory.name.text) (\(accessory.id))\n")
            session?.end(ExitStatus.done)
        case .failed(let reason):
            session?.end(complain(reason))
        case .note(let note):
            if command.has("verbose") { StandardStream.error.write("\(note)\n") }
        case .found, .connected, .disconnected, .radio, .save:
            break
        }
    }

    /// Waits for the person; the accessory waits too, and nothing else is to be done meanwhile.
    private func ask(_ name: String) -> String? {
        if StandardInput.isTerminal { StandardStream.error.write("PIN shown by \(name): ") }
        guard let line = StandardInput.readLine(limit: 64) else { return nil }
        let pin = String(decoding: line.utf8.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        return Self.isPIN(pin) ? pin : nil
    }

    private static func isPIN(_ text: String) -> Bool {
        (4...8).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
