import Crypto
import LinuxHost
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

    /// Where processes meet on the simulated air if nobody says otherwise.
    public static var standardAir: String {
        if let runtime = Environment.value("XDG_RUNTIME_DIR") { return runtime + "/awared-air" }
        return "/tmp/awared-air-\(Environment.user)"
    }

    static let noKernelRadio =
        "this version has no kernel radio: use --radio air, the simulated air of this machine"

    /// Opens the radio, and takes down what is on the air where there is a capture.
    public func open(
        network: any Network, journal: any Journal, capture: CaptureFile?
    ) throws(RadioError) -> any Radio {
        let directory: String
        switch self {
        case .kernel:
            throw RadioError(.gone, Self.noKernelRadio)
        case .automatic:
            directory = Self.standardAir
            journal.write(.notice, "no kernel radio in this version: using the simulated air in \(directory)")
        case .air(let chosen):
            directory = chosen ?? Self.standardAir
        }
        let radio = try AirRadio(directory: directory, network: network, entropy: SystemEntropy())
        radio.capture = capture?.recording
        return radio
    }
}
