import CShim
public import Ports
public import Wire

/// The system's clocks: CLOCK_MONOTONIC in microseconds, CLOCK_REALTIME in seconds.
public final class SystemClock: Clock {
    public init() {}

    public var now: Instant { Instant(microseconds: shim_monotonic()) }
    public var date: UInt64 { shim_calendar() }
}
