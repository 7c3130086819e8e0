import Wire

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
    /// The anchor master's rank: preference, random factor, address; as on the air.
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
