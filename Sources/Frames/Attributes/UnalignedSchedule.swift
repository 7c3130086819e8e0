public import Wire

/// Times at which a device is away, not aligned to slots; kept as octets after its head.
///
/// - Spec: Wi-Fi Aware 4.0, Unaligned Schedule attribute (ULW), id 0x17.
public struct UnalignedSchedule: Equatable, Sendable {
    public var control: UInt16
    /// In microseconds of the cluster's time.
    public var start: UInt32
    public var duration: UInt32
    public var period: UInt32
    public var count: UInt8
    public var octets: [UInt8]

    public init(
        control: UInt16, start: UInt32, duration: UInt32, period: UInt32, count: UInt8, octets: [UInt8]
    ) {
        self.control = control
        self.start = start
        self.duration = duration
        self.period = period
        self.count = count
        self.octets = octets
    }
}

// MARK: Octets
//
//   control (2) | start (4) | duration (4) | period (4) | count (1) | octets

extension UnalignedSchedule {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        control = try body.number16("unaligned schedule control")
        start = try body.number32("unaligned schedule start")
        duration = try body.number32("unaligned schedule duration")
        period = try body.number32("unaligned schedule period")
        count = try body.octet("unaligned schedule count")
        octets = body.rest()
    }

    public func write(into frame: inout FrameWriter) {
        frame.number16(control)
        frame.number32(start)
        frame.number32(duration)
        frame.number32(period)
        frame.octet(count)
        frame.octets(octets)
    }
}
