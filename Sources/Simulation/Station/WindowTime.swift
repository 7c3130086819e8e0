import Wire

/// A moment in a cluster's time, which says what the windows do.
///
/// Windows begin every 512 TU and last 16 TU, one of 32 slots; slot 0 is the window itself. All in microseconds.
///
/// - Spec: Wi-Fi Aware 4.0, Discovery Window.
struct WindowTime {
    static let period: UInt64 = 512 * TimeUnits.microseconds
    static let window: UInt64 = 16 * TimeUnits.microseconds
    /// Between two beacons that keep a cluster in step.
    static let beaconInterval = TimeUnits(512)
    static let slotCount: UInt64 = 32

    /// When the master takes its leave of a window, and when the others do. Nothing but answers is sent after that.
    ///
    /// We differ: a radio beacons when a window begins. A process that has nothing urgent to send does all of a
    /// window's work in this one turn, so that an idle station wakes once a window: the master's beacon, late in
    /// the window, is also what wakes the others.
    static let masterClosing: UInt64 = 12 * TimeUnits.microseconds
    static let closing: UInt64 = 14 * TimeUnits.microseconds

    /// How late a process may be for a window, as a radio's own processor never is, and still use it.
    static let lateness: UInt64 = 128 * TimeUnits.microseconds

    /// Beacons that claim to be older than this are refused, so that no cluster's time comes to its end.
    static let latest: UInt64 = 1 << 62

    var clusterTime: UInt64

    var index: UInt64 { clusterTime / Self.period }
    var position: UInt64 { clusterTime % Self.period }
    var slot: UInt64 { position / Self.window }

    /// The time when the next slot of `slots` begins, not counting the one of this moment.
    func nextSlot(of slots: UInt32) -> UInt64? {
        guard slots != 0 else { return nil }
        let current = clusterTime / Self.window
        for ahead in 1...Self.slotCount where slots >> UInt32((current &+ ahead) % Self.slotCount) & 1 == 1 {
            return (current &+ ahead) &* Self.window
        }
        return nil
    }
}
