import Wire

/// What nl80211 answers.
enum WirelessReply {
    /// A device that was made.
    struct NewDevice {
        var device: WirelessDevice
        var address: MACAddress
        /// Zero where it is no network interface.
        var index: UInt32
        /// Empty where it is no network interface.
        var name: String
    }

    static func newDevice(_ body: ArraySlice<UInt8>) throws(WireError) -> NewDevice {
        let attributes = try attributes(body)
        guard let identifier = attributes.number64(Wireless.Attribute.device),
            let address = attributes.address(Wireless.Attribute.address)
        else { throw .tooShort(for: "new interface", missing: 1) }
        return NewDevice(
            device: WirelessDevice(identifier: identifier), address: address,
            index: attributes.number32(Wireless.Attribute.interfaceIndex) ?? 0,
            name: attributes.text(Wireless.Attribute.interfaceName) ?? "")
    }

    static func cookie(_ body: ArraySlice<UInt8>) throws(WireError) -> UInt64 {
        guard let cookie = try attributes(body).number64(Wireless.Attribute.cookie) else {
            throw .tooShort(for: "cookie", missing: 8)
        }
        return cookie
    }

    /// For how long a station has neither sent nor acknowledged anything, in milliseconds.
    static func inactiveTime(_ body: ArraySlice<UInt8>) throws(WireError) -> UInt32 {
        let information = try attributes(body).nested(Wireless.Attribute.stationInformation)
        guard let time = information?.number32(Wireless.StationInformation.inactiveTime) else {
            throw .tooShort(for: "inactive time", missing: 4)
        }
        return time
    }

    static func attributes(_ body: ArraySlice<UInt8>) throws(WireError) -> AttributeList {
        guard body.count >= WirelessEvent.headCount else {
            throw .tooShort(for: "reply", missing: WirelessEvent.headCount - body.count)
        }
        return try AttributeList(parsing: body.dropFirst(WirelessEvent.headCount))
    }
}

/// The family nl80211 as generic netlink describes it.
struct WirelessFamily {
    var number: UInt16
    /// The highest attribute that this kernel knows.
    var highestAttribute: UInt32
    private var groups: [(name: String, number: UInt32)] = []

    /// linux/genetlink.h: the control family's number, its command and attributes.
    private enum Control {
        static let family: UInt16 = 16
        static let getFamily: UInt8 = 3
        static let version: UInt8 = 2
        static let familyNumber: UInt16 = 1
        static let familyName: UInt16 = 2
        static let highestAttribute: UInt16 = 5
        static let groups: UInt16 = 7
        static let groupName: UInt16 = 1
        static let groupNumber: UInt16 = 2
    }

    static var request: NetlinkRequest {
        NetlinkRequest(
            "nl80211", kind: Control.family, flags: .order,
            head: [Control.getFamily, Control.version, 0, 0]
        ) { $0.text(Control.familyName, "nl80211") }
    }

    init(parsing body: ArraySlice<UInt8>) throws(WireError) {
        let attributes = try WirelessReply.attributes(body)
        guard let number = attributes.number16(Control.familyNumber) else {
            throw .tooShort(for: "family", missing: 2)
        }
        self.number = number
        highestAttribute = attributes.number32(Control.highestAttribute) ?? 0
        for entry in try attributes.nested(Control.groups)?.all ?? [] {
            let group = try AttributeList(parsing: entry.value)
            guard let name = group.text(Control.groupName), let number = group.number32(Control.groupNumber)
            else { continue }
            groups.append((name, number))
        }
    }

    /// Why a NAN device cannot be driven through it. Nil where it can.
    var shortcoming: String? {
        highestAttribute >= Wireless.newestAttribute
            ? nil
            : "this kernel is too old: its nl80211 does not know Wi-Fi Aware data paths (Linux 7.3 does)"
    }

    func group(_ name: String) -> UInt32? {
        for group in groups where group.name == name { return group.number }
        return nil
    }
}
