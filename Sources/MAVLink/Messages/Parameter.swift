public import Wire

/// Asks for one parameter, by its name or, unless that is -1, by its index.
///
/// - Spec: MAVLink common, PARAM_REQUEST_READ.
public struct ParameterRequestRead: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 20)
    public static let length = 20

    public var index: Int16
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var name: [UInt8]

    public init(
        index: Int16, targetSystem: UInt8, targetComponent: UInt8, name: [UInt8]
    ) {
        self.index = index
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.name = name
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        index = try payload.signed16("index")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        name = try payload.text(16, "name")
    }

    public func write(into payload: inout FrameWriter) {
        payload.signed16(index)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.text(name, 16)
    }
}

/// Asks for all parameters.
///
/// - Spec: MAVLink common, PARAM_REQUEST_LIST.
public struct ParameterRequestList: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 21)
    public static let length = 2

    public var targetSystem: UInt8
    public var targetComponent: UInt8

    public init(
        targetSystem: UInt8, targetComponent: UInt8
    ) {
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(targetSystem)
        payload.octet(targetComponent)
    }
}

/// One parameter of so many.
///
/// - Spec: MAVLink common, PARAM_VALUE.
public struct ParameterValue: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 22)
    public static let length = 25

    public var value: Float
    public var count: UInt16
    public var index: UInt16
    public var name: [UInt8]
    public var type: ParameterType

    public init(
        name: [UInt8], value: Float, type: ParameterType, count: UInt16, index: UInt16
    ) {
        self.value = value
        self.count = count
        self.index = index
        self.name = name
        self.type = type
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        value = try payload.float("value")
        count = try payload.number16("count")
        index = try payload.number16("index")
        name = try payload.text(16, "name")
        type = ParameterType(rawValue: try payload.octet("type"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.float(value)
        payload.number16(count)
        payload.number16(index)
        payload.text(name, 16)
        payload.octet(type.rawValue)
    }
}

/// Changes a parameter; answered with the value that it then has.
///
/// - Spec: MAVLink common, PARAM_SET.
public struct ParameterSet: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 23)
    public static let length = 23

    public var value: Float
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var name: [UInt8]
    public var type: ParameterType

    public init(
        name: [UInt8], value: Float, type: ParameterType, targetSystem: UInt8, targetComponent: UInt8
    ) {
        self.value = value
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.name = name
        self.type = type
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        value = try payload.float("value")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        name = try payload.text(16, "name")
        type = ParameterType(rawValue: try payload.octet("type"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.float(value)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.text(name, 16)
        payload.octet(type.rawValue)
    }
}
