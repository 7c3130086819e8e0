import COpenSSL
import Wire

/// AES key wrap with the default initial value (RFC 3394). Key-encrypting keys have 16 or 32 octets.
public enum AESKeyWrap {
    /// What wrapping adds.
    static let overhead = 8
    /// Far above any key data, far below where libcrypto would count in more than 32 bits.
    private static let limit = 65_536

    /// `plain` has a multiple of 8 octets, at least 16.
    public static func wrap(_ plain: borrowing Secret, with key: borrowing Secret) -> [UInt8] {
        guard plain.count >= 16, plain.count % 8 == 0, plain.count <= limit else {
            die("AES key wrap takes whole halves of blocks")
        }
        let count = plain.count + overhead
        return [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            let done = plain.withOctets { plain in
                key.withOctets {
                    cipher(plain, into: UnsafeMutableRawBufferPointer(output), key: $0, encrypts: true)
                }
            }
            guard done else { die("libcrypto wraps no key") }
            filled = count
        }
    }

    /// Nil where the integrity check fails or the length cannot be right.
    public static func unwrap(_ wrapped: [UInt8], with key: borrowing Secret) -> Key? {
        guard wrapped.count >= 24, wrapped.count % 8 == 0, wrapped.count <= limit else { return nil }
        var isGenuine = false
        let plain = Secret(count: wrapped.count - overhead) { output in
            isGenuine = wrapped.withUnsafeBytes { wrapped in
                key.withOctets { cipher(wrapped, into: output, key: $0, encrypts: false) }
            }
        }
        return isGenuine ? Key(plain) : nil
    }

    private static func cipher(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer, encrypts: Bool
    ) -> Bool {
        let method: OpaquePointer?
        switch key.count {
        case 16: method = EVP_aes_128_wrap()
        case 32: method = EVP_aes_256_wrap()
        default: die("a key-encrypting key has 16 or 32 octets")
        }
        let context = demand(EVP_CIPHER_CTX_new(), "libcrypto has no memory")
        defer { EVP_CIPHER_CTX_free(context) }
        // Without the flag libcrypto keeps its wrap modes to itself.
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        demand(
            EVP_CipherInit_ex(
                context, method, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                encrypts ? 1 : 0),
            "libcrypto takes no key-encrypting key")
        var written: Int32 = 0
        let outcome = EVP_CipherUpdate(
            context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
            input.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(input.count))
        return accepted(outcome) && Int(written) == output.count
    }
}
