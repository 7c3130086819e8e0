public import Frames
public import Ports
import Wire

/// When a peer is available on our channel, of all that its frame says about its time.
public struct PeerAvailability: Equatable, Sendable {
    /// Of its availability attribute.
    public var sequence: UInt8
    /// Slots in which it is there, and those in which it will be if we agree. Bit n is slot n of 512 TU.
    public var committed: UInt32
    public var conditional: UInt32
    /// As its device capability attribute has them.
    public var committedWindows: UInt16
    public var channelSwitchTime: UInt16

    /// What the attributes add up to: each map of a device is a radio of its own, so that their slots unite. Entries
    /// without a bitmap commit to nothing. A peer that says nothing of its windows is awake in each of 2.4 GHz.
    public init(_ attributes: [Availability], capability: DeviceCapability?, on channel: AvailabilityChannel)
    {
        sequence = attributes.first?.sequence ?? 0
        committed = 0
        conditional = 0
        committedWindows = capability?.committedWindows ?? 1
        channelSwitchTime = capability?.channelSwitchTime ?? 0
        for attribute in attributes {
            for entry in attribute.entries where channel.isListed(in: entry.channels) {
                guard let slots = entry.slots?.dependableSlots else { continue }
                if entry.isCommitted { committed |= slots }
                if entry.isConditional { conditional |= slots }
            }
        }
        committed &= ~LocalAvailability.window
        conditional &= ~LocalAvailability.window
    }

    /// Nil where the frame says nothing of availability.
    public init?(in frame: ActionFrame, on channel: AvailabilityChannel) {
        var attributes: [Availability] = []
        var capability: DeviceCapability?
        for attribute in frame.attributes {
            switch attribute {
            case .availability(let availability): attributes.append(availability)
            case .deviceCapability(let found) where capability == nil: capability = found
            default: break
            }
        }
        guard !attributes.isEmpty else { return nil }
        self.init(attributes, capability: capability, on: channel)
    }

    /// Slots in which both sides can be.
    public func common(with own: LocalAvailability) -> UInt32 { (committed | conditional) & own.slots }

    /// Before there is an agreement: only what the peer is committed to.
    public var schedule: PeerSchedule { schedule(slots: committed) }

    /// Once there is an agreement.
    public var agreedSchedule: PeerSchedule { schedule(slots: committed | conditional) }

    private func schedule(slots: UInt32) -> PeerSchedule {
        PeerSchedule(
            committedWindows: committedWindows, channelSwitchTime: channelSwitchTime, sequence: sequence,
            slots: slots)
    }
}
