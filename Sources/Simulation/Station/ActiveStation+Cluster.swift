import Crypto
import Frames
import Ports
import Wire

extension ActiveStation {
    /// The first four octets of every cluster's name.
    ///
    /// - Spec: Wi-Fi Aware 4.0, NAN Cluster ID.
    private static let clusterPrefix: UInt64 = 0x506f_9a01

    /// Nobody was heard: this station keeps a cluster of its own.
    mutating func found(at now: Instant) {
        let id = MACAddress(rawValue: Self.clusterPrefix << 16 | entropy.number64() & 0xffff)
        join(Cluster(id: id, offset: 0, master: nil, airTime: airTime(at: now)), isNew: true)
    }

    /// Beacons, where this station is the master, once a window.
    mutating func beacon(in time: WindowTime, of cluster: inout Cluster, at now: Instant) {
        guard cluster.master == nil, cluster.beaconed != time.index else { return }
        cluster.beaconed = time.index
        let stamp = stamp(at: now)
        let head = FrameHead(
            .beacon, receiver: .broadcast, transmitter: configuration.managementAddress, cluster: cluster.id,
            sequence: nextSequence())
        let body = BeaconFrame(
            timestamp: stamp &+ cluster.offset, interval: WindowTime.beaconInterval,
            attributes: [
                .masterIndication(
                    MasterIndication(preference: rank.preference, randomFactor: rank.randomFactor)),
                .cluster(ClusterAttribute(anchorRank: rank.rawValue, hopCount: 0, beaconTime: 0)),
            ])
        guard let octets = try? head.octets() + body.octets() else { die("a beacon cannot be written") }
        emit(octets, at: stamp)
    }

    mutating func receiveBeacon(_ head: FrameHead, _ datagram: AirDatagram, at now: Instant) {
        let octets = [UInt8](datagram.frame[head.count...])
        guard let beacon = try? BeaconFrame(parsing: FrameReader(octets.span.bytes)),
            let anchor = anchorRank(in: beacon), beacon.timestamp <= WindowTime.latest,
            head.cluster.rawValue >> 16 == Self.clusterPrefix
        else {
            counters.malformed += 1
            return
        }
        guard beacon.interval == WindowTime.beaconInterval else { return }
        let offset = beacon.timestamp &- datagram.time
        let airTime = airTime(at: now)
        let master = Cluster.Master(
            rank: anchor, heard: WindowTime(clusterTime: airTime &+ offset).index)
        switch phase {
        case .searching:
            join(Cluster(id: head.cluster, offset: offset, master: master, airTime: airTime), isNew: false)
        case .joined(var cluster) where cluster.id == head.cluster:
            guard anchor > rank, anchor >= cluster.master?.rank ?? rank else { return }
            cluster.master = master
            cluster.synchronise(to: offset, airTime: airTime)
            phase = .joined(cluster)
        case .joined(let cluster):
            guard cluster.isOutranked(by: head.cluster, anchor: anchor, offset: offset, own: rank) else {
                return
            }
            join(Cluster(id: head.cluster, offset: offset, master: master, airTime: airTime), isNew: false)
        }
    }

    private func anchorRank(in beacon: BeaconFrame) -> MasterRank? {
        for attribute in beacon.attributes {
            if case .cluster(let cluster) = attribute { return MasterRank(rawValue: cluster.anchorRank) }
        }
        return nil
    }

    /// Frames that wait name the old cluster: they are lost, and their senders build new ones.
    private mutating func join(_ joined: Cluster, isNew: Bool) {
        var cluster = joined
        if let master = cluster.master, master.rank < rank { cluster.master = nil }
        queue = []
        phase = .joined(cluster)
        report(.clusterJoined(cluster.id, isNew: isNew))
    }
}
