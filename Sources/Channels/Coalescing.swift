import MAVLink

/// Several frames in a datagram: each datagram costs 48 octets of headers, and its turn on the air.
enum Coalescing {
    /// Fits the smallest IPv6 packet with room for what lies below, in octets.
    static let limit = 1200

    struct Datagram {
        var octets: [UInt8] = []
        var frames: UInt64 = 0
    }

    static func datagrams(of frames: [MAVLinkFrame]) -> [Datagram] {
        var datagrams: [Datagram] = []
        var current = Datagram()
        for frame in frames {
            if current.frames > 0, current.octets.count + frame.octets.count > limit {
                datagrams.append(current)
                current = Datagram()
            }
            current.octets += frame.octets
            current.frames += 1
        }
        if current.frames > 0 { datagrams.append(current) }
        return datagrams
    }
}
