/// A channel of 20 MHz, as schedules name it to the kernel.
struct ScheduleChannel: Equatable {
    /// In MHz.
    var frequency: UInt16
    /// Spatial streams of our receiver.
    var receiveStreams: UInt8
    /// The channel entry of an availability attribute, which the kernel wants whole.
    private var entry: [UInt8]

    /// Slots in a period of 512 TU.
    static let slotCount = 32
    /// In the list of slots: no channel.
    private static let nowhere: UInt8 = 0xff

    /// Nil for a frequency that is no channel of the 2.4 GHz band.
    ///
    /// - Spec: IEEE 802.11-2020, Table E-4, operating class 81: channels 1 to 13.
    init?(frequency: UInt16, receiveStreams: UInt8) {
        guard 2412...2472 ~= frequency, (frequency - 2412) % 5 == 0 else { return nil }
        self.frequency = frequency
        self.receiveStreams = receiveStreams
        let channels: UInt16 = 1 << ((frequency - 2412) / 5)
        entry = [81, UInt8(truncatingIfNeeded: channels), UInt8(truncatingIfNeeded: channels >> 8), 0, 0, 0]
    }

    func write(into writer: inout AttributeWriter) {
        writer.nest(Wireless.Attribute.channel) { channel in
            channel.number32(Wireless.Attribute.frequency, UInt32(frequency))
            channel.number32(Wireless.Attribute.centerFrequency1, UInt32(frequency))
            channel.number32(Wireless.Attribute.centerFrequency2, 0)
            channel.number32(Wireless.Attribute.channelWidth, Wireless.width20)
            channel.octets(Wireless.Attribute.channelEntry, entry)
            channel.octet(Wireless.Attribute.receiveStreams, receiveStreams)
        }
    }

    /// An octet a slot: the index of its channel, of which there is one, or none.
    static func timeSlots(_ slots: UInt32) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(slotCount)
        for slot in 0..<UInt32(slotCount) { octets.append(slots >> slot & 1 == 1 ? 0 : nowhere) }
        return octets
    }
}
