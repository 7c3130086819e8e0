/// Hardware that shows a person what the accessory wants of them.
public protocol Panel: AnyObject {
    func show(_ state: PanelState)
}

/// What a panel shows. It is shown until the next.
public enum PanelState: Equatable, Sendable {
    case idle
    /// Pairing is possible for so many seconds.
    case open(seconds: UInt32)
    /// Six decimal digits, each 0 … 9.
    case pin([UInt8])
    case paired(String)
    case refused(String, reason: String)
    /// Pairing is refused for so many seconds.
    case locked(seconds: UInt32)
}
