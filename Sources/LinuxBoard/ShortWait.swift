import CShim

/// Waits that are shorter than a turn of the loop is worth.
public protocol ShortWait: AnyObject {
    /// At least so long, and hardly longer.
    func wait(microseconds: UInt32)
}

/// Keeps the processor busy: one that sleeps is woken 50 µs late and more.
public final class BusyWait: ShortWait {
    public init() {}

    public func wait(microseconds: UInt32) { shim_spin(microseconds) }
}
