public import Aware
public import Ports

extension Accessory {
    /// What the accessory wants done. The order matters.
    public enum Action: Sendable {
        case radio(RadioRequest)
        /// Keep the device's record, in place of one with the same id.
        case save(PairedPeer)
        /// Forget the record of the device with this id.
        case remove(String)
        /// A paired device reaches a service, by its full name.
        case open(service: String, ServicePath)
        case close(service: String, ServicePath)
        case tell(Event)
    }
}
