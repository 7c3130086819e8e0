import BluetoothLE
import SystemBus
import Wire

/// The refusals by which bluetoothd, and others on the bus, are answered.
extension BusFailure {
    static var unknownMethod: BusFailure {
        BusFailure("org.freedesktop.DBus.Error.UnknownMethod", "there is no such method")
    }
    static var unknownObject: BusFailure {
        BusFailure("org.freedesktop.DBus.Error.UnknownObject", "there is no such object")
    }
    static var invalidArguments: BusFailure {
        BusFailure("org.freedesktop.DBus.Error.InvalidArgs", "the arguments are not those of the method")
    }
    /// For everybody but bluetoothd: it alone knows how well a client's link is protected.
    static var notForOthers: BusFailure {
        BusFailure("org.freedesktop.DBus.Error.AccessDenied", "only bluetoothd is answered")
    }
    static var invalidOffset: BusFailure { BusFailure("org.bluez.Error.InvalidOffset", "behind the value") }
    static var invalidLength: BusFailure { BusFailure("org.bluez.Error.InvalidValueLength", "too long") }
    static var notPermitted: BusFailure { BusFailure("org.bluez.Error.NotPermitted", "not of this kind") }
    static var unknownDevice: BusFailure { BusFailure("org.bluez.Error.Failed", "unknown device") }

    /// bluetoothd turns the names into codes of the attribute protocol again, as far as it has one, and a code of the
    /// application as the text of "Failed".
    init(_ error: ATTError) {
        let number = "0x" + String(hex: [error.code])
        switch error {
        case .readNotPermitted, .writeNotPermitted: self = .notPermitted
        case .invalidOffset: self = .invalidOffset
        case .invalidAttributeValueLength: self = .invalidLength
        case .insufficientAuthentication, .insufficientEncryption:
            self.init("org.bluez.Error.NotAuthorized", number)
        case .requestNotSupported: self.init("org.bluez.Error.NotSupported", number)
        default: self.init("org.bluez.Error.Failed", number)
        }
    }
}
