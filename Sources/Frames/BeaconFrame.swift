public import Wire

/// The body of a beacon that announces a cluster. A kernel sends its own; the simulated radio and captures need it.
///
/// - Spec: 802.11-2020 §9.3.3.2; Wi-Fi Aware 4.0, NAN Discovery and Synchronization Beacon frames.
public struct BeaconFrame: Equatable, Sendable, AttributeCarrier {
    /// Short slots and a short preamble.
    public static let ordinaryCapability: UInt16 = 0x0420

    /// The cluster's time in microseconds.
    public var timestamp: UInt64
    /// 100 between discovery beacons, 512 between synchronization beacons; at most 65535.
    public var interval: TimeUnits
    public var capability: UInt16
    /// Elements before the first NAN element.
    public var leading: [Element]
    /// Those of the first NAN element.
    public var attributes: [Attribute]
    /// Elements after it.
    public var trailing: [Element]

    public init(
        timestamp: UInt64, interval: TimeUnits, capability: UInt16 = BeaconFrame.ordinaryCapability,
        leading: [Element] = [], attributes: [Attribute], trailing: [Element] = []
    ) {
        self.timestamp = timestamp
        self.interval = interval
        self.capability = capability
        self.leading = leading
        self.attributes = attributes
        self.trailing = trailing
    }
}

// MARK: Octets
//
//   timestamp (8) | interval (2) | capability (2) | elements

extension BeaconFrame {
    /// Reads what follows the management header; a beacon without a NAN element is somebody else's.
    public init(parsing body: consuming FrameReader) throws(WireError) {
        timestamp = try body.number64("beacon timestamp")
        interval = TimeUnits(UInt32(try body.number16("beacon interval")))
        capability = try body.number16("beacon capability")
        let elements = try Element.list(parsing: body)
        guard let index = elements.firstIndex(where: NANElement.isIn) else {
            throw .tooShort(for: "NAN element", missing: 1)
        }
        leading = [Element](elements[..<index])
        let element = elements[index].body
        attributes = try NANElement(parsing: FrameReader(element.span.bytes)).attributes
        trailing = [Element](elements[(index + 1)...])
    }

    public func write(into frame: inout FrameWriter) {
        frame.number64(timestamp)
        guard let interval = UInt16(exactly: interval.count) else {
            return frame.fail(.unexpected("beacon interval", value: UInt64(interval.count)))
        }
        frame.number16(interval)
        frame.number16(capability)
        for element in leading { element.write(into: &frame) }
        frame.octet(NANElement.id.number)
        frame.measured8("NAN element") { NANElement(attributes: attributes).write(into: &$0) }
        for element in trailing { element.write(into: &frame) }
    }

    public func octets() throws(WireError) -> [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        return try frame.finish()
    }
}
