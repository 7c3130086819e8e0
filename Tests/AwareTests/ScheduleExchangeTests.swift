import Frames
import Ports
import Testing
import Wire

@testable import Aware

struct ScheduleExchangeTests {
    let cluster = MACAddress(rawValue: 0x0200_0000_0001)

    private func profile(_ slots: UInt32) -> StationProfile {
        DataPathWorld.end(DataPathWorld.phoneAddress, DataPathWorld.phoneInterface, slots: slots, idle: 0)
            .profile
    }

    private func receive(
        _ body: [UInt8], as profile: StationProfile, isPaired: Bool = true
    ) throws(DataPathRefusal) -> ScheduleExchange.Outcome {
        let received = try ReceivedAction(parsing: body, isEncrypted: body[0] == 9)
        return try ScheduleExchange.receive(received, as: profile, isPaired: isPaired, cluster: cluster)
    }

    @Test func `an update takes the place of what was known`() throws {
        var peer = profile(0x0e)
        peer.availability.commit(to: 0xf0)
        let outcome = try receive(ScheduleExchange.update(as: peer, isProtected: true), as: profile(0xff))
        #expect(
            outcome.schedule
                == PeerSchedule(committedWindows: 0x0449, channelSwitchTime: 0, sequence: 2, slots: 0xf0))
        #expect(outcome.answer == nil)
    }

    @Test func `an update that leaves nothing in common is refused`() throws {
        let update = ScheduleExchange.update(as: profile(0x0e), isProtected: true)
        #expect(throws: DataPathRefusal.noCommonSlots) { try receive(update, as: profile(0xf0)) }
        let none = ScheduleExchange.update(as: profile(0), isProtected: true)
        #expect(throws: DataPathRefusal.noCommonSlots) { try receive(none, as: profile(0xf0)) }
    }

    @Test func `a request is answered with where we meet`() throws {
        let request = ScheduleExchange.request(dialogToken: 7, as: profile(0x3c), isProtected: true)
        let outcome = try receive(request, as: profile(0xf8))
        #expect(outcome.schedule.slots == 0x3c)
        let answer = try #require(outcome.answer)
        let read = try ReceivedAction(parsing: answer, isEncrypted: true)
        #expect(read.subtype == .scheduleResponse)
        #expect(read.dataLink?.dialogToken == 7)
        #expect(read.dataLink?.status == .accepted)
        #expect(read.dataCluster?.identifier == cluster)
        #expect(read.dataCluster?.schedules.map(\.slots.dependableSlots) == [0x08])
        // The side that asked takes the answer in, and says nothing to it.
        let taken = try receive(answer, as: profile(0x3c))
        #expect(taken.schedule.slots == 0xf8)
        #expect(taken.answer == nil)
    }

    @Test func `a request for no common slot is rejected, and the other side hears why`() throws {
        let request = ScheduleExchange.request(dialogToken: 7, as: profile(0x0e), isProtected: true)
        #expect(throws: DataPathRefusal.noCommonSlots) { try receive(request, as: profile(0xf0)) }
        let received = try ReceivedAction(parsing: request, isEncrypted: true)
        let rejection = try #require(
            ScheduleExchange.rejection(of: received, reason: .invalidAvailability, as: profile(0xf0)))
        #expect(throws: DataPathRefusal.rejected(.invalidAvailability)) {
            try receive(rejection, as: profile(0x0e))
        }
        let read = try ReceivedAction(parsing: rejection, isEncrypted: true)
        #expect(ScheduleExchange.rejection(of: read, reason: .unspecified, as: profile(0xf0)) == nil)
    }

    @Test func `a changed proposal is agreed to`() throws {
        let counter = ActionFrame(
            kind: .action(.scheduleResponse), isProtectedDual: true,
            attributes: [
                .availability(profile(0x30).availabilityAttribute),
                .dataLink(DataLink(dialogToken: 3, kind: .response, status: .continued)),
            ]
        ).body
        let outcome = try receive(counter, as: profile(0xff))
        let confirm = try ReceivedAction(parsing: try #require(outcome.answer), isEncrypted: true)
        #expect(confirm.subtype == .scheduleConfirm)
        #expect(confirm.dataLink?.kind == .confirm)
        #expect(confirm.dataLink?.dialogToken == 3)
        #expect(try receive(confirm.body, as: profile(0x30)).schedule.slots == 0xfe)
    }

    @Test func `a paired peer's schedule does not change in the clear`() throws {
        let update = ScheduleExchange.update(as: profile(0x0e), isProtected: false)
        #expect(throws: DataPathRefusal.unprotected) { try receive(update, as: profile(0xff)) }
        #expect(try receive(update, as: profile(0xff), isPaired: false).schedule.slots == 0x0e)
    }

    @Test func `what is no schedule frame, or half a one, is refused`() throws {
        let bare = ActionFrame(kind: .action(.scheduleUpdate), isProtectedDual: true, attributes: []).body
        #expect(throws: DataPathRefusal.missing(.availability)) { try receive(bare, as: profile(0xff)) }
        let availability = Attribute.availability(profile(0x0e).availabilityAttribute)
        let linkless = ActionFrame(
            kind: .action(.scheduleRequest), isProtectedDual: true, attributes: [availability]
        ).body
        #expect(throws: DataPathRefusal.missing(.dataLink)) { try receive(linkless, as: profile(0xff)) }
        let other = ActionFrame(
            kind: .action(.dataPathRequest), isProtectedDual: true, attributes: [availability]
        ).body
        #expect(throws: DataPathRefusal.unexpected(.dataPathRequest)) {
            try receive(other, as: profile(0xff))
        }
        let discovery = ActionFrame(
            kind: .serviceDiscovery, isProtectedDual: true, attributes: [availability]
        ).body
        #expect(throws: DataPathRefusal.contradictory) { try receive(discovery, as: profile(0xff)) }
    }

    @Test func `the profile is what our own recorded publisher said of itself`() throws {
        let profile = profile(0xffff_fffe)
        #expect(
            String(hex: Attribute.deviceCapability(profile.deviceCapability).octets)
                == "0f0900004904041722000008")
        #expect(
            String(hex: Attribute.deviceCapabilityExtension(profile.deviceCapabilityExtension).octets)
                == "2a02000003")
        // Map 0 | 2d 1a HT | bf 0c VHT
        let container = Attribute.elementContainer(profile.elementContainer).octets
        #expect(container.count == 46)
        #expect(container.starts(with: [0x1d, 0x2b, 0, 0, 0x2d, 26]))
        #expect(container[32...].starts(with: [0xbf, 12]))
    }
}
