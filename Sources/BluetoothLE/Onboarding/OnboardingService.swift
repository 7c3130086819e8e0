/// The accessory's own service: what it is, how its Wi-Fi Aware does, and how pairing goes. config/README.md explains
/// it octet by octet for those who write apps.
public enum OnboardingService {
    /// 832eb559-5af9-4d93-8623-bdefd811a033, drawn at random for this program.
    public static let uuid = number(0)
    /// Stands for ``uuid`` in service data, where there is no room for it: its digits 5 to 8, as the digits of an
    /// assigned number stand in its 128 bits. Nobody else has been given it.
    public static let short = BluetoothUUID.assigned(0xb559)

    public static let information = GATTCharacteristic.ID(0x200)
    public static let aware = GATTCharacteristic.ID(0x201)
    public static let progress = GATTCharacteristic.ID(0x202)
    public static let control = GATTCharacteristic.ID(0x203)
    public static let result = GATTCharacteristic.ID(0x204)

    /// - Parameter bonds: Whether clients can pair over Bluetooth; the result is for those that have.
    public static func service(bonds: Bool) -> GATTService {
        var service = GATTService(uuid)
        service.add(information, number(1), .read)
        service.add(aware, number(2), [.read, .notify])
        service.add(progress, number(3), [.read, .notify])
        service.add(control, number(4), .write)
        if bonds { service.add(result, number(5), .read, access: .authenticated) }
        return service
    }

    private static func number(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x832e_b559_5af9_4d93, low: 0x8623_bdef_d811_a033 + number)
    }
}

/// What a client may ask for at the control point.
public enum OnboardingCommand: UInt8, Sendable {
    /// Let a person see which accessory this is.
    case identify = 1
    case openPairing = 2
    /// Close the pairing window again.
    case cancel = 3
    /// The device that pairs over Wi-Fi Aware next is this client's.
    case claim = 4
}

extension OnboardingCommand {
    /// One octet.
    public init(parsing value: [UInt8]) throws(ATTError) {
        guard value.count == 1 else { throw .invalidAttributeValueLength }
        guard let command = OnboardingCommand(rawValue: value[0]) else { throw .unknownCommand }
        self = command
    }
}

/// Why the control point refuses.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F, 3.4.1.1: 0x80 … 0x9f are the application's.
extension ATTError {
    public static let unknownCommand = ATTError(code: 0x80)
    /// The owner's configuration does not let anybody do this over Bluetooth.
    public static let notAllowed = ATTError(code: 0x81)
    /// The button on the accessory has to be pressed first.
    public static let buttonNotPressed = ATTError(code: 0x82)
    /// Only for clients that have paired over Bluetooth, with the passkey that the accessory showed.
    public static let notBonded = ATTError(code: 0x83)
    /// As many devices are paired as may be.
    public static let noRoomForDevices = ATTError(code: 0x84)
    /// There is nothing to cancel, or to claim; or it is not this client's to cancel.
    public static let nothingThere = ATTError(code: 0x85)
    /// Panels show how pairing ended, or it was asked for too often.
    public static let notNow = ATTError(code: 0x86)
}
