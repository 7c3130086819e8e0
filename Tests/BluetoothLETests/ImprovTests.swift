import Testing
import Wire

@testable import BluetoothLE

struct ImprovTests {
    var device = ImprovDevice(
        ImprovDevice.Description(firmware: "awared", version: "1", hardware: "Board", name: "My Drone"),
        canScan: true)
    let start = Instant(microseconds: 5_000_000)
    static let identify: [UInt8] = [2, 0, 2]

    static func packet(_ command: ImprovCommand) -> [UInt8] {
        var frame = FrameWriter(limit: 300)
        command.write(into: &frame)
        return (try? frame.finish()) ?? []
    }

    static let settings = packet(.connect(name: Array("Home".utf8), password: Array("secret word".utf8)))

    mutating func value(_ id: GATTCharacteristic.ID) -> String { String(hex: device.value(of: id) ?? []) }

    @Test mutating func `anybody identifies and asks what it is`() {
        #expect(device.receive(Self.identify, from: 1, at: start) == [.identify])
        let result = "031b" + "06617761726564" + "0131" + "05426f617264" + "084d792044726f6e65"
        let actions = device.receive([3, 0, 3], from: 1, at: start)
        guard case .changed(ImprovDevice.resultID, let octets)? = actions.first else {
            Issue.record("no result")
            return
        }
        #expect(String(hex: Array(octets.dropLast())).hasPrefix(String(result.prefix(2))))
        #expect(octets.last == ImprovPacket.sum(octets.dropLast()))
        #expect(String(hex: Array(octets.dropFirst(2).dropLast())) == String(result.dropFirst(4)))
        #expect(value(ImprovDevice.capabilitiesID) == "07")
    }

    @Test mutating func `nobody provisions without the owner`() {
        #expect(device.receive(Self.settings, from: 1, at: start) == [.changed(ImprovDevice.errorID, [4])])
        #expect(device.receive([4, 0, 4], from: 1, at: start) == [])
        #expect(value(ImprovDevice.errorID) == "04")
        #expect(value(ImprovDevice.stateID) == "01")
    }

    @Test mutating func `the owner's word holds for a minute`() {
        #expect(
            device.authorise(until: start + .seconds(60), given: start) == [
                .changed(ImprovDevice.stateID, [2])
            ])
        #expect(device.deadline == start + .seconds(60))
        #expect(device.advance(to: start + .seconds(59)) == [])
        #expect(device.advance(to: start + .seconds(60)) == [.changed(ImprovDevice.stateID, [1])])
        #expect(device.deadline == nil)
    }

    @Test mutating func `joins a network`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        #expect(
            device.receive(Self.settings, from: 1, at: start) == [
                .changed(ImprovDevice.stateID, [3]),
                .connect(name: Array("Home".utf8), password: Array("secret word".utf8)),
            ])
        #expect(device.receive(Self.settings, from: 1, at: start) == [.changed(ImprovDevice.errorID, [4])])
        #expect(
            device.joined(at: start) == [
                .changed(ImprovDevice.stateID, [4]), .changed(ImprovDevice.resultID, [1, 0, 1]),
            ])
        #expect(device.isProvisioned)
        #expect(device.joined(at: start) == [], "only once")
    }

    @Test mutating func `provisioned, it takes a new word of the owner to join another network`() {
        let joined = start + .seconds(30)
        _ = device.authorise(until: start + .seconds(60), given: start)
        _ = device.receive(Self.settings, from: 1, at: start)
        _ = device.joined(at: joined)
        #expect(device.authorise(until: start + .seconds(60), given: start) == [], "spent")
        #expect(
            device.authorise(until: joined + .seconds(61), given: joined + .seconds(1)) == [
                .changed(ImprovDevice.stateID, [2])
            ])
        #expect(!device.isProvisioned)
        _ = device.receive(Self.settings, from: 1, at: joined + .seconds(50))
        _ = device.couldNotJoin(at: joined + .seconds(55))
        #expect(value(ImprovDevice.stateID) == "02")
        #expect(
            device.advance(to: joined + .seconds(61)) == [.changed(ImprovDevice.stateID, [4])],
            "it is provisioned as before")
    }

    @Test mutating func `tries again after a wrong password`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        _ = device.receive(Self.settings, from: 1, at: start)
        #expect(
            device.couldNotJoin(at: start + .seconds(10)) == [
                .changed(ImprovDevice.errorID, [3]), .changed(ImprovDevice.stateID, [2]),
            ])
        let again = device.receive(Self.settings, from: 1, at: start + .seconds(20))
        #expect(again.contains(.changed(ImprovDevice.errorID, [0])))
        #expect(
            device.couldNotJoin(at: start + .seconds(70)) == [
                .changed(ImprovDevice.errorID, [3]), .changed(ImprovDevice.stateID, [1]),
            ], "too late")
    }

    @Test mutating func `networks are listed as far as they fit`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        #expect(device.receive([4, 0, 4], from: 1, at: start) == [.scan])
        let home = WiFiNetwork(name: Array("Home".utf8), signal: -40, isProtected: true)
        #expect(
            device.found([home]) == [
                .changed(
                    ImprovDevice.resultID,
                    ImprovPacket.packet(
                        4, [4] + Array("Home".utf8) + [3] + Array("-40".utf8) + [3] + Array("YES".utf8)))
            ])
        guard case .changed(_, let octets)? = device.found(Array(repeating: home, count: 100)).first else {
            return
        }
        #expect(octets.count == 3 + 19 * 13)
    }

    @Test mutating func `a command comes in parts, of one client, soon`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        for octet in Self.settings.dropLast() { #expect(device.receive([octet], from: 1, at: start) == []) }
        #expect(device.receive([Self.settings.last ?? 0], from: 1, at: start).count == 2)

        #expect(device.receive([2], from: 1, at: start) == [])
        #expect(device.receive(Self.identify, from: 2, at: start) == [.identify], "another client's")
        #expect(device.receive([2], from: 1, at: start) == [])
        #expect(device.receive(Self.identify, from: 1, at: start + .seconds(6)) == [.identify], "too late")
        #expect(device.receive([2], from: 1, at: start) == [])
        device.disconnected(1)
        #expect(device.receive(Self.identify, from: 1, at: start) == [.identify])
    }

    @Test mutating func `parts of several clients do not disturb each other`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        #expect(device.receive(Array(Self.settings.prefix(9)), from: 1, at: start) == [])
        for client in 2...40 as ClosedRange<UInt64> {
            #expect(device.receive([1], from: client, at: start) == [])
            device.disconnected(client)
        }
        #expect(device.receive(Self.identify, from: 2, at: start) == [.identify])
        #expect(device.receive(Array(Self.settings.dropFirst(9)), from: 1, at: start).count == 2)
    }

    @Test mutating func `one search at a time serves all who ask`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        #expect(device.receive([4, 0, 4], from: 1, at: start) == [.scan])
        #expect(device.receive([4, 0, 4], from: 2, at: start) == [])
        #expect(device.found([]).count == 1)
        #expect(device.receive([4, 0, 4], from: 2, at: start) == [.scan])
        _ = device.receive(Self.settings, from: 1, at: start)
        _ = device.couldNotJoin(at: start)
        #expect(device.receive([4, 0, 4], from: 2, at: start).contains(.scan), "joining ended it")
    }

    @Test mutating func `wrong packets are named`() {
        _ = device.authorise(until: start + .seconds(60), given: start)
        for (packet, error) in [
            ([2, 0, 3], 1), ([2, 0, 2, 0], 1), ([2, 1, 0, 3], 1), ([9, 0, 9], 2), ([1, 0, 1], 1),
            ([1, 2, 0, 0, 3], 1),
        ] as [([UInt8], UInt8)] {
            _ = device.receive(packet, from: 1, at: start)
            #expect(value(ImprovDevice.errorID) == "0\(error)", "\(packet)")
        }
        _ = device.receive(
            Self.packet(.connect(name: Array(repeating: 1, count: 33), password: [])), from: 1, at: start)
        #expect(value(ImprovDevice.errorID) == "01")
        #expect(value(ImprovDevice.stateID) == "02")
    }

    @Test func `the advertisement fills the room that there is`() throws {
        #expect(try device.advertisement.octets(limit: AdvertisingData.limitBesideFlags).count == 28)
    }

    @Test mutating func `random writes leave nothing behind`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let part = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = device.receive(part, from: UInt64.random(in: 1...3, using: &random), at: start)
        }
        device.disconnected(1)
        device.disconnected(2)
        device.disconnected(3)
        #expect(device.receive(Self.identify, from: 1, at: start).contains(.identify))
    }
}
