import Accessory
import Aware
import BluetoothLE
public import Ports
public import Wire

/// The owner's requests over the local socket.
extension AccessoryAgent: LocalAnswerer {
    /// A line is a verb, its operand, and `--json`.
    public func answer(_ request: LocalRequest, at now: Instant) -> LocalAnswer {
        defer { showPanels(at: now) }
        var words = request.line.split(separator: " ").map { String($0) }
        let isJSON = words.contains("--json")
        words.removeAll { $0 == "--json" }
        switch (words.count, words.first, words.dropFirst().first) {
        case (1, "status", _):
            return .reply(
                Array(Report.status(accessory, parts: parts, at: now, isJSON: isJSON).utf8), status: 0)
        case (1, "devices", _):
            return .reply(Array(Report.devices(accessory, looseBonds, isJSON: isJSON).utf8), status: 0)
        case (1, "watch", _):
            return .stream([])
        case (2, "forget", "--all"):
            let count = accessory.devices.all.count + looseBonds.count
            return forget("\(count) devices") { perform(accessory.forgetAll(at: now), at: now) }
        case (2, "forget", let id?):
            if accessory.devices.device(id) != nil {
                return forget(id) { perform(accessory.forget(id, at: now), at: now) }
            }
            let bonds = looseBonds.filter { $0.octets.description == id }
            guard !bonds.isEmpty else { return fail("no device \(id) is paired") }
            return forget(id) { forgetBonds(bonds, at: now) }
        case (2...3, "pairing", "open"):
            return openPairing(words.dropFirst(2).first, at: now)
        case (2, "pairing", "close"):
            perform(accessory.closePairing(at: now), at: now)
            return done("pairing is closed")
        default:
            return .reply(Array("unknown request\n".utf8), status: 2)
        }
    }

    private var parts: [Report.Part] {
        var parts = surroundings.panels.map { Report.Part(name: $0.name, fault: $0.fault) }
        if let buttons = surroundings.buttons {
            parts.append(Report.Part(name: "buttons", fault: buttons.fault))
        }
        return parts
    }

    private func forget(_ what: String, _ body: () -> Void) -> LocalAnswer {
        unremoved = nil
        body()
        guard let unremoved else { return done("forgot \(what)") }
        return fail("\(what): forgotten until the next start only: \(unremoved)")
    }

    private func openPairing(_ text: String?, at now: Instant) -> LocalAnswer {
        var seconds: UInt32?
        if let text {
            guard let number = UInt32(text), (10...86_400).contains(number) else {
                return .reply(Array("the time is a number of seconds from 10 to 86400\n".utf8), status: 2)
            }
            seconds = number
        }
        perform(accessory.openPairing(seconds: seconds, at: now), at: now)
        return done("pairing is open for \(seconds ?? accessory.configuration.windowSeconds) s")
    }

    private func done(_ text: String) -> LocalAnswer { .reply(Array((text + "\n").utf8), status: 0) }
    private func fail(_ text: String) -> LocalAnswer { .reply(Array((text + "\n").utf8), status: 1) }
}
