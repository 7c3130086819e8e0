import CShim
import Wire

/// Random octets from the kernel's generator.
///
/// Libcrypto's own generator would be seeded from the same source, and costs half a megabyte and 4 ms at start.
public final class SystemEntropy: Entropy, Sendable {
    public init() {}

    public func fill(_ octets: UnsafeMutableRawBufferPointer) {
        if shim_random(octets.baseAddress, octets.count) < 0 { die("the system has no random octets") }
    }
}
