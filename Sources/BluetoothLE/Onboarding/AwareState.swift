public import Wire

/// How the accessory's Wi-Fi Aware does.
public struct AwareState: Equatable, Sendable {
    public enum Radio: Equatable, Sendable {
        /// In the 2.4 GHz band, on this channel and at this management address, where that is told.
        case up(channel: UInt8, address: MACAddress?)
        /// Why not.
        case down(String)
    }

    public struct Service: Equatable, Sendable {
        /// As on the air. 6 octets.
        public var identifier: [UInt8]
        /// The full name.
        public var name: String

        public init(identifier: [UInt8], name: String) {
            self.identifier = identifier
            self.name = name
        }
    }

    public var radio: Radio
    /// For how long strangers may pair; 0 for not at all.
    public var pairingSeconds: UInt32
    public var services: [Service]

    public init(radio: Radio, pairingSeconds: UInt32, services: [Service]) {
        self.radio = radio
        self.pairingSeconds = pairingSeconds
        self.services = services
    }
}

// MARK: Octets
//
//   radio up (1: 0 or 1) | channel (1) | management address (6), zeros where it is not told | seconds (4) |
//   why down, behind its length |
//   number of services (1), each: identifier (6) | name, behind its length

extension AwareState {
    private static let untold = MACAddress(rawValue: 0)

    public init(parsing value: [UInt8]) throws(WireError) {
        var reader = FrameReader(value.span.bytes)
        let isUp = try reader.octet("radio's state") == 1
        let channel = try reader.octet("channel")
        let address = try reader.address("management address")
        pairingSeconds = try reader.number32("seconds left")
        let reason = try reader.text8("reason")
        radio =
            isUp ? .up(channel: channel, address: address == Self.untold ? nil : address) : .down(reason)
        services = []
        for _ in 0..<(try reader.octet("number of services")) {
            let identifier = try reader.octets(6, "service identifier")
            services.append(Service(identifier: identifier, name: try reader.text8("service name")))
        }
    }

    public func write(into frame: inout FrameWriter) {
        switch radio {
        case .up(let channel, let address):
            frame.octet(1)
            frame.octet(channel)
            frame.address(address ?? Self.untold)
            frame.number32(pairingSeconds)
            frame.octet(0)
        case .down(let reason):
            frame.zeros(8)
            frame.number32(pairingSeconds)
            frame.text8(reason)
        }
        frame.measuredCount(services.count)
        for service in services {
            frame.octets(service.identifier)
            frame.text8(service.name)
        }
    }
}

extension FrameWriter {
    fileprivate mutating func measuredCount(_ count: Int) {
        if count > UInt8.max { fail(.tooLong("list", by: count - Int(UInt8.max))) }
        octet(UInt8(clamping: count))
    }
}
