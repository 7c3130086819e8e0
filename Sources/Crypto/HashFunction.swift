import Wire

/// The hash functions of the NAN cipher suites, and what 802.11 builds on them.
public enum HashFunction: Sendable {
    case sha256
    case sha384

    /// The length of a digest in octets.
    public var count: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        }
    }

    public func digest(_ octets: [UInt8]) -> [UInt8] { die("unwritten") }

    /// HMAC (RFC 2104), whole; MICs are cut by the caller.
    public func authenticationCode(of octets: [UInt8], key: borrowing Secret) -> [UInt8] { die("unwritten") }

    /// HKDF-Extract (RFC 5869).
    public func extract(salt: [UInt8], from material: borrowing Secret) -> Secret { die("unwritten") }

    /// HKDF-Expand (RFC 5869).
    public func expand(_ key: borrowing Secret, info: [UInt8], count: Int) -> Secret { die("unwritten") }

    /// The key derivation function of 802.11 with an explicit length (802.11-2020 §12.7.1.7.2).
    public func derive(_ count: Int, from key: borrowing Secret, label: StaticString, context: [UInt8]) -> Secret {
        die("unwritten")
    }

    /// The same, where the context ends in a secret: PASN's Diffie-Hellman result.
    public func derive(
        _ count: Int, from key: borrowing Secret, label: StaticString, context: [UInt8],
        sharedSecret: borrowing Secret
    ) -> Secret { die("unwritten") }

    /// PBKDF2 (RFC 8018) with HMAC.
    public func stretch(_ passphrase: borrowing Secret, salt: [UInt8], iterations: Int, count: Int) -> Secret {
        die("unwritten")
    }
}
