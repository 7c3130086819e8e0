import Accessory
import Aware
import Channels
import Crypto
import LinuxBluetooth
import LinuxBoard
import LinuxHost
import LinuxRadio
import LinuxWiFi
import MAVLink
import Ports
import Programs
import Runtime
import Wire

/// Is the accessory, until it is told to end.
func run(_ command: ParsedArguments, _ place: StatePlace) -> Int32 {
    do throws(Obstacle) {
        let program = try Program(command, place)
        program.run()
        return ExitStatus.done
    } catch {
        return complain(error.explanation, status: error.status)
    }
}

private final class Program: Turnable {
    private let file: String
    private let boardFile: String?
    private let board: BoardConfiguration?
    private let journal: StandardJournal
    private let clock = SystemClock()
    private let signals: SignalSource
    private let agent: AccessoryAgent
    private let loop: Loop

    init(_ command: ParsedArguments, _ place: StatePlace) throws(Obstacle) {
        guard let file = command.value("config") else {
            throw .usage("run needs --config FILE")
        }
        let choice = try RadioChoice(of: command)
        self.file = file
        journal = StandardJournal(verbose: command.has("verbose"))
        let configuration = try Self.configuration(file)
        boardFile = command.value("board")
        board = try Self.board(boardFile)
        do throws(HostError) { signals = try SignalSource() } catch {
            throw Obstacle(error.explanation)
        }
        agent = try Self.agent(
            configuration, board, choice, place, command, clock: clock, journal: journal)
        loop = Loop(waiter: Poller(clock: clock))
    }

    private static func configuration(_ file: String) throws(Obstacle) -> Configuration {
        do throws(ConfigurationError) {
            return try Configuration(try readConfiguration(file), file: file)
        } catch {
            throw .usage(error.description)
        }
    }

    private static func board(_ file: String?) throws(Obstacle) -> BoardConfiguration? {
        guard let file else { return nil }
        do throws(ConfigurationError) { return try readBoard(file) } catch {
            throw .usage(error.description)
        }
    }

    /// The console is the panel of a board that has no file, or whose file wants it: it may well go to a log.
    private static func panels(_ board: BoardConfiguration?, clock: SystemClock) -> [any Panel] {
        guard let board else { return [ConsolePanel()] }
        var panels: [any Panel] = board.hasConsole ? [ConsolePanel()] : []
        panels += board.makePanels(on: LinuxWiring(), clock: clock)
        return panels
    }

    private static func agent(
        _ configuration: Configuration, _ board: BoardConfiguration?, _ choice: RadioChoice,
        _ place: StatePlace, _ command: ParsedArguments, clock: SystemClock, journal: StandardJournal
    ) throws(Obstacle) -> AccessoryAgent {
        let entropy = SystemEntropy()
        let network = HostNetwork()
        let control: LocalServer
        do throws(HostError) { control = try LocalServer(path: place.socket, journal: journal) } catch {
            throw Obstacle(error.explanation)
        }
        let radio = try choice.open(
            command, for: "awared", network: network, journal: journal, awaited: true)
        do throws(StoreError) {
            let store = try place.store()
            let records = Records(store: store, journal: journal)
            let accessory = Accessory(
                configuration: configuration, identity: try records.identity(entropy: entropy),
                devices: try records.peers(), entropy: entropy)
            return AccessoryAgent(
                accessory,
                in: AccessoryAgent.Surroundings(
                    radio: radio, panels: panels(board, clock: clock),
                    buttons: board?.makeButtons(on: LinuxWiring()),
                    bluetooth: bluetooth(configuration.bluetooth.use, beside: radio, store, journal),
                    provisioner: LinuxWiFi(), records: records,
                    clock: clock, journal: journal,
                    control: control,
                    makeChannel: { service in
                        switch service.vehicle {
                        case .simulated:
                            DroneChannel(
                                service: service.publication.name.text,
                                vehicle: SimulatedVehicle(at: clock.now),
                                network: network, journal: journal)
                        }
                    }))
        } catch {
            throw Obstacle(error.explanation)
        }
    }

    /// Does nothing until it is started; how it is used stays so until the program is started again.
    private static func bluetooth(
        _ use: BluetoothSettings.Use?, beside radio: any Radio, _ store: FileStore,
        _ journal: StandardJournal
    ) -> (any Bluetooth)? {
        switch use {
        case nil where !(radio is LinuxRadio): nil
        case nil, .auto, .off: AutomaticBluetooth(store: store, journal: journal)
        case .exclusive: LinuxBluetooth(store: store, journal: journal)
        case .shared: SharedBluetooth(store: store, journal: journal)
        }
    }

    func run() {
        loop.add(self)
        loop.add(agent)
        agent.start(at: clock.now)
        loop.run()
    }

    // MARK: Signals

    /// Whoever else was turned last, the end is noticed at once.
    var deadline: Instant? { agent.isGone ? Instant(microseconds: 0) : nil }

    func addDescriptors(to set: inout DescriptorSet) { signals.addDescriptors(to: &set) }

    func turn(at now: Instant) {
        while let signal = signals.nextSignal() {
            switch signal {
            case .terminate: agent.stop(at: now)
            case .reload: reload(at: now)
            }
        }
        if agent.isGone { loop.stop() }
    }

    /// A file that is wrong changes nothing.
    private func reload(at now: Instant) {
        do throws(Obstacle) {
            agent.reconfigure(try Self.configuration(file), at: now)
            journal.write(.notice, "read \(file) again")
        } catch {
            journal.write(.warning, "\(error.explanation); the old configuration stays")
        }
        tellOfBoardFile()
    }

    /// Lines and buses are taken once: whoever changed the board file hears that it waits.
    private func tellOfBoardFile() {
        guard let boardFile else { return }
        do throws(Obstacle) {
            if try Self.board(boardFile) == board { return }
            journal.write(.warning, "\(boardFile) has changed; that holds from the next start on")
        } catch {
            journal.write(.warning, "\(error.explanation); the board stays as it is")
        }
    }
}
