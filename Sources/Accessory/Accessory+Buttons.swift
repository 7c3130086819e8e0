import Aware
public import BluetoothLE
import Crypto
import Frames
public import Ports
public import Wire

extension Accessory {
    /// A short press of a button: it shows that a person is at the board, and opens the pairing window once.
    struct Press {
        var time: Instant
        /// Whether it has opened the window.
        var isSpent: Bool
    }

    /// A button that is held, and completes at that time.
    struct Hold {
        /// Buttons whose end nobody hears of do not count down for ever.
        static let patience = TimeUnits.seconds(1)

        var completes: Instant
        var givesUp: Instant { completes + Self.patience }
    }

    /// How long a press shows that a person is at the board.
    static let presence = TimeUnits.seconds(60)
    /// How long panels say which accessory this is.
    static let identifyTime = TimeUnits.seconds(5)

    /// Does what a button is for: a short press opens pairing, and where it is open lets it be open anew for the whole
    /// time; one that is held to its end forgets every device.
    public mutating func pressed(_ press: ButtonPress, at now: Instant) -> [Action] {
        switch press {
        case .noted:
            lastPress = Press(time: now, isSpent: false)
            lastWord = now
            return [.tell(.buttonPressed)]
        case .short:
            lastPress = Press(time: now, isSpent: true)
            return [.tell(.buttonPressed)] + openPairing(at: now)
        case .holding(let completes):
            hold = Hold(completes: completes)
            let seconds = UInt32(clamping: now.secondsLeft(until: completes))
            return [.tell(.forgettingBegan(seconds: seconds))]
        case .released:
            return endHold()
        case .held:
            hold = nil
            return [.tell(.forgettingCompleted(devices: devices.all.count))] + forgetAll(at: now)
        }
    }

    /// Whether somebody was at the board within the last minute.
    public func buttonPressedRecently(at now: Instant) -> Bool {
        guard let lastPress else { return false }
        return now <= lastPress.time + Self.presence
    }

    /// Has panels say which accessory this is, for somebody who sees several. Anybody may ask: so what is shown already
    /// is not prolonged, how pairing ended stays on show, and who asks too often is refused.
    public mutating func identify(at now: Instant) throws(ATTError) -> [Action] {
        let shown = notice.flatMap { now < $0.ends ? $0.state : nil }
        if shown == .identify { return [] }
        guard shown == nil, identifications.allows(at: now) else {
            refusals.add("identify asked too often")
            throw .notNow
        }
        notice = Notice(.identify, ends: now + Self.identifyTime)
        return news.allows(at: now) ? [.tell(.identified)] : []
    }

    /// Nothing is forgotten after all.
    mutating func endHold() -> [Action] {
        guard hold != nil else { return [] }
        hold = nil
        return [.tell(.forgettingStopped)]
    }
}
