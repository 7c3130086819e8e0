import Aware
import Frames
import LinuxHost
import Phone
import Ports
import Programs
import Runtime
import Wire

/// `aware scan`: which accessories are there.
final class Scan: PhoneOwner {
    /// Looked for where nobody names a service, so that accessories that only answer are found as well.
    private static let wellKnown = [
        "_drone-service._udp", "_sensor-service._udp", "_file-service._tcp", "_media-service._tcp",
    ]

    private let command: ParsedArguments
    private let services: [ServiceName]
    private let span: TimeUnits

    init(_ command: ParsedArguments) throws(Obstacle) {
        self.command = command
        var services: [ServiceName] = []
        for name in command.value("service").map({ [$0] }) ?? Self.wellKnown {
            services.append(try Session.service(name))
        }
        self.services = services
        guard let seconds = UInt32(command.value("for") ?? "5"), (1...3_600).contains(seconds) else {
            throw .usage("--for is a number of seconds from 1 to 3600")
        }
        span = .seconds(seconds)
    }

    func run() throws(Obstacle) -> Int32 {
        let session = try Session(command, owner: self)
        let services = self.services
        session.agent.ask(at: session.clock.now) { $0.scan(for: services) }
        session.add(
            Timer(at: session.clock.now + span) { [self] _ in
                StandardStream.output.write(report(session.agent.phone))
                session.end(ExitStatus.done)
            })
        return session.run()
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        if case .failed(let reason) = action { endProgram(with: complain(reason)) }
    }

    private struct Entry {
        var service: String
        var names: PairingInformation
        var isPaired: Bool
        var signal: Int8
    }

    private func report(_ phone: Phone) -> String {
        var entries: [Entry] = []
        for discovery in phone.subscriber.discoveries {
            let entry = self.entry(discovery, phone.accessory(of: discovery))
            if isWanted(entry) { entries.append(entry) }
        }
        return command.has("json") ? json(entries) : table(entries)
    }

    private func entry(_ discovery: Discovery, _ known: PairedPeer?) -> Entry {
        let name = services.first { $0.identifier == discovery.service }?.text
        return Entry(
            service: name ?? String(hex: discovery.service.octets),
            names: discovery.information
                ?? PairingInformation(
                    pairingName: known?.name.text ?? "", vendorName: known?.vendor.text ?? "",
                    modelName: known?.model.text ?? ""),
            isPaired: known != nil, signal: discovery.signal)
    }

    private func isWanted(_ entry: Entry) -> Bool {
        for (wanted, is_) in [
            (command.value("service"), entry.service), (command.value("vendor"), entry.names.vendorName),
            (command.value("model"), entry.names.modelName),
        ] {
            if let wanted, wanted != is_ { return false }
        }
        return true
    }

    private func json(_ entries: [Entry]) -> String {
        JSONWriter.array { list in
            for entry in entries {
                list.object {
                    $0.member("service", entry.service)
                    $0.member("vendor", entry.names.vendorName)
                    $0.member("model", entry.names.modelName)
                    $0.member("name", entry.names.pairingName)
                    $0.member("paired", entry.isPaired)
                    $0.member("signal_dbm", entry.signal)
                    $0.member("transports", ["wifi-aware"])
                }
            }
        } + "\n"
    }

    private func table(_ entries: [Entry]) -> String {
        guard !entries.isEmpty else { return "no accessory is there\n" }
        var table = Table(["SERVICE", "NAME", "VENDOR", "MODEL", "PAIRED", "SIGNAL"])
        for entry in entries {
            table.row([
                entry.service, entry.names.pairingName, entry.names.vendorName, entry.names.modelName,
                entry.isPaired ? "yes" : "no", "\(entry.signal) dBm",
            ])
        }
        return table.text
    }
}
