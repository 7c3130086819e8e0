import Crypto
import Ports
import Testing
import Wire

@testable import LinuxRadio

/// Every request, octet for octet, against what another program was recorded to send.
struct RequestTests {
    let requests = WirelessRequests(family: 0x25)
    let device = Recordings.device
    let data = Recordings.dataInterface

    private func expect(
        _ request: NetlinkRequest, is name: String, at location: SourceLocation = #_sourceLocation
    )
        throws
    {
        var request = request
        let recorded = try Recordings.message(name)
        request.setSequence(recorded[8...].number32(at: 0))
        #expect(
            String(hex: request.octets) == String(hex: recorded), "\(name)", sourceLocation: location)
    }

    @Test func `devices are made as recorded`() throws {
        try expect(
            requests.createDevice(wiphy: 0, name: "nan0", address: Recordings.own), is: "create-device")
        let recorded = ["0", "1", "2", "4", "3"]
        for (pattern, index) in zip(WirelessRequests.FramePattern.device, recorded) {
            try expect(requests.register(pattern, at: device), is: "register-device-\(index)")
        }
        for (index, pattern) in WirelessRequests.FramePattern.dataInterface.enumerated() {
            try expect(requests.register(pattern, at: data), is: "register-data-\(index)")
        }
        let settings = RadioConfiguration(managementAddress: Recordings.own, masterPreference: 10)
        try expect(requests.start(device, settings), is: "start")
        try expect(requests.stop(device), is: "stop")
    }

    /// Not recorded: composed by hand from linux/nl80211.h. The kernel of the virtual board takes it.
    @Test func `every setting of the radio is in its start`() {
        var request = requests.start(
            device,
            RadioConfiguration(
                managementAddress: Recordings.own, masterPreference: 200, bands: .both,
                discoveryBeaconInterval: 50))
        request.setSequence(1)
        let band = "05000300 ce000000 05000400 bf000000 05000500 01000000"
        #expect(
            String(hex: request.octets)
                == ("9c000000 2500 0500 01000000 00000000 73000000"
                + "0c009900 0200000000000000"  // the device
                + "0500ee00 c8000000 0800ef00 03000000"  // the preference, the bands
                + "6c005681 04000800 06000500 3c000000 06000600 96000000 05000700 32000000"
                + "4c000480 24000180 05000100 00000000 \(band) 24000280 05000100 01000000 \(band)")
                .filter { $0 != " " })
    }

    @Test func `schedules are set as recorded`() throws {
        let channel = try #require(ScheduleChannel(frequency: 2437, receiveStreams: 2))
        let availability = [UInt8](hex: "1213000131000e00e112180004feffffff1151200000")!
        try expect(
            requests.setLocalSchedule(
                LocalSchedule(slots: 0xffff_fffe, frequency: 2437, availability: availability),
                channel: channel, of: device),
            is: "local-schedule")
        let schedule = PeerSchedule(
            committedWindows: 0x0449, channelSwitchTime: 0, sequence: 1, slots: 0xffff_fffe)
        try expect(
            requests.setPeerSchedule(schedule, of: Recordings.peer, channel: channel, at: device),
            is: "peer-schedule")
        try expect(
            requests.removePeerSchedule(of: Recordings.peer, at: device), is: "remove-peer-schedule")
    }

    @Test func `a peer without slots has windows alone`() throws {
        let schedule = PeerSchedule(committedWindows: 1, channelSwitchTime: 0, sequence: 1, slots: 0)
        let channel = ScheduleChannel(frequency: 2437, receiveStreams: 2)
        let request = requests.setPeerSchedule(schedule, of: Recordings.peer, channel: channel, at: device)
        let message = try #require(try NetlinkMessage.messages(in: request.octets).first)
        let attributes = try AttributeList(parsing: message.body.dropFirst(4))
        #expect(attributes.all.map(\.number) == [153, 6, 360, 362])
    }

    @Test func `stations come and go as recorded`() throws {
        let peer = Recordings.peer
        let interface = Recordings.peerInterface
        try expect(
            requests.addStation(peer, flags: [.authenticated, .associated], at: device), is: "add-peer")
        try expect(
            requests.setStation(peer, set: .protectsManagement, of: .protectsManagement, at: device),
            is: "protect-peer")
        let elements = try Recordings.attributes("authorize-peer")
        try expect(
            requests.setStation(
                peer, set: .authorized, of: .authorized, htCapabilities: elements.octets(31) ?? [],
                vhtCapabilities: elements.octets(157) ?? [], at: device),
            is: "authorize-peer")
        try expect(
            requests.addStation(
                interface, flags: [.authenticated, .associated, .protectsManagement], management: peer,
                at: data),
            is: "add-data-station")
        try expect(
            requests.setStation(interface, set: .authorized, of: .authorized, at: data),
            is: "authorize-data-station")
        try expect(requests.removeStation(interface, at: data), is: "remove-data-station")
        try expect(requests.removeStation(peer, at: device), is: "remove-peer")
    }

    @Test func `keys are installed as recorded`() throws {
        for (name, station, device) in [
            ("pairing-key", Recordings.peer, device), ("data-key", Recordings.peerInterface, data),
        ] {
            let nested = try #require(try Recordings.attributes(name).nested(80))
            let key = Key(Secret(try #require(nested.octets(1))))
            try expect(requests.installPairwiseKey(key, for: station, at: device), is: name)
        }
    }

    /// Not recorded: composed by hand from linux/nl80211.h.
    @Test func `group keys are for multicast`() throws {
        var install = requests.installGroupKey(Key(Secret([UInt8](0..<16))), index: 1, at: data)
        install.setSequence(1)
        #expect(
            String(hex: install.octets)
                == "54000000 2500 0500 01000000 00000000 0b000000".filter { $0 != " " }
                + "0c009900 0300000000000000".filter { $0 != " " }  // the device
                + "34005080".filter { $0 != " " }  // the key, in it
                + "14000100 000102030405060708090a0b0c0d0e0f".filter { $0 != " " }  // its octets
                + "08000300 04ac0f00 0a000400 000000000000 0000 05000200 01 000000".filter { $0 != " " })
        var use = requests.useGroupKey(index: 1, at: data)
        use.setSequence(1)
        #expect(
            String(hex: use.octets)
                == "38000000 2500 0500 01000000 00000000 0a000000".filter { $0 != " " }
                + "0c009900 0300000000000000 18005080 05000200 01000000".filter { $0 != " " }
                + "04000500 08000880 04000200".filter { $0 != " " })
    }

    @Test func `frames are sent as recorded`() throws {
        for (name, isAction) in [
            ("send-authentication", false), ("send-publish", true), ("send-protected", true),
        ] {
            var frame = try #require(try Recordings.attributes(name).octets(51))
            // The Python publisher also asks for no CCK rates where it need not.
            let asked = try Recordings.attributes(name).has(135)
            #expect(asked == isAction)
            try expect(requests.send(frame, isAction: isAction, from: device), is: name)
            frame += [UInt8](repeating: 0xaa, count: 24 + FrameWriter.managementLimit - frame.count)
            _ = requests.send(frame, isAction: isAction, from: device)
        }
    }

    @Test func `nothing of a key is left in a request that was erased`() {
        var request = requests.installPairwiseKey(
            Key(Secret([UInt8](repeating: 0xa5, count: 16))), for: Recordings.peer, at: device)
        #expect(request.octets.contains(0xa5))
        request.erase()
        #expect(request.octets.allSatisfy { $0 == 0 })
    }

    @Test func `what does not fit is no message`() {
        var writer = AttributeWriter()
        writer.octets(1, [UInt8](repeating: 0, count: AttributeWriter.limit))
        writer.flag(2)
        #expect(throws: WireError.self) { try writer.finish() }
    }
}

/// Requests to rtnetlink, composed by hand from linux/rtnetlink.h.
struct RouteRequestTests {
    private func text(_ request: NetlinkRequest) -> String { String(hex: request.octets) }
    private func octets(_ text: String) -> String { text.filter { $0 != " " } }

    @Test func `the interface says nothing by itself`() {
        #expect(
            text(RouteRequests.bringUp(7))
                == octets("20000000 1000 0500 00000000 00000000 00000000 07000000 81000000 81100000"))
        #expect(
            text(RouteRequests.keepAddressless(7))
                == octets("30000000 1000 0500 00000000 00000000 00000000 07000000 00000000 00000000")
                + octets("10001a80 0c000a80 05000800 01000000"))
    }

    @Test func `addresses and neighbours are link-local`() {
        #expect(
            text(RouteRequests.addAddress(0x4000_00ff_fe00_0100, to: 7))
                == octets("40000000 1400 0505 00000000 00000000 0a4002fd 07000000")
                + octets("14000200 fe80000000000000 400000fffe000100")
                + octets("14000100 fe80000000000000 400000fffe000100"))
        #expect(
            text(RouteRequests.addNeighbour(1, at: Recordings.peerInterface, on: 7))
                == octets("3c000000 1c00 0505 00000000 00000000 0a000000 07000000 80000000")
                + octets("14000100 fe80000000000000 0000000000000001 0a000200 420000000100 0000"))
        #expect(
            text(RouteRequests.removeNeighbour(1, on: 7))
                == octets("30000000 1d00 0500 00000000 00000000 0a000000 07000000 80000000")
                + octets("14000100 fe80000000000000 0000000000000001"))
    }

    @Test func `an interface identifier is the address with its bit turned`() {
        #expect(Recordings.peerInterface.interfaceIdentifier == 0x4000_00ff_fe00_0100)
    }
}
