import Accessory
import Ports
import Testing

struct ConfigurationTests {
    private static let service = "service _drone-service._udp"
    private static let vehicle = (service, "vehicle", "simulated")

    /// Lines are numbered from 1.
    private static func entries(_ lines: [(String, String, String)]) -> [ConfigurationEntry] {
        lines.enumerated().map { index, line in
            ConfigurationEntry(section: line.0, key: line.1, value: line.2, line: index + 1)
        }
    }

    private func read(_ lines: [(String, String, String)]) throws -> Configuration {
        try Configuration(Self.entries(lines), file: "drone.conf")
    }

    @Test func `a service is all that has to be declared`() throws {
        let configuration = try read([Self.vehicle])
        #expect(configuration.information.pairingName == "Awared")
        #expect(configuration.information.vendorName == "Awared")
        #expect(configuration.information.modelName == "Accessory")
        #expect(configuration.windowSeconds == 120)
        #expect(configuration.firstStartSeconds == 600)
        #expect(configuration.deviceLimit == 16)
        #expect(configuration.masterPreference == 2)
        #expect(configuration.idleSeconds == 25)
        #expect(configuration.addressSeconds == 1800)
        #expect(configuration.bands == .lower)
        #expect(configuration.discoveryBeaconInterval == 100)
        let service = try #require(configuration.services.first)
        #expect(configuration.services.count == 1)
        #expect(service.publication.name.text == "_drone-service._udp")
        #expect(service.publication.instance == 1)
        #expect(service.publication.port == 14550)
        #expect(service.publication.isUnsolicited)
        #expect(service.vehicle == .simulated)
    }

    @Test func `every key has its effect`() throws {
        let configuration = try read([
            ("accessory", "name", "My Drone"), ("accessory", "vendor", "Example Inc"),
            ("accessory", "model", "Example Model"), ("pairing", "window", "10"),
            ("pairing", "first-start-window", "0"), ("pairing", "devices", "64"),
            ("radio", "master-preference", "254"), ("radio", "idle", "0"),
            ("radio", "address-interval", "0"), ("radio", "bands", "2.4+5"),
            ("radio", "discovery-beacon-interval", "200"), (Self.service, "port", "1"),
            (Self.service, "publish", "solicited"), Self.vehicle,
            ("service _second._udp", "publish", "unsolicited"), ("service _second._udp", "port", "65535"),
            ("service _second._udp", "vehicle", "simulated"),
        ])
        #expect(configuration.information.pairingName == "My Drone")
        #expect(configuration.information.vendorName == "Example Inc")
        #expect(configuration.information.modelName == "Example Model")
        #expect(configuration.windowSeconds == 10)
        #expect(configuration.firstStartSeconds == 0)
        #expect(configuration.deviceLimit == 64)
        #expect(configuration.masterPreference == 254)
        #expect(configuration.idleSeconds == 0)
        #expect(configuration.addressSeconds == 0)
        #expect(configuration.bands == .both)
        #expect(configuration.discoveryBeaconInterval == 200)
        #expect(configuration.services.map(\.publication.port) == [1, 65_535])
        #expect(configuration.services.map(\.publication.instance) == [1, 2])
        #expect(configuration.services.map(\.publication.isUnsolicited) == [false, true])
    }

    /// What is in a file besides the vehicle in line 1, and what is said of line 2.
    static let mistakes: [((String, String, String), String)] = [
        (("accessory", "colour", "red"), "unknown key colour in [accessory]"),
        (("pairing", "colour", "red"), "unknown key colour in [pairing]"),
        (("radio", "colour", "red"), "unknown key colour in [radio]"),
        ((service, "colour", "red"), "unknown key colour in [service _drone-service._udp]"),
        (("acessory", "name", "x"), "unknown section [acessory]"),
        (("", "name", "x"), "unknown section []"),
        (("accessory", "name", ""), "name is empty"),
        (("accessory", "model", String(repeating: "ü", count: 32)), "model has more than 63 octets"),
        (("pairing", "window", "9"), "window is a number from 10 to 86400"),
        (("pairing", "window", "86401"), "window is a number from 10 to 86400"),
        (("pairing", "window", "two"), "window is a number from 10 to 86400"),
        (("pairing", "window", ""), "window is a number from 10 to 86400"),
        (("pairing", "first-start-window", "-1"), "first-start-window is a number from 0 to 86400"),
        (("pairing", "devices", "0"), "devices is a number from 1 to 64"),
        (("pairing", "devices", "65"), "devices is a number from 1 to 64"),
        (("radio", "master-preference", "0"), "master-preference is a number from 1 to 254"),
        (("radio", "master-preference", "255"), "master-preference is a number from 1 to 254"),
        (("radio", "bands", "5"), "bands is 2.4 or 2.4+5: no radio discovers at 5 GHz alone"),
        (
            ("radio", "discovery-beacon-interval", "49"),
            "discovery-beacon-interval is a number from 50 to 200"
        ),
        (
            ("radio", "address-interval", "59"),
            "address-interval is 0 for never, or a number from 60 to 86400"
        ),
        (("radio", "idle", "65536"), "idle is a number from 0 to 65535"),
        (("radio", "idle", "99999999999999999999"), "idle is a number from 0 to 65535"),
        ((service, "port", "0"), "port is a number from 1 to 65535"),
        ((service, "port", "65536"), "port is a number from 1 to 65535"),
        ((service, "publish", "sometimes"), "publish is unsolicited or solicited"),
        (
            ("service _other._udp", "vehicle", "real"),
            "vehicle = simulated is the only vehicle that this version has"
        ),
        (("service _other._tcp", "vehicle", "simulated"), "a vehicle needs a service on UDP"),
        (
            (service, "subscribable", "yes"),
            "an accessory publishes only: it cannot subscribe to _drone-service._udp"
        ),
        (
            (service, "publishable", "no"),
            "a service with a section is publishable; remove the section if it should not be"
        ),
        ((service, "vehicle", "simulated"), "vehicle is set twice"),
        (("service drone", "port", "1"), "[service drone]: a service is called _name._tcp or _name._udp"),
        (
            ("service _drone._sctp", "port", "1"),
            "[service _drone._sctp]: a service's name ends in ._tcp or ._udp"
        ),
        (
            ("service _._udp", "port", "1"),
            "[service _._udp]: a service's name has 1 to 15 characters"
        ),
        (
            ("service _d_d._udp", "port", "1"),
            "[service _d_d._udp]: a service's name has letters, digits and hyphens only"
        ),
        (("service _42._udp", "port", "1"), "[service _42._udp]: a service's name has at least one letter"),
        (
            ("service _d-._udp", "port", "1"),
            "[service _d-._udp]: a service's name neither begins nor ends with a hyphen"
        ),
        (
            ("service _other._udp", "port", "1"),
            "_other._udp has nothing behind it: set vehicle = simulated"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake is refused with its line`(_ line: (String, String, String), _ explanation: String) {
        #expect(throws: ConfigurationError(file: "drone.conf", line: 2, explanation)) {
            try read([Self.vehicle, line])
        }
    }

    @Test func `a file without a service is refused as a whole`() {
        #expect(
            throws: ConfigurationError(
                file: "drone.conf", line: nil,
                "no service is declared: add a section [service _drone-service._udp]")
        ) { try read([("accessory", "name", "My Drone")]) }
        #expect("\(ConfigurationError(file: "drone.conf", line: nil, "no"))" == "drone.conf: no")
        #expect("\(ConfigurationError(file: "drone.conf", line: 3, "no"))" == "drone.conf:3: no")
    }

    @Test func `two services cannot have one port`() {
        #expect(throws: ConfigurationError(file: "drone.conf", line: 2, "port 14550 belongs to two services"))
        {
            try read([Self.vehicle, ("service _second._udp", "vehicle", "simulated")])
        }
    }

    @Test func `names that differ in case alone are one service`() throws {
        let configuration = try read([Self.vehicle, ("service _Drone-Service._udp", "port", "5")])
        #expect(configuration.services.count == 1)
        #expect(configuration.services.first?.publication.port == 5)
    }

    @Test func `eight services are enough`() {
        let lines = (1...9).map { ("service _drone\($0)._udp", "vehicle", "simulated") }
        #expect(throws: ConfigurationError(file: "drone.conf", line: 9, "more than 8 services")) {
            try read(lines)
        }
    }
}
