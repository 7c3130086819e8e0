public import Wire

/// Hardware that shows a person what the accessory wants of them.
///
/// Showing never waits for the hardware: what takes long is drawn over several turns. A panel that fails says so in
/// ``fault`` and tries again by itself.
public protocol Panel: Turnable {
    /// Its kind and place, as in `tm1637 on GPIO23`, for status and journal.
    var name: String { get }
    /// Why it shows nothing now; nil while it is well.
    var fault: String? { get }
    /// Shows this until the next. What does not change is not drawn again.
    func show(_ content: PanelContent, at now: Instant)
    /// The agent ends: shows nothing from now on.
    func stop(at now: Instant)
    /// Whether what it was told stands, or cannot be shown.
    var isStill: Bool { get }
}

/// What a panel shows, and what larger ones show beside it.
public struct PanelContent: Equatable, Sendable {
    public var state: PanelState
    /// The accessory's pairing name.
    public var name: String
    /// How many paired devices reach a service now.
    public var connected: Int

    public init(_ state: PanelState, name: String, connected: Int) {
        self.state = state
        self.name = name
        self.connected = connected
    }
}

/// What a person is to know.
public enum PanelState: Equatable, Sendable {
    case idle
    /// Pairing is possible until then.
    case open(until: Instant)
    /// Six decimal digits, each 0 … 9, to be typed on a phone that pairs over Wi-Fi Aware.
    case pin([UInt8])
    /// The same for Bluetooth's own pairing.
    case passkey([UInt8])
    case paired(String)
    case refused(String, reason: String)
    /// Pairing is refused until then.
    case locked(until: Instant)
    /// A person holds the button: then every device is forgotten, unless it is released before.
    case forgetting(at: Instant)
    /// A person somewhere wants to know which accessory this is.
    case identify
    /// The accessory cannot be reached, and why.
    case fault(String)
}
