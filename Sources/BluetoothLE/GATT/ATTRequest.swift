import Wire

/// What a PDU is, in its first octet.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F, 3.3.1 and 3.4.8.
struct ATTOpcode: RawRepresentable, Equatable {
    var rawValue: UInt8

    static let errorResponse = ATTOpcode(rawValue: 0x01)
    static let exchangeMTURequest = ATTOpcode(rawValue: 0x02)
    static let exchangeMTUResponse = ATTOpcode(rawValue: 0x03)
    static let findInformationRequest = ATTOpcode(rawValue: 0x04)
    static let findInformationResponse = ATTOpcode(rawValue: 0x05)
    static let findByTypeValueRequest = ATTOpcode(rawValue: 0x06)
    static let findByTypeValueResponse = ATTOpcode(rawValue: 0x07)
    static let readByTypeRequest = ATTOpcode(rawValue: 0x08)
    static let readByTypeResponse = ATTOpcode(rawValue: 0x09)
    static let readRequest = ATTOpcode(rawValue: 0x0a)
    static let readResponse = ATTOpcode(rawValue: 0x0b)
    static let readBlobRequest = ATTOpcode(rawValue: 0x0c)
    static let readBlobResponse = ATTOpcode(rawValue: 0x0d)
    static let readMultipleRequest = ATTOpcode(rawValue: 0x0e)
    static let readMultipleResponse = ATTOpcode(rawValue: 0x0f)
    static let readByGroupTypeRequest = ATTOpcode(rawValue: 0x10)
    static let readByGroupTypeResponse = ATTOpcode(rawValue: 0x11)
    static let writeRequest = ATTOpcode(rawValue: 0x12)
    static let writeResponse = ATTOpcode(rawValue: 0x13)
    static let prepareWriteRequest = ATTOpcode(rawValue: 0x16)
    static let prepareWriteResponse = ATTOpcode(rawValue: 0x17)
    static let executeWriteRequest = ATTOpcode(rawValue: 0x18)
    static let executeWriteResponse = ATTOpcode(rawValue: 0x19)
    static let notification = ATTOpcode(rawValue: 0x1b)
    static let indication = ATTOpcode(rawValue: 0x1d)
    static let confirmation = ATTOpcode(rawValue: 0x1e)
    static let writeCommand = ATTOpcode(rawValue: 0x52)

    /// Commands have no answer, known or not.
    var isCommand: Bool { rawValue & 0x40 != 0 }
    /// Responses, notifications and indications have odd numbers; whoever answers them talks to itself.
    var isFromServers: Bool { !isCommand && rawValue & 1 == 1 }
}

/// From the first handle to the last, both included.
struct HandleRange: Equatable {
    var first: UInt16
    var last: UInt16
}

/// What a client asks.
enum ATTRequest: Equatable {
    case exchangeMTU(UInt16)
    case findInformation(HandleRange)
    case findByTypeValue(HandleRange, type: BluetoothUUID, value: [UInt8])
    case readByType(HandleRange, BluetoothUUID)
    case read(UInt16)
    case readBlob(UInt16, offset: UInt16)
    case readMultiple([UInt16])
    case readByGroupType(HandleRange, BluetoothUUID)
    case write(UInt16, [UInt8])
    case prepareWrite(PreparedWrites.Part)
    /// Whether it is to be done, or given up.
    case executeWrite(Bool)
    case other
}

// MARK: Octets: opcode (1) | handles (2 each), then what the request needs

extension ATTRequest {
    init(parsing pdu: [UInt8]) throws(WireError) {
        var reader = FrameReader(pdu.span.bytes)
        switch ATTOpcode(rawValue: try reader.octet("ATT opcode")) {
        case .exchangeMTURequest: self = .exchangeMTU(try reader.number16("client's MTU"))
        case .findInformationRequest: self = .findInformation(try HandleRange(parsing: &reader))
        case .findByTypeValueRequest:
            self = .findByTypeValue(
                try HandleRange(parsing: &reader),
                type: try BluetoothUUID(parsing: &reader, count: 2, "attribute type"), value: reader.rest())
        case .readByTypeRequest:
            self = .readByType(try HandleRange(parsing: &reader), try Self.type(in: &reader))
        case .readRequest: self = .read(try reader.number16("handle"))
        case .readBlobRequest:
            self = .readBlob(try reader.number16("handle"), offset: try reader.number16("offset"))
        case .readMultipleRequest: self = .readMultiple(try Self.handles(in: &reader))
        case .readByGroupTypeRequest:
            self = .readByGroupType(try HandleRange(parsing: &reader), try Self.type(in: &reader))
        case .writeRequest: self = .write(try reader.number16("handle"), reader.rest())
        case .prepareWriteRequest:
            self = .prepareWrite(
                PreparedWrites.Part(
                    handle: try reader.number16("handle"), offset: try reader.number16("offset"),
                    value: reader.rest()))
        case .executeWriteRequest:
            let flags = try reader.octet("execute write's flags")
            guard flags <= 1 else { throw .unexpected("execute write's flags", value: UInt64(flags)) }
            self = .executeWrite(flags == 1)
        default:
            _ = reader.rest()
            self = .other
        }
        try reader.end("ATT request")
    }

    private static func type(in reader: inout FrameReader) throws(WireError) -> BluetoothUUID {
        try BluetoothUUID(parsing: &reader, count: reader.remaining, "attribute type")
    }

    /// Two at least.
    private static func handles(in reader: inout FrameReader) throws(WireError) -> [UInt16] {
        var handles = [try reader.number16("handle"), try reader.number16("handle")]
        while reader.remaining > 0 { handles.append(try reader.number16("handle")) }
        return handles
    }
}

extension HandleRange {
    init(parsing reader: inout FrameReader) throws(WireError) {
        first = try reader.number16("first handle")
        last = try reader.number16("last handle")
    }
}

/// A request's refusal, and about which attribute: 0 where about none.
struct ATTRefusal: Error {
    var error: ATTError
    var handle: UInt16

    init(_ error: ATTError, handle: UInt16 = 0) {
        self.error = error
        self.handle = handle
    }

    func response(to opcode: ATTOpcode) -> [UInt8] {
        [ATTOpcode.errorResponse.rawValue, opcode.rawValue] + ATTServer.octets(handle) + [error.code]
    }
}
