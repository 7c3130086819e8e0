import CShim
public import Ports
public import Wire

/// Waits in poll(2), with deadlines in microseconds.
///
/// A wait allocates nothing once the poller has seen the largest set.
public final class Poller: Waiter {
    private let clock: any Clock
    private var interests: [shim_interest] = []

    public init(clock: any Clock) {
        self.clock = clock
    }

    public func wait(for set: DescriptorSet, until deadline: Instant?) -> Instant {
        interests.removeAll(keepingCapacity: true)
        for interest in set.interests {
            let wanted = (interest.readable ? shim_readable : 0) | (interest.writable ? shim_writable : 0)
            interests.append(
                shim_interest(descriptor: interest.descriptor, wanted: Int16(wanted), ready: 0))
        }
        let limit = timeout(until: deadline)
        let ready = interests.withUnsafeMutableBufferPointer { shim_wait($0.baseAddress, $0.count, limit) }
        if ready < 0 { die("the system refuses to wait for our descriptors") }
        // poll would return at once for ever.
        for interest in interests where Int(interest.ready) & shim_invalid != 0 {
            die("the loop waits for a descriptor that is closed")
        }
        return clock.now
    }

    /// How long to wait, in microseconds; negative for ever.
    private func timeout(until deadline: Instant?) -> Int64 {
        guard let deadline else { return -1 }
        return Int64(clamping: deadline.microseconds(since: clock.now))
    }
}
