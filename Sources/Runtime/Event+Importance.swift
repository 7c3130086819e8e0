import Accessory
import Ports

extension Event {
    /// How the journal is to take it.
    var importance: Importance {
        switch self {
        case .radioLost, .channelLost, .locked, .refused, .partFailed, .recordStays, .bondStays,
            .bluetoothUnavailable, .bondFailed, .networkFailed:
            .warning
        case .started, .channelRegained, .clusterJoined, .published, .withdrawn, .pairingOpened,
            .pairingClosed, .attempt, .paired, .recognised, .forgotten, .connected, .disconnected,
            .buttonPressed, .forgettingBegan, .forgettingStopped, .forgettingCompleted, .partRecovered,
            .bluetoothReady, .bluetoothConnected, .passkeyShown, .bonded, .bondForgotten, .tied, .identified,
            .networkJoined:
            .notice
        }
    }
}
