/// The parameters of the simulated vehicle, under the names that ArduPilot gives them.
struct VehicleParameters: Sendable {
    enum Parameter: Int, Sendable {
        case systemNumber
        case frameClass
        case frameType
        case armingChecks
        case groundStationFailsafe
        case groundStationTimeout
        case climbSpeed
        case descendSpeed
        case landSpeed
        case takeOffHeight
        case batteryCapacity
        case lowBattery
    }

    struct Entry: Sendable {
        var name: StaticString
        var type: ParameterType
        var value: Float
        var range: ClosedRange<Float>
    }

    private(set) var entries: [Entry] = [
        Entry(name: "SYSID_THISMAV", type: .int16, value: 1, range: 1...1),
        Entry(name: "FRAME_CLASS", type: .int8, value: 1, range: 1...1),
        Entry(name: "FRAME_TYPE", type: .int8, value: 1, range: 0...18),
        Entry(name: "ARMING_CHECK", type: .int32, value: 1, range: 0...1),
        // 0 off, 1 return to launch, 5 land.
        Entry(name: "FS_GCS_ENABLE", type: .int8, value: 1, range: 0...7),
        Entry(name: "FS_GCS_TIMEOUT", type: .float, value: 5, range: 2...120),  // s
        Entry(name: "WPNAV_SPEED_UP", type: .float, value: 250, range: 10...1000),  // cm/s
        Entry(name: "WPNAV_SPEED_DN", type: .float, value: 150, range: 10...500),  // cm/s
        Entry(name: "LAND_SPEED", type: .int16, value: 50, range: 30...200),  // cm/s
        Entry(name: "PILOT_TKOFF_ALT", type: .float, value: 250, range: 100...1000),  // cm
        Entry(name: "BATT_CAPACITY", type: .int32, value: 5000, range: 5000...5000),  // mAh
        Entry(name: "BATT_LOW_PCT", type: .int8, value: 15, range: 0...100),
    ]

    init(system: UInt8) {
        entries[Parameter.systemNumber.rawValue].value = Float(system)
        entries[Parameter.systemNumber.rawValue].range = Float(system)...Float(system)
    }

    subscript(_ parameter: Parameter) -> Float { entries[parameter.rawValue].value }

    func index(of name: [UInt8]) -> Int? {
        entries.firstIndex { $0.octets == name }
    }

    /// Keeps the old value where the new one is out of range or no number.
    mutating func set(_ index: Int, to value: Float) {
        guard entries[index].range.contains(value) else { return }
        // Ranges are small and have no negative numbers.
        entries[index].value = entries[index].type == .float ? value : Float(Int32(value + 0.5))
    }

    func message(_ index: Int) -> ParameterValue {
        let entry = entries[index]
        return ParameterValue(
            name: entry.octets, value: entry.value, type: entry.type, count: UInt16(entries.count),
            index: UInt16(index))
    }
}

extension VehicleParameters.Entry {
    var octets: [UInt8] { name.withUTF8Buffer { Array($0) } }
}
