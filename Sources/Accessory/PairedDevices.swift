public import Aware
import Crypto
import Frames
import Wire

/// The devices that the accessory has paired with.
public struct PairedDevices: Sendable {
    /// Those of the records first, then in the order in which they paired.
    public private(set) var all: [PairedPeer] = []

    public init(_ devices: [PairedPeer]) {
        for device in devices { add(device) }
    }

    /// The one with this id; nil where there is none.
    public func device(_ id: String) -> PairedPeer? {
        all.first { $0.id == id }
    }

    /// Who sent the resolution. Every device is tried, so that the time does not tell who it is.
    func sender(of resolution: IdentityResolution, at address: MACAddress) -> PairedPeer? {
        var found: PairedPeer?
        for device in all where device.isSender(of: resolution, at: address) { found = device }
        return found
    }

    /// Adds a device, or replaces the one with its identity.
    mutating func add(_ device: PairedPeer) {
        all.removeAll { $0.id == device.id }
        all.append(device)
    }

    mutating func remove(_ id: String) {
        all.removeAll { $0.id == id }
    }

    /// A device comes back: its record, where that is to be kept anew.
    ///
    /// Once an hour is enough to know when it was last seen; each time would wear the memory card out.
    mutating func touch(_ id: String, date: UInt64) -> PairedPeer? {
        for index in all.indices where all[index].id == id {
            let last = all[index].lastSeen
            guard date < last || date - last >= Self.hour else { return nil }
            all[index].lastSeen = date
            return all[index]
        }
        return nil
    }

    private static let hour: UInt64 = 3600
}
