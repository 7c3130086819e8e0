import Aware
import LinuxHost
import Phone
import Ports
import Programs
import Runtime
import Wire

/// `aware devices`: the paired accessories.
func listDevices(_ command: ParsedArguments) throws(Obstacle) -> Int32 {
    do throws(StoreError) {
        let records = try Session.records(command, StandardJournal(verbose: false))
        StandardStream.output.write(
            Report.devices(try records.peers(), isConnected: { _ in false }, isJSON: command.has("json")))
        return ExitStatus.done
    } catch {
        throw Obstacle(error.explanation)
    }
}

/// `aware forget DEVICE` or `--all`. The accessory is not told: it forgets us when its owner says so.
func forget(_ id: String?, _ command: ParsedArguments) throws(Obstacle) -> Int32 {
    guard command.has("all") != (id != nil) else { throw .usage("forget takes a device or --all") }
    do throws(StoreError) {
        let records = try Session.records(command, StandardJournal(verbose: false))
        let wanted = try records.peers().filter { id == nil || $0.id == id }
        if let id, wanted.isEmpty { throw StoreError("no accessory \(id) is paired") }
        for accessory in wanted { try records.remove(accessory.id) }
        return ExitStatus.done
    } catch {
        throw Obstacle(error.explanation)
    }
}

/// `aware devices --watch`: a line whenever a paired accessory comes or goes.
final class WatchDevices: PhoneOwner {
    private static let interval = TimeUnits.seconds(2)

    private let command: ParsedArguments
    private var session: Session?
    private var present: [String] = []

    init(_ command: ParsedArguments) {
        self.command = command
    }

    func run() throws(Obstacle) -> Int32 {
        let session = try Session(command, owner: self)
        self.session = session
        var services: [ServiceName] = []
        for accessory in session.agent.phone.accessories {
            for service in accessory.services {
                let name = try Session.service(service.text)
                if !services.contains(name) { services.append(name) }
            }
        }
        session.agent.ask(at: session.clock.now) { $0.scan(for: services) }
        session.add(
            Ticker(every: Self.interval, from: session.clock.now) { [self] in look(session.agent.phone) })
        return session.run()
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        switch action {
        case .found: look(agent.phone)
        case .failed(let reason): session?.end(complain(reason))
        case .askPIN, .paired, .connected, .disconnected, .note, .radio, .save: break
        }
    }

    private func look(_ phone: Phone) {
        var now: [String] = []
        for discovery in phone.subscriber.discoveries {
            if let id = phone.accessory(of: discovery)?.id, !now.contains(id) { now.append(id) }
        }
        for accessory in phone.accessories {
            let isHere = now.contains(accessory.id)
            guard isHere != present.contains(accessory.id) else { continue }
            say(accessory, isHere)
        }
        present = now
    }

    private func say(_ accessory: PairedPeer, _ isHere: Bool) {
        StandardStream.output.write(
            command.has("json")
                ? JSONWriter.object {
                    $0.member("id", accessory.id)
                    $0.member("name", accessory.name.text)
                    $0.member("present", isHere)
                } + "\n" : "\(isHere ? "here" : "gone") \(accessory.name.text) (\(accessory.id))\n")
    }
}

/// Runs something again and again.
private final class Ticker: Turnable {
    private(set) var deadline: Instant?
    private let interval: TimeUnits
    private let action: () -> Void

    init(every interval: TimeUnits, from start: Instant, _ action: @escaping () -> Void) {
        self.interval = interval
        self.action = action
        deadline = start + interval
    }

    func addDescriptors(to set: inout DescriptorSet) {}

    func turn(at now: Instant) {
        guard let due = deadline, due <= now else { return }
        deadline = now + interval
        action()
    }
}
