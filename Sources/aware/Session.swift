import Aware
import Crypto
import Frames
import LinuxHost
import Phone
import Ports
import Programs
import Runtime
import Wire

/// What every verb with a radio needs: the phone in its surroundings, the loop, the signals that end it.
final class Session: Turnable {
    let clock = SystemClock()
    let network = HostNetwork()
    let agent: PhoneAgent
    private let loop: Loop
    private let signals: SignalSource
    private var status: Int32?

    /// - Parameter owner: hears of everything that the phone finds out.
    init(_ command: ParsedArguments, owner: any PhoneOwner) throws(Obstacle) {
        let choice = try RadioChoice(of: command)
        let journal = StandardJournal(verbose: command.has("verbose"))
        let entropy = SystemEntropy()
        do throws(HostError) { signals = try SignalSource() } catch {
            throw Obstacle(error.explanation)
        }
        let radio = try choice.open(command, for: "aware", network: network, journal: journal)
        do throws(StoreError) {
            let records = try Self.records(command, journal)
            let phone = Phone(
                identity: try records.identity(entropy: entropy),
                information: PairingInformation(
                    pairingName: command.value("name") ?? Environment.value("HOSTNAME") ?? "aware",
                    vendorName: "Awared", modelName: "aware"),
                accessories: try records.peers(), entropy: entropy)
            agent = PhoneAgent(phone, radio: radio, records: records, clock: clock, owner: owner)
        } catch {
            throw Obstacle(error.explanation)
        }
        loop = Loop(waiter: Poller(clock: clock))
        loop.add(self)
        loop.add(agent)
    }

    static func records(_ command: ParsedArguments, _ journal: any Journal) throws(StoreError) -> Records {
        Records(store: try StatePlace(command.value("state"), program: "aware").store(), journal: journal)
    }

    static func service(_ text: String) throws(Obstacle) -> ServiceName {
        do throws(ServiceName.Mistake) { return try ServiceName(text) } catch {
            throw .usage("\(text): \(error)")
        }
    }

    func add(_ source: any Turnable) { loop.add(source) }

    /// Runs until ``end(_:)``, and gives the status that it was given.
    func run() -> Int32 {
        loop.run()
        return status ?? ExitStatus.done
    }

    /// Says good-bye to whoever is connected, then ends with the status.
    func end(_ status: Int32) {
        guard self.status == nil else { return }
        self.status = status
        agent.stop(at: clock.now)
    }

    // MARK: Signals

    /// Whoever else was turned last, the end is noticed at once.
    var deadline: Instant? { agent.isGone ? Instant(microseconds: 0) : nil }

    func addDescriptors(to set: inout DescriptorSet) { signals.addDescriptors(to: &set) }

    func turn(at now: Instant) {
        while let signal = signals.nextSignal() {
            if signal == .terminate { end(ExitStatus.done) }
        }
        if agent.isGone { loop.stop() }
    }
}

/// Runs something at one time, once.
final class Timer: Turnable {
    private(set) var deadline: Instant?
    private let action: (Instant) -> Void

    init(at time: Instant, _ action: @escaping (Instant) -> Void) {
        deadline = time
        self.action = action
    }

    func addDescriptors(to set: inout DescriptorSet) {}

    func turn(at now: Instant) {
        guard let due = deadline, due <= now else { return }
        deadline = nil
        action(now)
    }
}
