import Frames

/// A channel of 20 MHz as availability entries name it.
public struct AvailabilityChannel: Equatable, Sendable {
    /// In MHz.
    public var frequency: UInt16
    public var operatingClass: UInt8
    /// Its place among the channels of the class.
    public var index: UInt8

    public init(frequency: UInt16, operatingClass: UInt8, index: UInt8) {
        self.frequency = frequency
        self.operatingClass = operatingClass
        self.index = index
    }

    /// Channel 6, where the discovery windows of the 2.4 GHz band are (802.11-2020 Table E-4, class 81).
    public static let six = AvailabilityChannel(frequency: 2437, operatingClass: 81, index: 5)

    var entry: Availability.ChannelEntry {
        Availability.ChannelEntry(operatingClass: operatingClass, channels: mask)
    }

    /// Whether a list of channels names this one. A list of bands names none: nobody meets on a band.
    func isListed(in channels: Availability.Channels) -> Bool {
        switch channels {
        case .bands, .unstated:
            return false
        case .entries(let entries, _):
            return entries.contains { $0.operatingClass == operatingClass && $0.channels & mask != 0 }
        }
    }

    private var mask: UInt16 { index < 16 ? 1 << UInt16(index) : 0 }
}
