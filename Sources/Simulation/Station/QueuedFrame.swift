import Ports
import Wire

/// A frame that waits for its time, or for its acknowledgement.
struct QueuedFrame {
    enum Purpose {
        /// Asked for by the owner, who is told how it went.
        case management(cookie: UInt32)
        /// A datagram for a data interface.
        case data
    }

    enum Progress {
        case waiting
        case onAir(Flight)
    }

    /// A frame that was sent and not acknowledged yet.
    struct Flight {
        /// As it is on the air: numbered and encrypted.
        var octets: [UInt8]
        /// When it was sent, each time; an acknowledgement follows exactly one of them.
        var sent: [UInt64]
        /// When something has to happen: another attempt, or the verdict.
        var due: Instant
        /// When it counts as lost.
        var verdict: Instant
    }

    static let attemptLimit = 4
    static let attemptInterval = TimeUnits(4)
    /// How long a busy process may take to acknowledge, as a radio's own processor never does.
    static let patience = TimeUnits(256)

    var purpose: Purpose
    var receiver: MACAddress
    var octets: [UInt8]
    var progress = Progress.waiting

    /// Data needs a schedule, management frames find everybody in a discovery window.
    var usesWindows: Bool {
        switch purpose {
        case .management: true
        case .data: false
        }
    }
}
