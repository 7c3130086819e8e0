import Foundation
import Ports
import Testing
import Wire

/// What `awared status` and its like are answered.
struct LocalRequestTests {
    @Test func `status says what the accessory is up to, for people and for programs`() throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada's phone")])
        rig.world.run(for: .seconds(5))
        let text = try rig.ask("status")
        #expect(text.status == 0)
        #expect(text.text.hasPrefix("radio      on as "))
        #expect(text.text.contains("\nservices   _drone-service._udp\n"))
        #expect(text.text.contains("\npairing    closed\n"))
        #expect(text.text.contains("\ndevices    1 paired, 0 connected\n"))

        let status = try #require(try rig.json("status --json") as? [String: Any])
        #expect(
            Set(status.keys) == [
                "radio", "address", "cluster", "services", "pairing_seconds", "paired", "connected", "peers",
                "frames_lost", "parts", "refusals", "bluetooth",
            ])
        #expect(status["radio"] as? String == "on")
        #expect(status["address"] as? String != nil && status["cluster"] as? String != nil)
        #expect(status["services"] as? [String] == ["_drone-service._udp"])
        #expect(status["pairing_seconds"] is NSNull)
        #expect(status["paired"] as? Int == 1 && status["connected"] as? Int == 0)
        #expect((status["refusals"] as? [Any])?.isEmpty == true)
    }

    @Test func `devices are a table or a list, and a name cannot steer the terminal`() throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada \"A\""), .numbered(2, name: "Bob\u{1b}[2J")])
        let table = try rig.ask("devices").text.split(separator: "\n")
        #expect(table.count == 3)
        #expect(table.first?.hasPrefix("ID ") == true)
        #expect(
            table.contains {
                $0.contains("Ada \"A\"") && $0.contains("2026-01-01 00:00") && $0.hasSuffix("no")
            })
        #expect(!table.contains { $0.contains("\u{1b}") })

        let list = try #require(try rig.json("devices --json") as? [[String: Any]])
        #expect(list.count == 2)
        for device in list {
            #expect(
                Set(device.keys) == [
                    "id", "name", "vendor", "model", "services", "paired_at", "last_seen", "connected",
                    "bluetooth",
                ])
            #expect(device["paired_at"] as? Int == 1_767_225_600)
            #expect(device["connected"] as? Bool == false)
        }
        #expect(Set(list.compactMap { $0["name"] as? String }) == ["Ada \"A\"", "Bob[2J"])
    }

    @Test func `no devices are an empty list`() throws {
        let rig = try Rig()
        #expect(try #require(try rig.json("devices --json") as? [Any]).isEmpty)
        #expect(try rig.ask("devices").text.split(separator: "\n").count == 1)
    }

    @Test func `a device is forgotten by its id, and the record with it`() throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada"), .numbered(2, name: "Bob")])
        let id = try #require(rig.agent.accessory.devices.all.first?.id)
        #expect(try rig.ask("forget \(id)") == ("forgot \(id)\n", 0))
        #expect(rig.agent.accessory.devices.all.count == 1)
        #expect(rig.store.records["peer-\(id)"] == nil)
        #expect(try rig.ask("forget \(id)") == ("no device \(id) is paired\n", 1))
        #expect(try rig.ask("forget --all") == ("forgot 1 devices\n", 0))
        #expect(rig.store.records.keys.sorted() == ["identity"])
        #expect(rig.control.lines.filter { $0.contains("forgotten") }.count == 2)
    }

    @Test func `nobody says forgot while the record is still there`() throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada"), .numbered(2, name: "Bob")])
        let ids = rig.agent.accessory.devices.all.map(\.id)
        rig.store.plan(.failure, atWrite: rig.store.writes + 1)
        let one = try rig.ask("forget \(ids[0])")
        #expect(one.status == 1)
        #expect(
            one.text
                == "\(ids[0]): forgotten until the next start only: peer-\(ids[0]): cannot be written, as planned\n"
        )
        #expect(rig.agent.accessory.devices.all.map(\.id) == [ids[1]], "it gets in no more all the same")
        #expect(rig.store.records["peer-\(ids[0])"] != nil)
        #expect(rig.control.lines.contains { $0.contains("record_stays") })
        #expect(!rig.control.lines.contains { $0.contains("\"forgotten\"") })
        #expect(try rig.ask("forget --all") == ("forgot 1 devices\n", 0))
    }

    @Test func `the owner opens and closes the pairing window`() throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada")])
        #expect(try rig.ask("pairing open") == ("pairing is open for 120 s\n", 0))
        #expect(rig.panel.states.last == .open(until: rig.world.now + .seconds(120)))
        #expect(try rig.ask("pairing open 30") == ("pairing is open for 30 s\n", 0))
        #expect(
            try #require(try rig.json("status --json") as? [String: Any])["pairing_seconds"] as? Int == 30)
        #expect(try rig.ask("pairing close") == ("pairing is closed\n", 0))
        #expect(rig.panel.states.last == .idle)
        #expect(try rig.ask("pairing close").status == 0, "closed is what was wanted")
    }

    @Test(arguments: ["pairing open 9", "pairing open 86401", "pairing open soon", "pairing open -5"])
    func `an impossible time is refused`(_ line: String) throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada")])
        #expect(try rig.ask(line) == ("the time is a number of seconds from 10 to 86400\n", 2))
        #expect(rig.agent.accessory.status(at: rig.world.now).pairingSeconds == nil)
    }

    @Test(arguments: [
        "", " ", "statuss", "status now", "pairing", "pairing ajar", "forget", "watch out", "devices all",
        "pairing open 30 40", "forget a b", "pairing close now", "forget --all --json now", "--json",
    ])
    func `what is no request is said to be none, and changes nothing`(_ line: String) throws {
        let rig = try Rig(devices: [.numbered(1, name: "Ada")])
        #expect(try rig.ask(line) == ("unknown request\n", 2))
        #expect(rig.agent.accessory.devices.all.count == 1)
        #expect(rig.agent.accessory.status(at: rig.world.now).pairingSeconds == nil)
    }

    @Test func `who watches gets an object for each event`() throws {
        let rig = try Rig()
        let answer = rig.agent.answer(
            LocalRequest(line: "watch --json", client: 1, process: 1), at: rig.world.now)
        #expect(answer == .stream([]))
        rig.world.run(for: .seconds(5))
        _ = try rig.ask("pairing close")
        rig.agent.stop(at: rig.world.now)
        let events = try rig.control.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let names = events.compactMap { $0["event"] as? String }
        #expect(
            names == [
                "pairing_opened", "started", "published", "cluster_joined", "pairing_closed", "withdrawn",
            ])
    }

    @Test func `while nobody watches nothing is written for them`() throws {
        let rig = try Rig()
        let before = rig.control.lines.count
        rig.control.hasListeners = false
        _ = try rig.ask("pairing close")
        #expect(rig.control.lines.count == before)
        #expect(rig.journal.entries.last?.line == "pairing is closed")
    }
}
