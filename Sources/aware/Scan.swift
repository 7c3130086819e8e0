import Aware
import BluetoothLE
import Frames
import LinuxBluetooth
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
        let search = startSearch(session)
        session.add(
            Timer(at: session.clock.now + span) { [self] _ in
                search?.stop()
                if let obstacle = search?.obstacle { explain(obstacle) }
                StandardStream.output.write(report(session.agent.phone, search?.sightings ?? []))
                session.end(ExitStatus.done)
            })
        return session.run()
    }

    /// Over Bluetooth as well, where this machine can.
    private func startSearch(_ session: Session) -> BluetoothSearch? {
        do throws(BluetoothObstacle) {
            let search = try BluetoothSearch()
            session.add(search)
            return search
        } catch {
            explain(error.explanation)
            return nil
        }
    }

    private func explain(_ obstacle: String) {
        StandardStream.error.write("aware: not searched over Bluetooth: \(obstacle)\n")
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        if case .failed(let reason) = action { endProgram(with: complain(reason)) }
    }

    private struct Entry {
        var service: String
        var names: PairingInformation
        var isPaired: Bool
        var signal: Int8
        var transports: [String]
        /// What it was seen as over Wi-Fi Aware, and as whom we know it.
        var identifier: [UInt8]
        var id: String?
    }

    private func report(_ phone: Phone, _ sightings: [BluetoothSearch.Sighting]) -> String {
        var entries: [Entry] = []
        for discovery in phone.subscriber.discoveries {
            entries.append(entry(discovery, phone.accessory(of: discovery)))
        }
        for sighting in sightings {
            if let tie = sighting.data.onboardingTie { merge(sighting, tie, into: &entries) }
        }
        let wanted = entries.filter(isWanted)
        return command.has("json") ? json(wanted) : table(wanted)
    }

    private func entry(_ discovery: Discovery, _ known: PairedPeer?) -> Entry {
        Entry(
            service: name(of: discovery.service.octets) ?? String(hex: discovery.service.octets),
            names: discovery.information
                ?? PairingInformation(
                    pairingName: known?.name.text ?? "", vendorName: known?.vendor.text ?? "",
                    modelName: known?.model.text ?? ""),
            isPaired: known != nil, signal: discovery.signal, transports: ["wifi-aware"],
            identifier: discovery.service.octets, id: known?.id)
    }

    private func name(of identifier: [UInt8]) -> String? {
        services.first { $0.identifier.octets.starts(with: identifier) }?.text
    }

    /// One accessory is one entry, whichever way it was seen. Where that is not known there are two rather than one:
    /// whose radio does not work is seen over Bluetooth only.
    private func merge(
        _ sighting: BluetoothSearch.Sighting, _ tie: OnboardingTie, into entries: inout [Entry]
    ) {
        if let same = entries.firstIndex(where: { isSame($0, tie, sighting.data) }) {
            entries[same].transports.append("bluetooth")
            return
        }
        entries.append(
            Entry(
                service: self.name(of: tie.service) ?? String(hex: tie.service),
                names: PairingInformation(
                    pairingName: sighting.data.deviceName, vendorName: "", modelName: ""),
                isPaired: false, signal: sighting.signal, transports: ["bluetooth"], identifier: tie.service,
                id: nil))
    }

    /// Those that we know have their identifier; of others the service and the name that they go by are all there is.
    /// The name comes apart from the rest, and not always.
    private func isSame(_ entry: Entry, _ tie: OnboardingTie, _ data: AdvertisingData) -> Bool {
        guard entry.transports == ["wifi-aware"], tie.matches(service: entry.identifier) else { return false }
        if let id = entry.id { return [UInt8](hex: id).map { tie.matches(accessory: $0) } ?? false }
        return data.isNamed(entry.names.pairingName)
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
                    $0.member("transports", entry.transports)
                }
            }
        } + "\n"
    }

    private func table(_ entries: [Entry]) -> String {
        guard !entries.isEmpty else { return "no accessory is there\n" }
        var table = Table(["SERVICE", "NAME", "VENDOR", "MODEL", "PAIRED", "SIGNAL", "OVER"])
        for entry in entries {
            table.row([
                entry.service, entry.names.pairingName, entry.names.vendorName, entry.names.modelName,
                entry.isPaired ? "yes" : "no", "\(entry.signal) dBm", over(entry),
            ])
        }
        return table.text
    }

    private func over(_ entry: Entry) -> String {
        var text = ""
        for transport in entry.transports { text += (text.isEmpty ? "" : ", ") + transport }
        return text
    }
}
