/// Who made a device.
///
/// - Spec: Device Information Service 1.1; every characteristic is text in UTF-8.
public struct DeviceInformation: Equatable, Sendable {
    public var manufacturer: String
    public var model: String
    public var firmware: String

    public init(manufacturer: String, model: String, firmware: String) {
        self.manufacturer = manufacturer
        self.model = model
        self.firmware = firmware
    }

    private static let manufacturerID = GATTCharacteristic.ID(0x100)
    private static let modelID = GATTCharacteristic.ID(0x101)
    private static let firmwareID = GATTCharacteristic.ID(0x102)

    public static var service: GATTService {
        var service = GATTService(.assigned(0x180a))
        service.add(manufacturerID, .assigned(0x2a29), .read)
        service.add(modelID, .assigned(0x2a24), .read)
        service.add(firmwareID, .assigned(0x2a26), .read)
        return service
    }

    /// A characteristic's value; nil where it is of another service.
    public func value(of id: GATTCharacteristic.ID) -> [UInt8]? {
        switch id {
        case Self.manufacturerID: Array(manufacturer.utf8)
        case Self.modelID: Array(model.utf8)
        case Self.firmwareID: Array(firmware.utf8)
        default: nil
        }
    }
}
