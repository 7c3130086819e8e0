public import Wire

/// - Spec: Wi-Fi Aware 4.0, Master Indication attribute, id 0x00.
public struct MasterIndication: Equatable, Sendable {
    public var preference: UInt8
    public var randomFactor: UInt8

    public init(preference: UInt8, randomFactor: UInt8) {
        self.preference = preference
        self.randomFactor = randomFactor
    }
}

/// - Spec: Wi-Fi Aware 4.0, Cluster attribute, id 0x01.
public struct ClusterAttribute: Equatable, Sendable {
    /// The anchor master's rank, the higher being the better: preference in the top octet, then the random factor,
    /// then the address from its last octet to its first.
    public var anchorRank: UInt64
    public var hopCount: UInt8
    /// The anchor master's beacon transmission time, the lower half.
    public var beaconTime: UInt32

    public init(anchorRank: UInt64, hopCount: UInt8, beaconTime: UInt32) {
        self.anchorRank = anchorRank
        self.hopCount = hopCount
        self.beaconTime = beaconTime
    }
}

// MARK: Octets
//
//   master indication: preference (1) | random factor (1)
//   cluster: anchor master rank (8) | hop count (1) | beacon transmission time (4)

extension MasterIndication {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        preference = try body.octet("master preference")
        randomFactor = try body.octet("master random factor")
        try body.end("master indication")
    }

    public func write(into frame: inout FrameWriter) {
        frame.octet(preference)
        frame.octet(randomFactor)
    }
}

extension ClusterAttribute {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        anchorRank = try body.number64("anchor master rank")
        hopCount = try body.octet("hop count")
        beaconTime = try body.number32("anchor master beacon time")
        try body.end("cluster attribute")
    }

    public func write(into frame: inout FrameWriter) {
        frame.number64(anchorRank)
        frame.octet(hopCount)
        frame.number32(beaconTime)
    }
}
