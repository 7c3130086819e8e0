import Frames
import Ports
import Testing
import Wire

@testable import Aware

struct ScheduleTests {
    /// `[51 2000 00]`: class 81, channel 6.
    static let channelSix = Availability.Channels.entries(
        [.init(operatingClass: 81, channels: 0x0020)], hasAuxiliary: false)

    /// An entry of control 0x12e1 (committed, two streams, bitmap) as recorded.
    static func committed(_ control: UInt16, _ bits: [UInt8], on channels: Availability.Channels = channelSix)
        -> PeerAvailability
    {
        PeerAvailability(
            [
                Availability(
                    sequence: 7, control: 0x31,
                    entries: [
                        .init(control: 0x12e1, slots: .init(control: control, bits: bits), channels: channels)
                    ])
            ], capability: nil, on: .six)
    }

    /// Bit duration 16 · 2ⁿ TU, period 128 · 2ⁿ⁻¹ TU, offset in 16 TU.
    static func control(duration: UInt16 = 0, period: UInt16, offset: UInt16 = 0) -> UInt16 {
        duration | period << 3 | offset << 6
    }

    @Test func `reads the recorded attributes`() throws {
        for (hex, slots) in [
            (
                "123c000131000e00e112180004feffffff11512000002700ea029151ff0700730f000074030000750300007c0f00007d1f00007e0300007f03000080210000",
                UInt32(0xffff_fffe)
            ),
            (
                "123c000131000e00e1121800040e00000011512000002700ea029151ff0700730f000074030000750300007c0f00007d1f00007e0300007f03000080210000",
                0x0e
            ),
            (
                "122c000121002700ea029151ff0700730f000074030000750300007c0f00007d1f00007e0300007f03000080210000",
                0
            ),
            ("1213000131000e00e112180004feffffff1151200000", 0xffff_fffe),
        ] {
            let body = try #require([UInt8](hex: "0409506f9a180d" + hex))
            let frame = try ActionFrame(parsingBody: body)
            let availability = try #require(PeerAvailability(in: frame, on: .six))
            #expect(availability.committed == slots)
            #expect(availability.sequence == 1)
            #expect(availability.schedule.slots == slots)
            #expect(availability.common(with: LocalAvailability()) == slots)
        }
    }

    @Test func `our attribute is the recorded one, but for channels on which we never are`() throws {
        // 12 1d00 | 01 | 3100 | 0e00 e112 1800 04 feffffff 11 51 2000 00 | 0700 ea02 11 51 2000 00
        let attribute = Attribute.availability(LocalAvailability().attribute(receiveStreams: 2))
        #expect(
            String(hex: attribute.octets) == "121c000131000e00e112180004feffffff11512000000700ea021151200000")
    }

    @Test func `the radio is told the committed entry alone`() {
        let schedule = LocalAvailability().schedule(receiveStreams: 2)
        #expect(schedule.slots == 0xffff_fffe)
        #expect(schedule.frequency == 2437)
        #expect(String(hex: schedule.availability) == "1213000131000e00e112180004feffffff1151200000")
    }

    @Test func `a change has a sequence number of its own, no change has none`() {
        var availability = LocalAvailability(sequence: 255)
        availability.commit(to: 0xffff_ffff)
        #expect(availability.sequence == 255)
        #expect(availability.slots == 0xffff_fffe)
        availability.commit(to: 0x0e)
        #expect(availability.sequence == 0)
        availability.commit(to: 0)
        #expect(availability.sequence == 1)
        let attribute = availability.attribute(receiveStreams: 1)
        #expect(attribute.control == 0x21)
        #expect(attribute.entries.count == 1)
        #expect(attribute.entries.allSatisfy { !$0.isCommitted })
    }

    @Test func `a longer period counts where it repeats itself, and nowhere else`() {
        // 1024 TU: slots 1 to 3 of the first half, 2 to 4 of the second.
        #expect(
            Self.committed(Self.control(period: 4), [0x0e, 0, 0, 0, 0x1c, 0, 0, 0]).committed == 0x0c)
        // A second half that is not there promises nothing.
        #expect(Self.committed(Self.control(period: 4), [0xfe, 0xff, 0xff, 0xff]).committed == 0)
        // 2048 TU.
        #expect(
            Self.committed(
                Self.control(period: 5),
                [
                    0xff, 0, 0, 1, 0x0f, 0, 0, 1, 0x3f, 0, 0, 1, 0xfe, 0, 0, 1,
                ]
            ).committed == 0x0100_000e)
        // 8192 TU, all of it.
        #expect(
            Self.committed(Self.control(period: 7), [UInt8](repeating: 0xff, count: 64)).committed
                == 0xffff_fffe)
    }

    @Test func `a shorter period repeats in 512 TU`() {
        #expect(Self.committed(Self.control(period: 1), [0x02]).committed == 0x0202_0202)
        #expect(Self.committed(Self.control(period: 2), [0x02, 0x80]).committed == 0x8002_8002)
    }

    @Test func `bits may last longer and begin later`() {
        // 32 TU a bit: bit 1 is slots 2 and 3.
        #expect(Self.committed(Self.control(duration: 1, period: 3), [0x02]).committed == 0x0c)
        // 128 TU a bit: bit 3 is the last quarter.
        #expect(Self.committed(Self.control(duration: 3, period: 3), [0x08]).committed == 0xff00_0000)
        // From slot 9 on: what passes the end of the period is at its start.
        #expect(Self.committed(Self.control(period: 3, offset: 9), [0x03]).committed == 0x600)
        #expect(Self.committed(Self.control(period: 3, offset: 30), [0x0f]).committed == 0xc000_0002)
        // The offset of a short period is within it.
        #expect(Self.committed(Self.control(period: 1, offset: 10), [0x01]).committed == 0x0404_0404)
    }

    @Test func `what promises nothing commits to nothing`() {
        // No repetition; reserved durations; no bits; another class, another channel, a band, nothing.
        #expect(Self.committed(Self.control(period: 0), [0xff, 0xff, 0xff, 0xff]).committed == 0)
        for duration in UInt16(4)...7 {
            #expect(Self.committed(Self.control(duration: duration, period: 3), [0xff]).committed == 0)
        }
        #expect(Self.committed(Self.control(period: 3), []).committed == 0)
        for channels in [
            Availability.Channels.entries([.init(operatingClass: 115, channels: 0x20)], hasAuxiliary: false),
            .entries([.init(operatingClass: 81, channels: 0xffdf)], hasAuxiliary: false),
            .bands([2]), .unstated,
        ] {
            #expect(Self.committed(Self.control(period: 3), [0xff], on: channels).committed == 0)
        }
        let bare = Availability(
            sequence: 1, control: 1, entries: [.init(control: 0x2e1, slots: nil, channels: Self.channelSix)])
        #expect(PeerAvailability([bare], capability: nil, on: .six).committed == 0)
    }

    @Test func `any bitmap control and any length read as something`() {
        for control in stride(from: UInt16(0), through: .max, by: 7) {
            for count in [0, 1, 4, 63, 64, 255] {
                let slots = TimeBitmap(control: control, bits: [UInt8](repeating: 0xff, count: count))
                    .dependableSlots
                #expect(count > 0 || slots == 0)
            }
        }
    }

    @Test func `conditional slots count in an agreement, not before it`() {
        let conditional = Availability.Entry(
            control: 0x12e4, slots: TimeBitmap(slots: 0x30), channels: Self.channelSix)
        let committed = Availability.Entry(
            control: 0x12e1, slots: TimeBitmap(slots: 0x0e), channels: Self.channelSix)
        let availability = PeerAvailability(
            [
                Availability(sequence: 1, control: 1, entries: [conditional]),
                Availability(sequence: 2, control: 2, entries: [committed]),
            ], capability: nil, on: .six)
        #expect(availability.schedule.slots == 0x0e)
        #expect(availability.agreedSchedule.slots == 0x3e)
        #expect(availability.common(with: LocalAvailability(slots: 0x18)) == 0x18)
        #expect(availability.common(with: LocalAvailability(slots: 0xc0)) == 0)
    }

    @Test func `needs of time are met or not`() {
        #expect(DataLinkQoS(minimumSlots: 3, maximumLatency: 0xffff).isMet(by: 0x0e))
        #expect(!DataLinkQoS(minimumSlots: 4, maximumLatency: 0xffff).isMet(by: 0x0e))
        // Slots 1 to 3 leave 29 of 32 empty.
        #expect(DataLinkQoS(minimumSlots: 0, maximumLatency: 29).isMet(by: 0x0e))
        #expect(!DataLinkQoS(minimumSlots: 0, maximumLatency: 28).isMet(by: 0x0e))
        #expect(!DataLinkQoS(minimumSlots: 0, maximumLatency: 0xffff).isMet(by: 0))
    }

    @Test func `a cluster meets in the first common slot, or where the peer proposed`() {
        let fresh = MACAddress(rawValue: 0x0200_0000_0001)
        let own = DataCluster(meetingIn: 0xffff_fffe, proposal: nil, fresh: fresh)
        #expect(own.identifier == fresh)
        #expect(own.schedules.map(\.slots.dependableSlots) == [2])
        let other = DataCluster(
            identifier: MACAddress(rawValue: 0x0200_0000_0002), control: 1,
            schedules: [.init(map: 1, slots: TimeBitmap(slots: 0xf0))])
        let joined = DataCluster(meetingIn: 0x3e, proposal: other, fresh: fresh)
        #expect(joined.identifier == other.identifier)
        #expect(joined.schedules.map(\.slots.dependableSlots) == [0x30])
        #expect(DataCluster(meetingIn: 0x0e, proposal: other, fresh: fresh).identifier == fresh)
    }
}
