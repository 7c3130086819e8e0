public import Aware
public import Ports

extension Accessory {
    /// What the accessory wants done. The order matters.
    public enum Action: Sendable {
        case radio(RadioRequest)
        /// Keep the device's record, in place of one with the same id.
        case save(PairedPeer)
        /// Forget the record of the device with this id. ``Event/forgotten(device:name:)`` when that is done, or
        /// ``Event/recordStays(device:name:reason:)``, is the caller's to tell.
        case remove(String, name: String)
        /// A paired device reaches a service, by its full name.
        case open(service: String, ServicePath)
        case close(service: String, ServicePath)
        /// Forget a bond over Bluetooth: its device is forgotten. ``Event/bondStays(_:reason:)`` is the caller's to tell.
        case removeBond(BluetoothAddress)
        /// Forget every bond over Bluetooth, as ``Event/bondForgotten(_:)`` tells.
        case removeBonds
        case tell(Event)
    }
}
