import Accessory
import Crypto
import Ports
import Simulation
import Testing
import Wire

@testable import BluetoothLE
@testable import LinuxBluetooth
@testable import Runtime

/// A whole accessory, and a crowd that sends it anything at any time.
struct HostileCrowdTests {
    final class Crowd {
        var random: SeededGenerator
        let world: World
        let bluetooth = SocketBluetooth()
        let agent: AccessoryAgent
        var phones: [SocketPhone?] = [nil, nil, nil, nil, nil, nil]
        private var next: UInt64 = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            world = World(seed: seed)
            let journal = RecordedJournal()
            let records = Records(store: MemoryStore(), journal: journal)
            let entropy = SeededEntropy(seed: seed)
            var entries: [ConfigurationEntry] = []
            for (section, key, value) in [
                ("accessory", "name", "My Drone"), ("accessory", "vendor", "Example"),
                ("accessory", "model", "Model"), ("bluetooth", "use", "exclusive"),
                ("bluetooth", "improv", "on"), ("bluetooth", "advertise", "always"),
                ("service _drone-service._udp", "vehicle", "simulated"),
            ] { entries.append(ConfigurationEntry(section: section, key: key, value: value, line: 1)) }
            let accessory = Accessory(
                configuration: try Configuration(entries, file: "test.conf"),
                identity: try records.identity(entropy: entropy), devices: [], entropy: entropy)
            agent = AccessoryAgent(
                accessory,
                in: AccessoryAgent.Surroundings(
                    radio: world.makeRadio(), panels: [], bluetooth: bluetooth, records: records,
                    clock: world.clock, journal: journal, control: nil, makeChannel: { _ in NoChannel() }))
            world.add(agent)
            agent.start(at: world.now)
            turn()
        }

        /// Until there is nothing to do: whatever was sent, that is soon.
        func turn() {
            for _ in 0..<8 {
                agent.turn(at: world.now)
                guard let deadline = agent.deadline, deadline <= world.now else { return }
            }
            Issue.record("the loop does not come to rest")
        }

        func connect() -> SocketPhone? {
            next += 1
            return bluetooth.connect(number: next, at: world.now)
        }

        /// One of the crowd does something.
        func step() {
            let place = Int(random.number(below: UInt64(phones.count)))
            switch random.number(below: 16) {
            case 0: phones[place] = nil
            case 1: world.run(for: .seconds(UInt32(random.number(below: 6))))
            case 2...4: _ = phones[place]?.receive()
            default:
                if phones[place]?.isGone ?? true { phones[place] = connect() }
                for _ in 0...random.number(below: 40) { phones[place]?.send(pdu()) }
            }
            turn()
        }

        private func pdu() -> [UInt8] {
            let octets = { [self] (most: UInt64) in
                (0..<random.number(below: most)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            let handle = UInt8(1 + random.number(below: 60))
            switch random.number(below: 8) {
            case 0: return octets(40)
            case 1: return octets(600)
            case 2: return [0x0a, handle, 0]
            case 3: return [[0x12, 0x52][Int(random.number(below: 2))], handle, 0, 1, 0]
            case 4: return [0x16, handle, 0, UInt8(random.number(below: 20)), 0] + octets(18)
            case 5: return [0x18, UInt8(random.number(below: 2))]
            case 6: return [0x02] + octets(3)
            default:
                var command =
                    [UInt8(random.number(below: 6))] + [UInt8(random.number(below: 30))] + octets(18)
                command.append(command.reduce(0, &+))
                return [0x12, handle, 0] + command
            }
        }
    }

    private final class NoChannel: ServiceChannel {
        let service = "_drone-service._udp"
        var deadline: Instant? { nil }
        func addDescriptors(to set: inout DescriptorSet) {}
        func turn(at now: Instant) {}
        func opened(_ path: ServicePath, at now: Instant) {}
        func closed(_ path: ServicePath, at now: Instant) {}
    }

    /// Asks for what the accessory is, by the name of the characteristic.
    private static let question: [UInt8] = {
        let information = OnboardingService.service(bonds: false).characteristics.first {
            $0.id == OnboardingService.information
        }
        return [0x08, 1, 0, 0xff, 0xff] + (information?.uuid.octets ?? [])
    }()

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the owner is served within a minute, whatever a crowd sends`(seed: UInt64) throws {
        let crowd = try Crowd(seed: seed)
        for _ in 0..<6 {
            for _ in 0..<60 { crowd.step() }
            #expect(crowd.bluetooth.mostConnected <= AttributeClients.most)
            var isServed = false
            for _ in 0..<14 where !isServed {
                let owner = try #require(crowd.connect())
                owner.send(Self.question)
                crowd.turn()
                isServed = owner.receive().contains { $0.first == 0x09 }
                // Those who are connected go on asking, and let nobody have a place.
                for phone in crowd.phones { phone?.send([0x0a, 1, 0]) }
                crowd.world.run(for: .seconds(5))
            }
            #expect(isServed)
        }
        #expect(crowd.bluetooth.departures > 0)
    }
}
