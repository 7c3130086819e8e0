import Accessory
import Wire

/// When the accessory may be found over Bluetooth, and how fast.
struct AdvertisingSchedule {
    /// In milliseconds: fast for those who look just now, then as slow as phones still find soon, then for those who
    /// know it.
    ///
    /// - Spec: Apple, Accessory Design Guidelines, Bluetooth, advertising interval.
    static let fast: UInt16 = 20
    static let slow: UInt16 = 152
    static let slowest: UInt16 = 1022
    static let fastTime = TimeUnits.seconds(30)

    private enum State: Equatable {
        case silent
        case fast(until: Instant)
        case slow
        /// There is nothing to onboard.
        case slowest
    }

    var advertising: BluetoothSettings.Advertising
    private var state = State.silent
    private var isStale = true

    init(_ advertising: BluetoothSettings.Advertising) {
        self.advertising = advertising
    }

    var deadline: Instant? {
        if case .fast(let until) = state { until } else { nil }
    }

    /// Between two advertisements; nil while there are none.
    var interval: UInt16? {
        switch state {
        case .silent: nil
        case .fast: Self.fast
        case .slow: Self.slow
        case .slowest: Self.slowest
        }
    }

    /// Bluetooth can be used from now on: those who look are to find it soon.
    mutating func begin(at now: Instant) {
        isStale = true
        if state == .slow { state = .fast(until: now + Self.fastTime) }
    }

    /// What is advertised has changed.
    mutating func refresh() { isStale = true }

    /// Whether there is something new to advertise, or to advertise no more.
    mutating func advance(isOnboarding: Bool, to now: Instant) -> Bool {
        let old = interval
        switch (state, isOnboarding) {
        case (.silent, true), (.slowest, true): state = .fast(until: now + Self.fastTime)
        case (.fast(let until), true) where until <= now: state = .slow
        case (.fast, true), (.slow, true): break
        case (_, false): state = advertising == .always ? .slowest : .silent
        }
        defer { isStale = false }
        return isStale || interval != old
    }
}
