import Wire

/// Answers to the commands that ask for something.
///
/// - Spec: BlueZ, doc/mgmt-api.txt.
enum ManagementAnswers {
    /// The controllers' numbers, the lowest first: the kernel lists the youngest first, and which one is used must not
    /// depend on which was there sooner.
    static func indexList(_ octets: [UInt8]) throws(WireError) -> [UInt16] {
        var frame = FrameReader(octets.span.bytes)
        let count = Int(try frame.number16("number of controllers"))
        var indexes: [UInt16] = []
        for _ in 0..<count { indexes.append(try frame.number16("controller index")) }
        return indexes.sorted()
    }
}

struct ControllerInformation: Equatable, Sendable {
    /// All zeros where the controller has none.
    var address: MACAddress
    var supported: ControllerSettings
    var current: ControllerSettings

    init(parsing octets: [UInt8]) throws(WireError) {
        var frame = FrameReader(octets.span.bytes)
        address = try frame.deviceAddress("controller address")
        _ = try frame.octet("Bluetooth version")
        _ = try frame.number16("manufacturer")
        supported = ControllerSettings(rawValue: try frame.number32("supported settings"))
        current = ControllerSettings(rawValue: try frame.number32("current settings"))
    }
}

struct AdvertisingFeatures: Equatable, Sendable {
    /// Instances are numbered 1 … this.
    var most: UInt8

    init(parsing octets: [UInt8]) throws(WireError) {
        var frame = FrameReader(octets.span.bytes)
        _ = try frame.number32("supported flags")
        _ = try frame.octet("advertising data limit")
        _ = try frame.octet("scan response limit")
        most = try frame.octet("instance limit")
    }
}
