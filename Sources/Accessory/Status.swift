public import Aware
public import Wire

/// The accessory at a moment, for those who ask.
public struct Status: Sendable {
    /// `on` or `off`.
    public var radio: String
    public var bluetooth: BluetoothState
    /// The management address; nil while the radio is off.
    public var address: MACAddress?
    /// Nil while the radio is off, or in no cluster yet.
    public var cluster: MACAddress?
    /// The full names of those that are published.
    public var services: [String]
    /// How long pairing stays open; nil while closed.
    public var pairingSeconds: UInt32?
    public var paired: Int
    /// How many paired devices reach a service.
    public var connected: Int
    /// Addresses that are known, paired or trying to be.
    public var peers: Int
    /// Frames of ours that were given up since the radio started.
    public var framesLost: UInt64
    public var refusals: [RefusalCounts.Entry]
}

extension Accessory {
    /// How the accessory is at `now`.
    public func status(at now: Instant) -> Status {
        var station: Station?
        if case .on(let found, _) = radio { station = found }
        return Status(
            radio: station == nil ? "off" : "on", bluetooth: bluetooth.state, address: station?.address,
            cluster: station?.outbox.cluster,
            services: publisher.publications.map { $0.name.text },
            pairingSeconds: window.secondsLeft(at: now),
            paired: devices.all.count, connected: connectedCount,
            peers: peers.count, framesLost: station?.outbox.lost ?? 0, refusals: refusals.entries)
    }

    /// How many paired devices reach a service now.
    var connectedCount: Int {
        var count = 0
        for device in devices.all where isConnected(device.id) { count += 1 }
        return count
    }

    /// Whether the device reaches a service now.
    public func isConnected(_ id: String) -> Bool {
        for peer in peers.values where peer.association?.device == id {
            for path in peer.association?.paths ?? [] {
                if case .open = path.stage { return true }
            }
        }
        return false
    }
}
