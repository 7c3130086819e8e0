public import Wire

/// Waits in the one loop of the program: on Linux in the kernel, in a simulation by moving its time.
public protocol Waiter: AnyObject {
    /// Returns the time once a descriptor of the set is ready, or the deadline has come; nil waits for descriptors
    /// alone. A deadline that lies behind only looks.
    func wait(for set: DescriptorSet, until deadline: Instant?) -> Instant
}
