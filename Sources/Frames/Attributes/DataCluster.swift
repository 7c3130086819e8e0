public import Wire

/// The slots in which devices of one data cluster meet.
///
/// - Spec: Wi-Fi Aware 4.0, NDC attribute, id 0x13.
public struct DataCluster: Equatable, Sendable {
    public var identifier: MACAddress
    /// Bit 0: the proposed or selected one.
    public var control: UInt8
    public var schedules: [Schedule]

    public struct Schedule: Equatable, Sendable {
        public var map: UInt8
        public var slots: TimeBitmap

        public init(map: UInt8, slots: TimeBitmap) {
            self.map = map
            self.slots = slots
        }
    }

    public init(identifier: MACAddress, control: UInt8, schedules: [Schedule]) {
        self.identifier = identifier
        self.control = control
        self.schedules = schedules
    }
}

// MARK: Octets
//
//   identifier (6) | control (1) | [map (1) | time bitmap] …

extension DataCluster {
    public init(parsing body: consuming FrameReader) throws(WireError) {
        identifier = try body.address("data cluster identifier")
        control = try body.octet("data cluster control")
        schedules = []
        while body.remaining > 0 {
            let map = try body.octet("data cluster schedule's map")
            schedules.append(Schedule(map: map, slots: try TimeBitmap(parsing: &body)))
        }
    }

    public func write(into frame: inout FrameWriter) {
        frame.address(identifier)
        frame.octet(control)
        for schedule in schedules {
            frame.octet(schedule.map)
            schedule.slots.write(into: &frame)
        }
    }
}
