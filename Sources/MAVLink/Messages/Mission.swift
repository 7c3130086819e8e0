public import Wire

/// Asks how long the mission is.
///
/// - Spec: MAVLink common, MISSION_REQUEST_LIST.
public struct MissionRequestList: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 43)
    public static let length = 3

    public var targetSystem: UInt8
    public var targetComponent: UInt8
    /// Mission, fence or rally points.
    public var kind: UInt8

    public init(
        targetSystem: UInt8, targetComponent: UInt8, kind: UInt8
    ) {
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.kind = kind
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        kind = try payload.octet("kind")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(kind)
    }
}

/// How many items a mission has.
///
/// - Spec: MAVLink common, MISSION_COUNT.
public struct MissionCount: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 44)
    public static let length = 5

    public var count: UInt16
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var kind: UInt8

    public init(
        count: UInt16, targetSystem: UInt8, targetComponent: UInt8, kind: UInt8
    ) {
        self.count = count
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.kind = kind
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        count = try payload.number16("count")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        kind = try payload.octet("kind")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number16(count)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(kind)
    }
}

/// Deletes the mission.
///
/// - Spec: MAVLink common, MISSION_CLEAR_ALL.
public struct MissionClearAll: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 45)
    public static let length = 3

    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var kind: UInt8

    public init(
        targetSystem: UInt8, targetComponent: UInt8, kind: UInt8
    ) {
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.kind = kind
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        kind = try payload.octet("kind")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(kind)
    }
}

/// How the exchange of a mission ended.
///
/// - Spec: MAVLink common, MISSION_ACK.
public struct MissionAcknowledgement: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 47)
    public static let length = 4

    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var result: MissionResult
    public var kind: UInt8

    public init(
        targetSystem: UInt8, targetComponent: UInt8, result: MissionResult, kind: UInt8
    ) {
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.result = result
        self.kind = kind
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        result = MissionResult(rawValue: try payload.octet("result"))
        kind = try payload.octet("kind")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.octet(result.rawValue)
        payload.octet(kind)
    }
}
