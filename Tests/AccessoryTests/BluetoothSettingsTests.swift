import Accessory
import Ports
import Testing

struct BluetoothSettingsTests {
    private func read(_ lines: [(String, String)]) throws -> BluetoothSettings {
        var entries = [
            ConfigurationEntry(
                section: "service _drone-service._udp", key: "vehicle", value: "simulated", line: 1)
        ]
        for (key, value) in lines {
            entries.append(ConfigurationEntry(section: "bluetooth", key: key, value: value, line: 2))
        }
        return try Configuration(entries, file: "drone.conf").bluetooth
    }

    @Test func `nothing has to be declared`() throws {
        let settings = try read([])
        #expect(settings == BluetoothSettings())
        #expect(settings.use == nil && settings.pairing == .none && settings.opening == .button)
        #expect(settings.advertising == .onboarding && !settings.improv && settings.transports.isEmpty)
    }

    @Test func `everything can be declared`() throws {
        let settings = try read([
            ("use", "shared"), ("pairing", "passkey"), ("open-window", "bonded"), ("advertise", "always"),
            ("improv", "on"), ("tds", "020a084B149696965ea633"),
        ])
        #expect(settings.use == .shared && settings.pairing == .passkey && settings.opening == .bonded)
        #expect(settings.advertising == .always && settings.improv)
        #expect(settings.transports == [2, 10, 8, 0x4b, 0x14, 0x96, 0x96, 0x96, 0x5e, 0xa6, 0x33])
    }

    @Test(arguments: [
        ("use", "on", "drone.conf:2: use is auto, exclusive, shared or off"),
        ("pairing", "pin", "drone.conf:2: pairing is none or passkey"),
        ("open-window", "", "drone.conf:2: open-window is never, button or bonded"),
        ("open-window", "bonded", "drone.conf: [bluetooth] open-window = bonded needs pairing = passkey"),
        ("advertise", "never", "drone.conf:2: advertise is onboarding or always"),
        ("improv", "yes", "drone.conf:2: improv is on or off"),
        ("tds", "02 0a", "drone.conf:2: tds is pairs of hexadecimal digits"),
        ("tds", "020a0901", "drone.conf:2: tds: too short for transport data: 8 octets missing"),
        ("power", "on", "drone.conf:2: unknown key power in [bluetooth]"),
    ])
    func `mistakes are named`(_ key: String, _ value: String, _ message: String) {
        do {
            _ = try read([(key, value)])
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func `blocks that fit into no advertisement are refused`() {
        let room = "020017" + String(repeating: "00", count: 23)
        #expect((try? read([("tds", room)])) != nil)
        #expect((try? read([("tds", "020018" + String(repeating: "00", count: 24))])) == nil)
    }
}
