import Testing
import Wire

@testable import LinuxRadio

/// What the kernel says, as it was recorded, and every way to say it wrongly.
struct EventTests {
    private func event(_ name: String) throws -> (device: WirelessDevice, event: WirelessEvent) {
        try #require(try WirelessEvent.parse(try Recordings.parsed(name).body))
    }

    @Test func `a cluster is joined`() throws {
        let found = try event("cluster-joined")
        #expect(found.device == Recordings.device)
        guard case .clusterJoined(let cluster, let isNew) = found.event else {
            Issue.record("another event")
            return
        }
        #expect(cluster == MACAddress("50:6f:9a:01:5d:1c"))
        #expect(isNew)
    }

    @Test func `a window is due`() throws {
        guard case .nextWindow(2437) = try event("next-window").event else {
            Issue.record("another event")
            return
        }
    }

    @Test(arguments: ["received-discovery", "received-authentication", "received-protected"])
    func `frames come with their signal`(_ name: String) throws {
        guard case .received(let frame, let signal) = try event(name).event else {
            Issue.record("another event")
            return
        }
        #expect(frame.count > 26)
        #expect(-100...0 ~= signal)
        #expect(MACAddress(rawValue: frame[10..<16].reduce(0) { $0 << 8 | UInt64($1) }) == Recordings.peer)
    }

    @Test func `sent frames are known by their cookie`() throws {
        let reply = try WirelessReply.cookie(try Recordings.parsed("cookie").body)
        guard case .sent(let cookie, let acknowledged) = try event("sent-multicast").event else {
            Issue.record("another event")
            return
        }
        #expect(cookie == reply)
        #expect(!acknowledged)
        guard case .sent(_, true) = try event("sent-acknowledged").event else {
            Issue.record("another event")
            return
        }
    }

    @Test func `a device goes`() throws {
        guard case .interfaceDeleted = try event("interface-deleted").event else {
            Issue.record("another event")
            return
        }
    }

    /// Not recorded, the virtual board's radio never leaves: composed by hand from linux/nl80211.h.
    private func composed(_ command: UInt8, _ attributes: String) throws -> WirelessEvent {
        let body = [command, 0, 0, 0] + [UInt8](hex: "0c0099000200000000000000" + attributes)!
        let found = try #require(try WirelessEvent.parse(body[...]))
        #expect(found.device == Recordings.device)
        return found.event
    }

    @Test func `a channel is left, with its frequency`() throws {
        // NAN_CHANNEL with WIPHY_FREQ 2437 and CENTER_FREQ1 2437.
        let channel = "14005f81 08002600 85090000 0800a000 85090000".filter { $0 != " " }
        guard case .channelLost(2437) = try composed(165, channel) else {
            Issue.record("another event")
            return
        }
        #expect(throws: WireError.self) { try composed(165, "") }
        #expect(throws: WireError.self) { try composed(165, "04005f81") }
        #expect(throws: WireError.self) { try composed(165, "0a005f81060026008509") }
        #expect(throws: WireError.self) { try composed(165, String(channel.dropLast(2))) }
    }

    @Test func `when the radio is elsewhere comes as an attribute of frames, or not at all`() throws {
        guard
            case .unalignedSchedule([0x17, 1, 0, 0xff]) = try composed(
                164, "080067011701 00ff".filter { $0 != " " })
        else {
            Issue.record("another event")
            return
        }
        guard case .unalignedSchedule([]) = try composed(164, "") else {
            Issue.record("another event")
            return
        }
        #expect(throws: WireError.self) {
            try composed(164, "05016701" + String(repeating: "00", count: 260))
        }
    }

    @Test func `a change of the schedule has come, or could not`() throws {
        guard case .scheduleUpdated(true) = try composed(162, "04006501"),
            case .scheduleUpdated(false) = try composed(162, "")
        else {
            Issue.record("another event")
            return
        }
    }

    @Test func `new devices are described`() throws {
        let device = try WirelessReply.newDevice(try Recordings.parsed("created-device").body)
        #expect(device.device == Recordings.device)
        #expect(device.address == Recordings.own)
        #expect(device.index == 0)
        let data = try WirelessReply.newDevice(try Recordings.parsed("created-data").body)
        #expect(data.device == Recordings.dataInterface)
        #expect(data.index == 4)
        #expect(data.name == "ndi0")
    }

    @Test func `a station's silence is told in milliseconds`() throws {
        #expect(try WirelessReply.inactiveTime(try Recordings.parsed("station").body) < 60_000)
    }

    @Test func `the family has its number and groups`() throws {
        let family = try WirelessFamily(parsing: try Recordings.parsed("family").body)
        #expect(family.number == 0x25)
        #expect(family.highestAttribute >= Wireless.newestAttribute)
        #expect(family.group("mlme") != nil)
        #expect(family.group("config") != nil)
        #expect(family.group("nothing") == nil)
    }

    // MARK: Refusals

    @Test func `a refusal has the kernel's own words`() throws {
        guard case .acknowledged = try Recordings.parsed("acknowledged").meaning else {
            Issue.record("refused")
            return
        }
        var texts: [String] = []
        var index = 0
        while Recordings.messages["refused-\(index)"] != nil {
            if case .refused(let refusal) = try Recordings.parsed("refused-\(index)").meaning {
                #expect(refusal.number > 0)
                texts.append(refusal.text)
            }
            index += 1
        }
        #expect(texts.count == index)
        #expect(texts.contains("NAN Availability blob attribute is required"))
        #expect(texts.contains("Channels in NAN schedule must be mutually incompatible"))
        #expect(texts.contains(""))
    }

    @Test func `the lowest of all numbers is refused like any other`() throws {
        var octets = try Recordings.message("refused-0")
        octets.replaceSubrange(16..<20, with: [0, 0, 0, 0x80])
        guard case .refused(let refusal)? = try NetlinkMessage.messages(in: octets).first?.meaning else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.number == .max)
    }

    // MARK: Hostile messages

    /// Takes a datagram to pieces as the radio does, whichever it is.
    private func digest(_ datagram: [UInt8]) {
        guard let messages = try? NetlinkMessage.messages(in: datagram) else { return }
        for message in messages {
            _ = try? message.meaning
            _ = try? WirelessEvent.parse(message.body)
            _ = try? WirelessReply.newDevice(message.body)
            _ = try? WirelessReply.cookie(message.body)
            _ = try? WirelessReply.inactiveTime(message.body)
            _ = try? WirelessFamily(parsing: message.body)
            var radios = Wiphy.Collection()
            try? radios.add(message.body)
        }
    }

    @Test func `every prefix is refused or read`() {
        for octets in Recordings.messages.values where octets.count < 1000 {
            for count in 0..<octets.count {
                digest(Array(octets.prefix(count)))
                // With a length that is right, so that what is inside is cut.
                guard count >= 16 else { continue }
                var cut = Array(octets.prefix(count))
                cut[0] = UInt8(truncatingIfNeeded: count)
                cut[1] = UInt8(truncatingIfNeeded: count >> 8)
                cut[2] = 0
                cut[3] = 0
                digest(cut)
            }
        }
    }

    @Test func `a prefix of an event lacks something`() throws {
        for name in ["cluster-joined", "received-authentication", "sent-acknowledged"] {
            let body = try Recordings.parsed(name).body
            for count in 0..<4 {
                #expect(throws: WireError.self) { try WirelessEvent.parse(body.prefix(count)) }
            }
            // Without its last attributes it is no event of ours, or malformed.
            let cut = try? WirelessEvent.parse(body.prefix(12))
            #expect(cut == nil)
        }
    }

    @Test func `every bit may be turned`() {
        for octets in Recordings.messages.values where octets.count < 400 {
            for place in octets.indices {
                for bit in 0..<8 {
                    var turned = octets
                    turned[place] ^= 1 << UInt8(bit)
                    digest(turned)
                }
            }
        }
    }

    @Test func `lengths that lie are refused`() {
        #expect(throws: WireError.self) { try AttributeList(parsing: [3, 0, 1, 0]) }
        #expect(throws: WireError.self) { try AttributeList(parsing: [5, 0, 1, 0]) }
        #expect(throws: WireError.self) { try AttributeList(parsing: [4, 0, 1]) }
        #expect(throws: WireError.self) { try NetlinkMessage.messages(in: [UInt8](repeating: 0, count: 16)) }
        #expect(throws: WireError.self) {
            try NetlinkMessage.messages(in: [0xff, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 12))
        }
    }

    @Test func `numbers of another length are none`() throws {
        let list = try AttributeList(parsing: [5, 0, 1, 0, 9, 0, 0, 0])
        #expect(list.octet(1) == 9)
        #expect(list.number16(1) == nil)
        #expect(list.number32(1) == nil)
        #expect(list.number64(1) == nil)
        #expect(list.address(1) == nil)
    }

    @Test func `the kernel's words are shown as text only`() throws {
        let list = try AttributeList(parsing: [10, 0, 1, 0, 0x1b, 0x5b, 0x41, 0xc3, 0, 0x42, 0, 0])
        #expect(list.text(1) == "?[A?")
    }
}
