import COpenSSL
import Wire

/// AES in counter mode with CBC-MAC (RFC 3610), as CCMP-128 uses it: 13 octets of nonce, 8 of tag.
///
/// Keys have 16 octets. Wrong lengths of keys and nonces are mistakes of ours, and end the program.
public enum AESCCM {
    public static let tagCount = 8
    public static let nonceCount = 13

    /// The longest plain text: the length is counted in two octets.
    private static let limit = 65_535

    /// Looked up once, for a radio seals every data frame.
    private nonisolated(unsafe) static let method =
        demand(EVP_CIPHER_fetch(nil, "AES-128-CCM", nil), "libcrypto has no AES-CCM")

    /// The encrypted octets, and the tag after them. `plain` has 65535 octets at most.
    public static func seal(
        _ plain: [UInt8], nonce: [UInt8], additionalData: [UInt8], key: borrowing Secret
    ) -> [UInt8] {
        guard plain.count <= limit else { die("CCM with 13 octets of nonce takes 65535 octets") }
        let context = context(encrypts: true)
        defer { EVP_CIPHER_CTX_free(context) }
        start(
            context, key: key, nonce: nonce, additionalData: additionalData, count: plain.count,
            encrypts: true)
        let whole = plain.count + tagCount
        return [UInt8](unsafeUninitializedCapacity: whole) { output, filled in
            guard let start = output.baseAddress else { die("a sealed frame has its tag at least") }
            var written: Int32 = 0
            demand(
                EVP_EncryptUpdate(context, start, &written, plain, Int32(plain.count)),
                "libcrypto seals no octets")
            // Writes nothing in CCM, but the tag is there only after it.
            demand(EVP_EncryptFinal_ex(context, start + plain.count, &written), "libcrypto seals no octets")
            demand(
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), start + plain.count),
                "libcrypto gives no tag")
            filled = whole
        }
    }

    /// Nil where the tag is wrong, or the length cannot be right.
    public static func open(
        _ sealed: [UInt8], nonce: [UInt8], additionalData: [UInt8], key: borrowing Secret
    ) -> [UInt8]? {
        guard sealed.count >= tagCount, sealed.count <= limit + tagCount else { return nil }
        let count = sealed.count - tagCount
        let context = context(encrypts: false)
        defer { EVP_CIPHER_CTX_free(context) }
        sealed.withUnsafeBytes { sealed in
            let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress)
            demand(
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), tag.map { $0 + count }),
                "libcrypto takes no tag")
        }
        start(context, key: key, nonce: nonce, additionalData: additionalData, count: count, encrypts: false)
        var isGenuine = false
        let plain = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { output, filled in
            var written: Int32 = 0
            // CCM compares the tag here, and gives no octets where it is wrong.
            let outcome = EVP_DecryptUpdate(context, output.baseAddress, &written, sealed, Int32(count))
            isGenuine = accepted(outcome) && Int(written) == count
            filled = isGenuine ? count : 0
        }
        return isGenuine ? plain : nil
    }

    private static func context(encrypts: Bool) -> OpaquePointer {
        let context = demand(EVP_CIPHER_CTX_new(), "libcrypto has no memory")
        demand(
            EVP_CipherInit_ex2(context, method, nil, nil, encrypts ? 1 : 0, nil),
            "libcrypto starts no AES-CCM")
        demand(
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonceCount), nil),
            "libcrypto takes no length of nonce")
        if encrypts {
            demand(
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), nil),
                "libcrypto takes no length of tag")
        }
        return context
    }

    /// CCM wants to know the length before anything else, then what is authenticated only.
    private static func start(
        _ context: OpaquePointer, key: borrowing Secret, nonce: [UInt8], additionalData: [UInt8], count: Int,
        encrypts: Bool
    ) {
        guard key.count == 16, nonce.count == nonceCount else {
            die("CCMP-128 has 16 octets of key, 13 of nonce")
        }
        guard let additionalCount = Int32(exactly: additionalData.count) else {
            die("more data than a frame has")
        }
        let direction: Int32 = encrypts ? 1 : 0
        key.withOctets { key in
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
            demand(EVP_CipherInit_ex2(context, nil, key, nonce, direction, nil), "libcrypto takes no key")
        }
        var written: Int32 = 0
        demand(EVP_CipherUpdate(context, nil, &written, nil, Int32(count)), "libcrypto takes no length")
        if additionalCount > 0 {
            demand(
                EVP_CipherUpdate(context, nil, &written, additionalData, additionalCount),
                "libcrypto takes no additional data")
        }
    }
}
