public import Wire

/// Asks for an answer, to measure the way there and back.
///
/// - Spec: MAVLink common, PING.
public struct Ping: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 4)
    public static let length = 14

    public var time: UInt64
    public var sequence: UInt32
    /// Zero in a question.
    public var targetSystem: UInt8
    public var targetComponent: UInt8

    public init(
        time: UInt64, sequence: UInt32, targetSystem: UInt8, targetComponent: UInt8
    ) {
        self.time = time
        self.sequence = sequence
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number64("time")
        sequence = try payload.number32("sequence")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number64(time)
        payload.number32(sequence)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
    }
}

/// Compares two clocks, in nanoseconds.
///
/// - Spec: MAVLink common, TIMESYNC.
public struct TimeSynchronization: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 111)
    public static let length = 16

    /// Zero in a question.
    public var answered: Int64
    public var asked: Int64

    public init(
        answered: Int64, asked: Int64
    ) {
        self.answered = answered
        self.asked = asked
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        answered = Int64(bitPattern: try payload.number64("answered"))
        asked = Int64(bitPattern: try payload.number64("asked"))
    }

    public func write(into payload: inout FrameWriter) {
        payload.number64(UInt64(bitPattern: answered))
        payload.number64(UInt64(bitPattern: asked))
    }
}

/// A step of the file transfer protocol.
///
/// - Spec: MAVLink common, FILE_TRANSFER_PROTOCOL; MAVLink guide, "File Transfer Protocol".
public struct FileTransfer: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 110)
    public static let length = 254

    public var network: UInt8
    public var targetSystem: UInt8
    public var targetComponent: UInt8
    public var sequence: UInt16
    public var session: UInt8
    public var operation: FileOperation
    public var size: UInt8
    public var answeredOperation: FileOperation
    public var burstComplete: UInt8
    public var offset: UInt32
    public var data: [UInt8]

    public init(
        network: UInt8 = 0, targetSystem: UInt8, targetComponent: UInt8, sequence: UInt16, session: UInt8,
        operation: FileOperation, size: UInt8, answeredOperation: FileOperation, burstComplete: UInt8 = 0,
        offset: UInt32 = 0, data: [UInt8]
    ) {
        self.network = network
        self.targetSystem = targetSystem
        self.targetComponent = targetComponent
        self.sequence = sequence
        self.session = session
        self.operation = operation
        self.size = size
        self.answeredOperation = answeredOperation
        self.burstComplete = burstComplete
        self.offset = offset
        self.data = data
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        network = try payload.octet("network")
        targetSystem = try payload.octet("target system")
        targetComponent = try payload.octet("target component")
        sequence = try payload.number16("sequence")
        session = try payload.octet("session")
        operation = FileOperation(rawValue: try payload.octet("operation"))
        size = try payload.octet("size")
        answeredOperation = FileOperation(rawValue: try payload.octet("answered operation"))
        burstComplete = try payload.octet("burst complete")
        _ = try payload.octets(1, "padding")
        offset = try payload.number32("offset")
        data = try payload.octets(239, "data")
    }

    public func write(into payload: inout FrameWriter) {
        payload.octet(network)
        payload.octet(targetSystem)
        payload.octet(targetComponent)
        payload.number16(sequence)
        payload.octet(session)
        payload.octet(operation.rawValue)
        payload.octet(size)
        payload.octet(answeredOperation.rawValue)
        payload.octet(burstComplete)
        payload.zeros(1)
        payload.number32(offset)
        payload.text(data, 239)
    }
}
