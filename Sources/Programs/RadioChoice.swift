import Crypto
public import LinuxHost
import LinuxRadio
public import Ports
import Simulation

/// Which radio a person wants: `auto`, `kernel[:PHY]` or `air[:DIR]`.
public enum RadioChoice: Equatable, Sendable {
    case automatic
    case kernel(phy: String?)
    case air(directory: String?)

    /// Nil for a word that means none.
    public init?(_ text: String) {
        let kind = text.prefix { $0 != ":" }
        let rest = text.dropFirst(kind.count)
        let place = rest.isEmpty ? nil : String(rest.dropFirst())
        guard place != "" else { return nil }
        switch kind {
        case "auto" where place == nil: self = .automatic
        case "kernel": self = .kernel(phy: place)
        case "air": self = .air(directory: place)
        default: return nil
        }
    }

    /// What `--radio` says; `auto` where it is not given.
    public init(of command: ParsedArguments) throws(Obstacle) {
        guard let choice = RadioChoice(command.value("radio") ?? "auto") else {
            throw .usage("--radio is auto, kernel[:PHY] or air[:DIR]")
        }
        self = choice
    }

    /// Where processes meet on the simulated air if nobody says otherwise.
    public static var standardAir: String {
        if let runtime = Environment.value("XDG_RUNTIME_DIR") { return runtime + "/awared-air" }
        return "/tmp/awared-air-\(Environment.user)"
    }

    /// Opens the radio, and takes down what is on the air where `--capture` names a file.
    /// - Parameter program: who takes it down.
    public func open(
        _ command: ParsedArguments, for program: String, network: any Network, journal: any Journal,
        awaited: Bool = false
    ) throws(Obstacle) -> any Radio {
        var capture: CaptureFile?
        do throws(HostError) {
            if let path = command.value("capture") {
                capture = try CaptureFile(path: path, application: program)
            }
        } catch {
            throw Obstacle(error.explanation)
        }
        do throws(RadioError) {
            return try open(network: network, journal: journal, capture: capture, awaited: awaited)
        } catch {
            throw Obstacle(error.explanation)
        }
    }

    /// Opens the radio, and takes down what is on the air where there is a capture.
    /// - Parameter awaited: whether a kernel radio that was asked for may come later; it is then looked for again and again.
    public func open(
        network: any Network, journal: any Journal, capture: CaptureFile?, awaited: Bool = false
    ) throws(RadioError) -> any Radio {
        switch self {
        case .kernel(let phy):
            guard capture == nil else {
                throw RadioError(
                    .malformed,
                    "a capture is for the simulated air: record a kernel radio with a monitor interface")
            }
            guard awaited else { return try LinuxRadio(phy, entropy: SystemEntropy()) }
            return LinuxRadio(awaiting: phy, entropy: SystemEntropy())
        case .automatic:
            // A capture can only be had of the simulated air.
            if capture == nil, let radio = Self.kernelRadio(journal) { return radio }
            journal.write(.notice, "using the simulated air in \(Self.standardAir)")
            return try Self.air(Self.standardAir, network, capture)
        case .air(let chosen):
            return try Self.air(chosen ?? Self.standardAir, network, capture)
        }
    }

    /// What a radio is that ``open(network:journal:capture:)`` gave, in words.
    public static func description(of radio: any Radio) -> String {
        guard let radio = radio as? LinuxRadio else {
            return "the simulated air, between programs of this machine"
        }
        return "the kernel's \(radio.name)"
    }

    /// Nil where there is none that can be used, after saying why.
    private static func kernelRadio(_ journal: any Journal) -> LinuxRadio? {
        do throws(RadioError) {
            let radio = try LinuxRadio(nil, entropy: SystemEntropy())
            journal.write(.notice, "using the kernel's radio \(radio.name)")
            return radio
        } catch {
            journal.write(.notice, "no kernel radio: \(error.explanation)")
            return nil
        }
    }

    private static func air(
        _ directory: String, _ network: any Network, _ capture: CaptureFile?
    ) throws(RadioError) -> any Radio {
        let radio = try AirRadio(directory: directory, network: network, entropy: SystemEntropy())
        radio.capture = capture?.recording
        return radio
    }
}
