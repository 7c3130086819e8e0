import Wire

/// AES key wrap with the default initial value (RFC 3394). Key-encrypting keys have 16 or 32 octets.
public enum AESKeyWrap {
    /// `plain` has a multiple of 8 octets, at least 16.
    public static func wrap(_ plain: borrowing Secret, with key: borrowing Secret) -> [UInt8] { die("unwritten") }

    /// Nil where the integrity check fails or the length cannot be right.
    public static func unwrap(_ wrapped: [UInt8], with key: borrowing Secret) -> Key? { die("unwritten") }
}

/// AES in counter mode with CBC-MAC (RFC 3610), as CCMP-128 uses it: 13 octets of nonce, 8 of tag.
public enum AESCCM {
    public static let tagCount = 8

    /// The encrypted octets, and the tag after them.
    public static func seal(
        _ plain: [UInt8], nonce: [UInt8], additionalData: [UInt8], key: borrowing Secret
    ) -> [UInt8] { die("unwritten") }

    /// Nil where the tag is wrong.
    public static func open(
        _ sealed: [UInt8], nonce: [UInt8], additionalData: [UInt8], key: borrowing Secret
    ) -> [UInt8]? { die("unwritten") }
}
