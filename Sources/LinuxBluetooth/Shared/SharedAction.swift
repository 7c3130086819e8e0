import BluetoothLE
import Ports
import SystemBus

/// What is to be done for a ``SharedPeripheral``.
enum SharedAction: Equatable {
    case call(BusCall, SharedPurpose)
    /// A value that has changed, for bluetoothd alone.
    case tell(BusValue, path: String, daemon: String)
    case report(BluetoothEvent)

    // Exactly one of these for each call that came.
    case answer([BusValue])
    case refuse(BusFailure)
    case read(GATTCharacteristic.ID, BluetoothClient, offset: Int)
    case write([UInt8], GATTCharacteristic.ID, BluetoothClient)
}

/// What a call was for, when its answer comes.
enum SharedPurpose: Equatable {
    case findDaemon
    case survey
    case powerOn
    case registerServices
    case registerAdvertisement(UInt32)
    case registerAgent
    /// Nothing depends on how it ends.
    case courtesy
}
