import Foundation
import Ports
import Testing
import Wire

@testable import LinuxRadio

/// What a radio can do, and why another cannot be used.
struct WiphyTests {
    private func recorded() throws -> Wiphy {
        var collection = Wiphy.Collection()
        for octets in Recordings.radios {
            for message in try NetlinkMessage.messages(in: octets) { try collection.add(message.body) }
        }
        #expect(collection.all.count == 1)
        return try #require(collection.all.first)
    }

    @Test func `a radio in parts is put together`() throws {
        let wiphy = try recorded()
        #expect(wiphy.index == 2)
        #expect(wiphy.name.hasPrefix("phy"))
        #expect(wiphy.shortcoming == nil)
        let capabilities = try #require(wiphy.nan).capabilities
        #expect(capabilities.operationMode == 0x17)
        #expect(capabilities.antennas == 0x22)
        #expect(capabilities.channelSwitchTime == 0)
        #expect(capabilities.capabilities == 0)
        // The elements that the same radio's supplicant puts into its frames.
        #expect(
            String(hex: capabilities.htCapabilities) == "72101bffff000000000000000000000100000000000000000000"
        )
        #expect(String(hex: capabilities.vhtCapabilities) == "fa048003aaaa0000aaaa0000")
    }

    @Test func `what is missing is named`() throws {
        let good = try recorded()
        var wiphy = good
        wiphy.hasNAN = false
        #expect(wiphy.shortcoming == "its driver does not offer Wi-Fi Aware")
        wiphy = good
        wiphy.nan?.hasUserSpaceDiscovery = false
        #expect(wiphy.shortcoming?.contains("user-space discovery") == true)
        wiphy.nan = nil
        #expect(wiphy.shortcoming?.contains("user-space discovery") == true)
        wiphy = good
        wiphy.nan?.canConfigure = false
        #expect(wiphy.shortcoming?.contains("configured") == true)
        wiphy = good
        wiphy.hasDataInterface = false
        #expect(wiphy.shortcoming?.contains("data interface") == true)
        wiphy = good
        wiphy.isLowerBandForbidden = true
        #expect(wiphy.shortcoming?.contains("channel 6") == true)
    }

    @Test func `what keeps the program from a good radio is named, and what lasts comes first`() throws {
        let good = try recorded()
        #expect(RadioSurvey.obstacle(to: good, block: nil, mayAdminister: true) == nil)
        let bare = RadioSurvey.obstacle(to: good, block: nil, mayAdminister: false)
        #expect(bare?.contains("CAP_NET_ADMIN") == true)
        #expect(RadioSurvey.obstacle(to: good, block: "blocked", mayAdminister: false) == "blocked")
        var bad = good
        bad.hasNAN = false
        #expect(RadioSurvey.obstacle(to: bad, block: "blocked", mayAdminister: false) == bad.shortcoming)
    }

    @Test func `a switch in software or as a key is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rfkill-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let rfkill = folder.appendingPathComponent("phy0/rfkill7")
        try FileManager.default.createDirectory(at: rfkill, withIntermediateDirectories: true)
        for (soft, hard, word) in [("0", "0", nil), ("1", "0", "rfkill unblock"), ("1", "1", "key")] {
            try Data("\(soft)\n".utf8).write(to: rfkill.appendingPathComponent("soft"))
            try Data("\(hard)\n".utf8).write(to: rfkill.appendingPathComponent("hard"))
            let block = RadioSwitch.block(of: "phy0", in: folder.path)
            if let word { #expect(block?.contains(word) == true) } else { #expect(block == nil) }
        }
        #expect(RadioSwitch.block(of: "phy1", in: folder.path) == nil)
    }

    @Test func `a kernel that is too old, or has no Wi-Fi, is named`() throws {
        var family = try WirelessFamily(parsing: try Recordings.parsed("family").body)
        #expect(family.shortcoming == nil)
        family.highestAttribute = 350
        #expect(family.shortcoming?.contains("too old") == true)
        let none = KernelLink.explain(RadioError(.system(2), "nl80211: no such file or directory"))
        #expect(none.explanation.contains("no Wi-Fi"))
        let other = RadioError(.system(1), "nl80211: not permitted")
        #expect(KernelLink.explain(other) == other)
    }

    /// - Parameter change: turns the recorded octets of the message about one of the channels, in hexadecimal.
    private func upperBand(_ change: (String) -> String) throws -> Wiphy {
        var collection = Wiphy.Collection()
        for octets in Recordings.bands {
            let changed = try #require([UInt8](hex: change(String(hex: octets))))
            for message in try NetlinkMessage.messages(in: changed) { try collection.add(message.body) }
        }
        return try #require(collection.all.first)
    }

    @Test func `5 GHz needs a driver that has it, and rules that allow it`() throws {
        let passive = "04000300"
        let recorded = try upperBand { $0 }
        #expect(recorded.hasUpperBand && !recorded.mayUseUpperBand)
        #expect(recorded.shortcoming(for: .lower) == nil)
        #expect(recorded.shortcoming(for: .both)?.contains("rules of its country") == true)
        // Allowed to begin to send; then with radar to look out for, and switched off.
        for (flag, isAllowed) in [("04006300", true), ("04000500", false), ("04000200", false)] {
            let wiphy = try upperBand { $0.replacing(passive, with: flag) }
            #expect((wiphy.shortcoming(for: .both) == nil) == isAllowed, "\(flag)")
        }
        var without = try upperBand { $0.replacing(passive, with: "04006300") }
        without.hasUpperBand = false
        #expect(without.shortcoming(for: .both) == "it has no Wi-Fi Aware at 5 GHz: set bands = 2.4")
        #expect(try self.recorded().shortcoming(for: .both) != nil)
    }

    @Test func `a kernel with too many radios is listened to in part`() throws {
        var collection = Wiphy.Collection()
        for index in 0..<200 as Range<UInt8> {
            try collection.add([3, 0, 0, 0, 8, 0, 1, 0, index, 0, 0, 0])
        }
        #expect(collection.all.count == 64)
    }

    @Test func `channels are those of 2,4 GHz`() {
        #expect(ScheduleChannel(frequency: 2411, receiveStreams: 1) == nil)
        #expect(ScheduleChannel(frequency: 2484, receiveStreams: 1) == nil)
        #expect(ScheduleChannel(frequency: 5745, receiveStreams: 1) == nil)
        #expect(ScheduleChannel(frequency: 2412, receiveStreams: 1) != nil)
        #expect(ScheduleChannel(frequency: 2472, receiveStreams: 1) != nil)
    }

    @Test func `slots are listed one by one`() {
        #expect(
            String(hex: ScheduleChannel.timeSlots(0x8000_0002)) == "ff00" + String(repeating: "ff", count: 29)
                + "00")
    }
}
