public import Frames
public import Ports
import Wire

/// When we are available, as our frames say it and as the radio is told it. Every change has a sequence number of its
/// own, by which peers see that what they know is old.
public struct LocalAvailability: Equatable, Sendable {
    /// All slots but the first, in which the discovery window is.
    public static let allButTheWindow: UInt32 = 0xffff_fffe
    /// The slot of the discovery window, which no schedule may use.
    static let window: UInt32 = 1

    public let channel: AvailabilityChannel
    /// Of the latest change; after 255 comes 0.
    public private(set) var sequence: UInt8
    /// Bit n is slot n of 512 TU. Zero: discovery windows only, so that no data path can be.
    public private(set) var slots: UInt32

    public init(
        channel: AvailabilityChannel = .six, slots: UInt32 = LocalAvailability.allButTheWindow,
        sequence: UInt8 = 1
    ) {
        self.channel = channel
        self.slots = slots & ~Self.window
        self.sequence = sequence
    }

    /// Commits to other slots. The radio and the peers with a data path then have to be told.
    public mutating func commit(to slots: UInt32) {
        guard slots & ~Self.window != self.slots else { return }
        self.slots = slots & ~Self.window
        sequence &+= 1
    }

    /// What frames say: the committed slots, and that we could be there at any time.
    ///
    /// - Parameter receiveStreams: spatial streams of our receiver, 1 … 15.
    public func attribute(receiveStreams: UInt8) -> Availability {
        Availability(
            sequence: sequence,
            control: Control.map | (slots == 0 ? 0 : Control.committedChanged) | Control.potentialChanged,
            entries: committed(receiveStreams) + [potential(receiveStreams)])
    }

    /// What the radio is told. Its attribute has the committed entry alone.
    public func schedule(receiveStreams: UInt8) -> LocalSchedule {
        let attribute = Availability(
            sequence: sequence, control: Control.map | Control.committedChanged | Control.potentialChanged,
            entries: committed(receiveStreams))
        return LocalSchedule(
            slots: slots, frequency: channel.frequency, availability: Attribute.availability(attribute).octets
        )
    }

    private func committed(_ receiveStreams: UInt8) -> [Availability.Entry] {
        guard slots != 0 else { return [] }
        return [entry(EntryControl.committed | EntryControl.bitmap, TimeBitmap(slots: slots), receiveStreams)]
    }

    private func potential(_ receiveStreams: UInt8) -> Availability.Entry {
        entry(EntryControl.potential | EntryControl.somewhatPreferred, nil, receiveStreams)
    }

    private func entry(_ control: UInt16, _ slots: TimeBitmap?, _ receiveStreams: UInt8) -> Availability.Entry
    {
        Availability.Entry(
            control: control | EntryControl.unknownUtilization | UInt16(receiveStreams & 15) << 8,
            slots: slots,
            channels: .entries([channel.entry], hasAuxiliary: false))
    }

    private enum Control {
        static let map: UInt16 = 1
        static let committedChanged: UInt16 = 1 << 4
        static let potentialChanged: UInt16 = 1 << 5
    }

    private enum EntryControl {
        static let committed: UInt16 = 1 << 0
        static let potential: UInt16 = 1 << 1
        static let somewhatPreferred: UInt16 = 1 << 3
        static let unknownUtilization: UInt16 = 7 << 5
        static let bitmap: UInt16 = 1 << 12
    }
}
