public import Aware
public import Frames
public import Ports

/// What the owner declares in the configuration file, which config/README.md explains.
public struct Configuration: Equatable, Sendable {
    /// A published service and what stands behind it.
    public struct Service: Equatable, Sendable {
        public var publication: Publication
        public var vehicle: Vehicle
    }

    public enum Vehicle: Equatable, Sendable {
        case simulated
    }

    public var information = PairingInformation(
        pairingName: "Awared", vendorName: "Awared", modelName: "Accessory")
    public var services: [Service] = []
    /// How long the pairing window stays open, in seconds.
    public var windowSeconds: UInt32 = 120
    /// How long it stays open at a start without paired devices; zero for not at all.
    public var firstStartSeconds: UInt32 = 600
    /// How many devices are kept paired.
    public var deviceLimit = 16
    /// 1 … 254.
    public var masterPreference: UInt8 = 2
    /// Where the radio's discovery windows are.
    public var bands = RadioBands.lower
    /// In TU. See ``Ports/RadioConfiguration/beaconIntervals``.
    public var discoveryBeaconInterval: UInt8 = 100
    /// After so many seconds without traffic a data path is ended; zero for never.
    public var idleSeconds: UInt16 = 25
    /// The radio's address changes after so many seconds, once nobody counts on it; zero for never.
    public var addressSeconds: UInt32 = 1800
    /// The version of what runs on the board, for those who ask over Bluetooth.
    public var firmware = "1"
    public var bluetooth = BluetoothSettings()

    /// Reads what a file declares, `file` being its name for the operator.
    public init(_ entries: [ConfigurationEntry], file: String) throws(ConfigurationError) {
        var reader = ConfigurationReader(file: file)
        for entry in entries { try reader.read(entry, into: &self) }
        try reader.finish(&self)
    }
}

/// Gives every entry its meaning, once.
private struct ConfigurationReader {
    private struct Declared {
        var line: Int
        var name: ServiceName
        var port: UInt16?
        var isUnsolicited = true
        var vehicle: Configuration.Vehicle?
    }

    private static let serviceLimit = 8

    private let file: String
    private var seen: [(section: String, key: String)] = []
    private var declared: [Declared] = []

    init(file: String) {
        self.file = file
    }

    mutating func read(_ entry: ConfigurationEntry, into configuration: inout Configuration)
        throws(ConfigurationError)
    {
        for earlier in seen where earlier == (entry.section, entry.key) {
            throw mistake(entry, "\(entry.key) is set twice")
        }
        seen.append((entry.section, entry.key))

        switch entry.section {
        case "accessory": try readAccessory(entry, &configuration)
        case "pairing": try readPairing(entry, &configuration)
        case "radio": try readRadio(entry, &configuration)
        case "bluetooth":
            do throws(BluetoothSettings.Mistake) { try configuration.bluetooth.read(entry) } catch {
                throw mistake(entry, error.explanation)
            }
        default: try readService(entry)
        }
    }

    func finish(_ configuration: inout Configuration) throws(ConfigurationError) {
        for (index, service) in declared.enumerated() {
            guard let vehicle = service.vehicle else {
                throw ConfigurationError(
                    file: file, line: service.line,
                    "\(service.name.text) has nothing behind it: set vehicle = simulated")
            }
            configuration.services.append(
                Configuration.Service(
                    publication: Publication(
                        name: service.name, instance: UInt8(index + 1), port: service.port ?? 14550,
                        isUnsolicited: service.isUnsolicited),
                    vehicle: vehicle))
        }
        do throws(BluetoothSettings.Mistake) { try configuration.bluetooth.check() } catch {
            throw ConfigurationError(file: file, line: nil, error.explanation)
        }
        guard !configuration.services.isEmpty else {
            throw ConfigurationError(
                file: file, line: nil, "no service is declared: add a section [service _drone-service._udp]")
        }
        for (index, one) in configuration.services.enumerated() {
            for other in configuration.services[..<index] where other.publication.port == one.publication.port
            {
                throw ConfigurationError(
                    file: file, line: declared[index].line,
                    "port \(one.publication.port) belongs to two services")
            }
        }
    }

    private func readAccessory(
        _ entry: ConfigurationEntry, _ configuration: inout Configuration
    ) throws(ConfigurationError) {
        switch entry.key {
        case "name": configuration.information.pairingName = try text(entry)
        case "vendor": configuration.information.vendorName = try text(entry)
        case "model": configuration.information.modelName = try text(entry)
        case "firmware": configuration.firmware = try text(entry)
        default: throw unknown(entry)
        }
    }

    private func readPairing(
        _ entry: ConfigurationEntry, _ configuration: inout Configuration
    ) throws(ConfigurationError) {
        switch entry.key {
        case "window": configuration.windowSeconds = UInt32(try number(entry, 10...86_400))
        case "first-start-window": configuration.firstStartSeconds = UInt32(try number(entry, 0...86_400))
        case "devices": configuration.deviceLimit = try number(entry, 1...64)
        default: throw unknown(entry)
        }
    }

    private func readRadio(
        _ entry: ConfigurationEntry, _ configuration: inout Configuration
    ) throws(ConfigurationError) {
        switch entry.key {
        case "master-preference": configuration.masterPreference = UInt8(try number(entry, 1...254))
        case "bands":
            switch entry.value {
            case "2.4": configuration.bands = .lower
            case "2.4+5": configuration.bands = .both
            default: throw mistake(entry, "bands is 2.4 or 2.4+5: no radio discovers at 5 GHz alone")
            }
        case "discovery-beacon-interval":
            let range = RadioConfiguration.beaconIntervals
            configuration.discoveryBeaconInterval = UInt8(
                try number(entry, Int(range.lowerBound)...Int(range.upperBound)))
        case "address-interval":
            configuration.addressSeconds = UInt32(try number(entry, zeroOr: 60...86_400))
        case "idle": configuration.idleSeconds = UInt16(try number(entry, 0...65_535))
        default: throw unknown(entry)
        }
    }

    private mutating func readService(_ entry: ConfigurationEntry) throws(ConfigurationError) {
        let prefix = "service "
        guard entry.section.hasPrefix(prefix) else {
            throw mistake(entry, "unknown section [\(entry.section)]")
        }
        let name: ServiceName
        do throws(ServiceName.Mistake) {
            name = try ServiceName(String(entry.section.dropFirst(prefix.count)))
        } catch {
            throw mistake(entry, "[\(entry.section)]: \(error)")
        }
        let index = try self.index(of: name, entry)
        switch entry.key {
        case "port": declared[index].port = UInt16(try number(entry, 1...65_535))
        case "publish":
            switch entry.value {
            case "unsolicited": declared[index].isUnsolicited = true
            case "solicited": declared[index].isUnsolicited = false
            default: throw mistake(entry, "publish is unsolicited or solicited")
            }
        case "vehicle":
            guard name.transport == .udp else { throw mistake(entry, "a vehicle needs a service on UDP") }
            guard entry.value == "simulated" else {
                throw mistake(entry, "vehicle = simulated is the only vehicle that this version has")
            }
            declared[index].vehicle = .simulated
        case "publishable", "subscribable":
            throw mistake(
                entry,
                entry.key == "subscribable"
                    ? "an accessory publishes only: it cannot subscribe to \(name.text)"
                    : "a service with a section is publishable; remove the section if it should not be")
        default: throw unknown(entry)
        }
    }

    private mutating func index(of name: ServiceName, _ entry: ConfigurationEntry) throws(ConfigurationError)
        -> Int
    {
        for (index, service) in declared.enumerated() where service.name.identifier == name.identifier {
            return index
        }
        guard declared.count < Self.serviceLimit else {
            throw mistake(entry, "more than \(Self.serviceLimit) services")
        }
        declared.append(Declared(line: entry.line, name: name))
        return declared.count - 1
    }

    private func text(_ entry: ConfigurationEntry) throws(ConfigurationError) -> String {
        guard !entry.value.isEmpty else { throw mistake(entry, "\(entry.key) is empty") }
        guard entry.value.utf8.count <= 63 else {
            throw mistake(entry, "\(entry.key) has more than 63 octets")
        }
        return entry.value
    }

    private func number(_ entry: ConfigurationEntry, _ range: ClosedRange<Int>) throws(ConfigurationError)
        -> Int
    {
        guard let number = Int(entry.value), range.contains(number) else {
            throw mistake(entry, "\(entry.key) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Zero, which says never, or a number of the range.
    private func number(
        _ entry: ConfigurationEntry, zeroOr range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let number = Int(entry.value), number == 0 || range.contains(number) else {
            throw mistake(
                entry,
                "\(entry.key) is 0 for never, or a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func unknown(_ entry: ConfigurationEntry) -> ConfigurationError {
        mistake(entry, "unknown key \(entry.key) in [\(entry.section)]")
    }

    private func mistake(_ entry: ConfigurationEntry, _ explanation: String) -> ConfigurationError {
        ConfigurationError(file: file, line: entry.line, explanation)
    }
}
