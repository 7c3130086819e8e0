import Accessory
import Aware
import Crypto
import Foundation
import Ports
import Runtime
import Simulation
import Testing
import Wire

extension PairedPeer {
    /// A device whose identity follows from a number.
    static func numbered(_ number: UInt8, name: String) throws -> PairedPeer {
        let identity = try #require(Identity(nik: Key(Secret([UInt8](repeating: number, count: 16)))))
        return try #require(
            PairedPeer(
                identity: identity, npk: Key(Secret([UInt8](repeating: number, count: 32))),
                name: ShortText(name), vendor: "Phones", model: "P1", services: ["_drone-service._udp"],
                pairedAt: 1_767_225_600, lastSeen: 1_767_312_000, lifetime: nil))
    }
}

/// The local socket, with a client that keeps what it reads.
final class RecordedControl: LocalControl {
    var answerer: (any LocalAnswerer)?
    private(set) var lines: [String] = []
    var hasListeners = true
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func broadcast(_ line: String) { lines.append(line) }
}

final class SilentChannel: ServiceChannel {
    let service: String
    init(_ service: String) { self.service = service }
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func opened(_ path: ServicePath, at now: Instant) {}
    func closed(_ path: ServicePath, at now: Instant) {}
}

/// A running accessory with as many devices as wanted, and somebody who asks it over the local socket.
final class Rig {
    let world = World(seed: 1)
    let store = MemoryStore()
    let journal = RecordedJournal()
    let panel = RecordedPanel()
    let control = RecordedControl()
    let agent: AccessoryAgent
    private(set) var made: [String] = []

    init(devices: [PairedPeer] = []) throws {
        let entropy = SeededEntropy(seed: 2)
        let records = Records(store: store, journal: journal)
        for device in devices { records.save(device) }
        let radio = world.makeRadio()
        var names: [String] = []
        let accessory = Accessory(
            configuration: try Self.configuration(["_drone-service._udp"]),
            identity: try records.identity(entropy: entropy), devices: try records.peers(),
            entropy: entropy)
        let made = { (name: String) in names.append(name) }
        agent = AccessoryAgent(
            accessory,
            in: AccessoryAgent.Surroundings(
                radio: radio, panels: [panel], records: records, clock: world.clock, journal: journal,
                control: control,
                makeChannel: {
                    made($0.publication.name.text)
                    return SilentChannel($0.publication.name.text)
                }))
        world.add(agent)
        agent.start(at: world.now)
        self.made = names
    }

    static func configuration(_ services: [String]) throws -> Configuration {
        var entries: [ConfigurationEntry] = []
        for (index, service) in services.enumerated() {
            for (key, value) in [("vehicle", "simulated"), ("port", "\(14_550 + index)")] {
                entries.append(
                    ConfigurationEntry(section: "service \(service)", key: key, value: value, line: 1))
            }
        }
        return try Configuration(entries, file: "test.conf")
    }

    func ask(_ line: String) throws -> (text: String, status: UInt8) {
        let request = LocalRequest(line: line, client: 1, process: 1)
        let answerer = try #require(control.answerer)
        guard case .reply(let octets, let status) = answerer.answer(request, at: world.now) else {
            throw CocoaError(.featureUnsupported)
        }
        return (String(decoding: octets, as: UTF8.self), status)
    }

    func json(_ line: String) throws -> Any {
        let answer = try ask(line)
        #expect(answer.status == 0)
        #expect(answer.text.hasSuffix("\n"))
        return try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
    }
}
