import Wire

/// A station's place in a cluster: its name, its time, and who keeps it.
struct Cluster {
    /// For so many windows a silent master is believed to be there.
    private static let masterPatience: UInt64 = 3

    /// A neighbour that outranks this station, and hence keeps the cluster.
    struct Master {
        var rank: MasterRank
        /// The last window with a beacon of it.
        var heard: UInt64
    }

    var id: MACAddress
    /// What has to be added to the air's time, modulo 2⁶⁴, for the cluster's.
    var offset: UInt64
    /// The last window that was taken leave of.
    var closed: UInt64
    /// The last window in which this station beaconed; all ones before the first.
    var beaconed = UInt64.max
    /// Nil while this station is the master.
    var master: Master?

    init(id: MACAddress, offset: UInt64, master: Master?, airTime: UInt64) {
        self.id = id
        self.offset = offset
        self.master = master
        closed = 0
        skip(to: airTime)
    }

    func time(at airTime: UInt64) -> WindowTime { WindowTime(clusterTime: airTime &+ offset) }

    /// Takes leave of all windows up to the one that still has room for something.
    mutating func skip(to airTime: UInt64) {
        let time = time(at: airTime)
        let hasRoom = time.position < WindowTime.masterClosing && time.index > 0
        closed = hasRoom ? time.index - 1 : time.index
    }

    /// Follows the master's clock.
    mutating func synchronise(to offset: UInt64, airTime: UInt64) {
        guard offset != self.offset else { return }
        self.offset = offset
        skip(to: airTime)
    }

    /// Forgets a master that was not heard for some windows.
    mutating func review(in window: UInt64) {
        if let master, window > master.heard &+ Self.masterPatience { self.master = nil }
    }

    /// Whether a cluster of which a beacon was heard takes this station in.
    ///
    /// - Spec: Wi-Fi Aware 4.0, cluster grade: the anchor master's preference, then the cluster's time.
    func isOutranked(by other: MACAddress, anchor: MasterRank, offset otherOffset: UInt64, own: MasterRank)
        -> Bool
    {
        let preference = (master?.rank ?? own).preference
        guard anchor.preference == preference else { return anchor.preference > preference }
        let ahead = Int64(bitPattern: otherOffset &- offset)
        return ahead == 0 ? other > id : ahead > 0
    }
}

/// What decides who is master: preference, random factor, address.
///
/// - Spec: Wi-Fi Aware 4.0, Master Rank.
struct MasterRank: Comparable {
    var rawValue: UInt64

    var preference: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 56) }
    var randomFactor: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 48) }

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(preference: UInt8, randomFactor: UInt8, address: MACAddress) {
        // The address counts from its last octet on.
        let reversed = address.octets.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rawValue = UInt64(preference) << 56 | UInt64(randomFactor) << 48 | reversed
    }

    static func < (one: MasterRank, other: MasterRank) -> Bool { one.rawValue < other.rawValue }
}
