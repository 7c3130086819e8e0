public import Aware
public import Ports

extension Phone {
    /// What the phone wants done, and what it has found out.
    public enum Action: Sendable {
        case radio(RadioRequest)
        /// Keep the accessory's record, in place of one with the same id.
        case save(PairedPeer)

        /// A publication is new or has changed.
        case found(Discovery)
        /// The accessory shows its PIN: ``Phone/enter(pin:at:)`` is due.
        case askPIN(Discovery)
        case paired(PairedPeer)
        /// Traffic can flow: programs of this machine bind to `own` and talk to `peer`.
        case connected(PairedPeer, own: InternetAddress, peer: SocketAddress)
        case disconnected(reason: String)
        /// What was asked for cannot be had.
        case failed(reason: String)
        /// For those who want to see what goes on.
        case note(String)
    }
}
