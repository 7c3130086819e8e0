/// Why a request of the attribute protocol is refused.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F, 3.4.1.1.
public struct ATTError: Error, Hashable, Sendable {
    public let code: UInt8

    public init(code: UInt8) { self.code = code }

    public static let invalidHandle = ATTError(code: 0x01)
    public static let readNotPermitted = ATTError(code: 0x02)
    public static let writeNotPermitted = ATTError(code: 0x03)
    public static let invalidPDU = ATTError(code: 0x04)
    public static let insufficientAuthentication = ATTError(code: 0x05)
    public static let requestNotSupported = ATTError(code: 0x06)
    public static let invalidOffset = ATTError(code: 0x07)
    public static let prepareQueueFull = ATTError(code: 0x09)
    public static let attributeNotFound = ATTError(code: 0x0a)
    public static let attributeNotLong = ATTError(code: 0x0b)
    public static let invalidAttributeValueLength = ATTError(code: 0x0d)
    public static let unlikely = ATTError(code: 0x0e)
    public static let insufficientEncryption = ATTError(code: 0x0f)
    public static let unsupportedGroupType = ATTError(code: 0x10)
    public static let insufficientResources = ATTError(code: 0x11)
    public static let valueNotAllowed = ATTError(code: 0x13)
}
