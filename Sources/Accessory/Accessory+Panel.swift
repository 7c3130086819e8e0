import Frames
public import Ports
import Wire

extension Accessory {
    /// What a panel shows for a while, and then no more.
    struct Notice {
        /// How long a panel shows how an attempt ended.
        static let resultTime = TimeUnits.seconds(5)

        var state: PanelState
        var ends: Instant

        init(_ state: PanelState, ends: Instant) {
            self.state = state
            self.ends = ends
        }
    }

    /// What panels are to show now: that a button is about to forget everyone before all, then the PIN, then
    /// Bluetooth's passkey, then how something ended, then what holds.
    public var panel: PanelContent {
        PanelContent(
            panelState, name: configuration.information.pairingName, connected: connectedCount)
    }

    private var panelState: PanelState {
        if let hold { return .forgetting(at: hold.completes) }
        let standing = window.standing
        if case .pin = standing { return standing }
        if let passkey = bluetooth.passkey { return .passkey(passkey) }
        if let notice { return notice.state }
        if case .lost(_, let reason) = radio { return .fault(reason) }
        return standing
    }
}
