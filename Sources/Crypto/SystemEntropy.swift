import COpenSSL
import Wire

/// Random octets from libcrypto's generator for private values, which the kernel seeds.
public final class SystemEntropy: Entropy, Sendable {
    public init() {}

    public func fill(_ octets: UnsafeMutableRawBufferPointer) {
        var rest = octets[...]
        while !rest.isEmpty {
            let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(Int(Int32.max)))
            demand(RAND_priv_bytes(part.baseAddress, Int32(part.count)), "the system has no random octets")
            rest = rest.dropFirst(part.count)
        }
    }
}
