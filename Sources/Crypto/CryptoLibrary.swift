import COpenSSL

/// What libcrypto does once, before anything else is asked of it.
public enum CryptoLibrary {
    /// Leaves out what a small program never uses: the texts of libcrypto's errors, and its configuration file, by
    /// which somebody could put other code in the place of its ciphers. Half a megabyte less is resident.
    public static func start() {
        let leftOut = OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_LOAD_CONFIG
        _ = OPENSSL_init_crypto(UInt64(leftOut), nil)
    }
}
