public import BluetoothLE
public import Crypto
public import Wire

/// The board's ordinary network, into which somebody who sets the board up can put it.
///
/// One thing at a time: while it looks for networks or joins one, nothing else is asked of it.
public protocol WiFiProvisioner: EventSource {
    /// Whether it can look for networks.
    var canScan: Bool { get }
    /// Answered by ``WiFiProvisionerEvent/found(_:)`` within half a minute.
    func scan(at now: Instant)
    /// Answered by ``WiFiProvisionerEvent/joined`` or ``WiFiProvisionerEvent/failed(_:)`` within a minute. An empty
    /// password is for a network without protection.
    func join(_ name: [UInt8], password: Key, at now: Instant)
    /// The next thing that happened, oldest first. Nil when there is nothing more for now.
    func nextEvent(at now: Instant) -> WiFiProvisionerEvent?
}

/// What came of looking for networks, or of joining one.
public enum WiFiProvisionerEvent: Equatable, Sendable {
    /// The strongest first; none where looking failed.
    case found([WiFiNetwork])
    case joined
    /// Why, for the operator. Never with the password.
    case failed(String)
}
