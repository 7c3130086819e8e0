import COpenSSL
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

    /// By which libcrypto finds it.
    var name: StaticString {
        switch self {
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        }
    }

    private var method: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        }
    }

    public func digest(_ octets: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            demand(
                EVP_Digest(octets, octets.count, output.baseAddress, nil, method, nil),
                "libcrypto makes no digest")
            filled = count
        }
    }

    /// HMAC (RFC 2104), whole; MICs are cut by the caller.
    public func authenticationCode(of octets: [UInt8], key: borrowing Secret) -> [UInt8] {
        let code = MessageCode(self, key: key)
        code.add(octets)
        return code.octets()
    }

    /// HKDF-Extract (RFC 5869).
    public func extract(salt: [UInt8], from material: borrowing Secret) -> Secret {
        let code = MessageCode(self, publicKey: salt)
        code.add(material)
        return code.secret()
    }

    /// HKDF-Expand (RFC 5869). At most 255 times the hash's own length.
    public func expand(_ key: borrowing Secret, info: [UInt8], count wanted: Int) -> Secret {
        guard wanted >= 0, wanted <= 255 * count else { die("HKDF gives 255 blocks at most") }
        return blocks(wanted) { number, previous, output in
            let code = MessageCode(self, key: key)
            code.add(previous)
            code.add(info)
            code.add(UInt8(truncatingIfNeeded: number))
            code.finish(into: output)
        }
    }

    /// The key derivation function of 802.11 with an explicit length (802.11-2020 §12.7.1.7.2).
    public func derive(_ count: Int, from key: borrowing Secret, label: StaticString, context: [UInt8])
        -> Secret
    {
        derive(count, from: key, label: label, context: context, sharedSecret: Secret([]))
    }

    /// The same, where the context ends in a secret: PASN's Diffie-Hellman result.
    public func derive(
        _ wanted: Int, from key: borrowing Secret, label: StaticString, context: [UInt8],
        sharedSecret: borrowing Secret
    ) -> Secret {
        guard wanted >= 0, let bits = UInt16(exactly: 8 * wanted) else {
            die("the KDF counts bits in 16 bits")
        }
        return blocks(wanted) { number, _, output in
            let code = MessageCode(self, key: key)
            code.add(UInt16(truncatingIfNeeded: number))
            code.add(label)
            code.add(context)
            code.add(sharedSecret)
            code.add(bits)
            code.finish(into: output)
        }
    }

    /// PBKDF2 (RFC 8018) with HMAC.
    public func stretch(_ passphrase: borrowing Secret, salt: [UInt8], iterations: Int, count: Int) -> Secret
    {
        guard let iterations = Int32(exactly: iterations), iterations > 0, let length = Int32(exactly: count),
            let saltCount = Int32(exactly: salt.count), let phraseCount = Int32(exactly: passphrase.count)
        else { die("PBKDF2 is asked for more than it counts") }
        return Secret(count: count) { output in
            passphrase.withOctets { phrase in
                demand(
                    PKCS5_PBKDF2_HMAC(
                        phrase.baseAddress?.assumingMemoryBound(to: CChar.self), phraseCount, salt, saltCount,
                        iterations, method, length, output.baseAddress?.assumingMemoryBound(to: UInt8.self)),
                    "libcrypto stretches no passphrase")
            }
        }
    }

    /// Secret octets made of hashes, numbered from 1, each of which may depend on the one before.
    private func blocks(
        _ wanted: Int,
        _ make: (_ number: Int, _ previous: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer)
            -> Void
    ) -> Secret {
        let number = (wanted + count - 1) / count
        let whole = Secret(count: number * count) { output in
            for index in 0..<number {
                let start = index * count
                let previous = output[max(0, start - count)..<start]
                make(
                    index + 1, UnsafeRawBufferPointer(rebasing: previous),
                    UnsafeMutableRawBufferPointer(rebasing: output[start..<start + count]))
            }
        }
        return whole.extracting(0..<wanted)
    }
}
