import Testing
import Wire

@testable import BluetoothLE

struct AdvertisingDataTests {
    @Test func `every kind of structure goes there and back`() throws {
        let data = AdvertisingData([
            .flags(0x06), .services([.assigned(0x180a), .assigned(0x1800)], isComplete: true),
            .services([.custom(1, 2)], isComplete: false), .name(Array("Ada".utf8), isComplete: true),
            .name(Array("A".utf8), isComplete: false), .transmitPower(-7),
            .serviceData(.assigned(0x4677), [1, 2]), .serviceData(.custom(3, 4), [5]),
            .manufacturer(company: 0xffff, [9]), .other(type: 0x19, [0, 1]),
            .transports([
                TransportBlock(organisation: .neighborAwareness, flags: .init(rawValue: 0x0a), data: [7])
            ]),
        ])
        let octets = try data.octets(limit: 200)
        #expect(try AdvertisingData(parsing: octets) == data)
        #expect(try AdvertisingData(parsing: octets + [0, 0, 0]) == data, "padding")
    }

    @Test func `octets as they are on the air`() throws {
        let data = AdvertisingData([
            .services([.custom(0x0046_7768_6228_2272, 0x4663_2774_7826_8000)], isComplete: true),
            .serviceData(.assigned(0x4677), [2, 1, 0, 0, 0, 0]),
        ])
        let octets = try data.octets(limit: 28)
        // 17 octets, all 128-bit services | 9 octets, service data of 4677: authorised, identify
        #expect(String(hex: octets) == "110700802678742763467222286268774600" + "0916774602010000" + "0000")
    }

    @Test func `what does not fit is refused by name`() throws {
        let name = AdvertisingData([.name(Array(repeating: 65, count: 27), isComplete: true)])
        #expect(throws: WireError.tooLong("advertising data", by: 1)) { try name.octets(limit: 28) }
        #expect(try name.octets(limit: AdvertisingData.legacyLimit).count == 29)
        let long = AdvertisingData([.name(Array(repeating: 65, count: 300), isComplete: true)])
        #expect(throws: WireError.self) { try long.octets(limit: 1650) }
        let mixed = AdvertisingData([.services([.assigned(1), .custom(1, 2)], isComplete: true)])
        #expect(throws: WireError.self) { try mixed.octets(limit: 100) }
    }

    @Test func `a name is cut between its characters`() {
        #expect(
            AdvertisingData.name("Drohne größer", room: 12)
                == .name(Array("Drohne gr".utf8), isComplete: false))
        #expect(AdvertisingData.name("Drohne", room: 8) == .name(Array("Drohne".utf8), isComplete: true))
        #expect(AdvertisingData.name("Drohne", room: 0) == .name([], isComplete: false))
    }

    /// The transport data of AOSP's TransportBlockFilter: organisation 2, flags 1, a filter of 8 octets.
    @Test func `AOSP's sample of a transport block`() throws {
        let sample = try #require([UInt8](hex: "0c2602010" + "84b149696965ea633"))
        let data = try AdvertisingData(parsing: sample)
        let hash = try #require([UInt8](hex: "4b149696965ea633"))
        let block = TransportBlock(
            organisation: .neighborAwareness, flags: .init(rawValue: 1), data: hash)
        #expect(data.elements == [.transports([block])])
        #expect(block.flags.isSeeker && !block.flags.isProvider && !block.flags.isOn)
        #expect(try data.octets(limit: 31) == sample)
        let on = TransportBlock.Flags(rawValue: 0x0a)
        #expect(on.isProvider && on.isOn && !on.isIncomplete && !on.isTemporarilyUnavailable)
    }

    @Test func `names of services read and written as text`() {
        #expect(BluetoothUUID("180a") == .assigned(0x180a))
        #expect(BluetoothUUID("0000180A-0000-1000-8000-00805F9B34FB") == .assigned(0x180a))
        let custom = "00467768-6228-2272-4663-277478268000"
        #expect(BluetoothUUID(custom)?.description == custom)
        #expect(BluetoothUUID.assigned(0x4677).description == "4677")
        for wrong in ["", "18", "180", "180a0", "180a-", "00467768622822724663277478268000", "zzzz"] {
            #expect(BluetoothUUID(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `hostile advertisements are refused, and never more`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            var octets = [UInt8](repeating: 0, count: Int.random(in: 0...40, using: &random))
            for index in octets.indices { octets[index] = UInt8.random(in: 0...(.max), using: &random) }
            if let parsed = try? AdvertisingData(parsing: octets) {
                let again = try? AdvertisingData(parsing: (try? parsed.octets(limit: 1650)) ?? [])
                #expect(again == parsed)
            }
        }
        #expect(throws: WireError.self) {
            try AdvertisingData(parsing: [UInt8](repeating: 1, count: 1651))
        }
    }
}
