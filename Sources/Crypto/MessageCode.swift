import COpenSSL
import Wire

/// HMAC (RFC 2104) over octets that come in pieces, so that a secret is not copied to stand beside other octets.
struct MessageCode: ~Copyable {
    private let context: OpaquePointer
    private let count: Int

    /// Looked up once: libcrypto's own look-up costs more than a short message.
    private nonisolated(unsafe) static let algorithm =
        demand(EVP_MAC_fetch(nil, "HMAC", nil), "libcrypto has no HMAC")

    init(_ hash: HashFunction, key: borrowing Secret) {
        self.init(hash)
        key.withOctets { start(hash, key: $0) }
    }

    /// For keys that are no secret: a salt, or zeros.
    init(_ hash: HashFunction, publicKey: [UInt8]) {
        self.init(hash)
        publicKey.withUnsafeBytes { start(hash, key: $0) }
    }

    private init(_ hash: HashFunction) {
        context = demand(EVP_MAC_CTX_new(Self.algorithm), "libcrypto has no memory")
        count = hash.count
    }

    deinit { EVP_MAC_CTX_free(context) }

    private func start(_ hash: HashFunction, key: UnsafeRawBufferPointer) {
        // libcrypto keeps these pointers for the time of the call only, but does not say `const`.
        let name = UnsafeMutableRawPointer(mutating: hash.name.utf8Start)
        let parameter: StaticString = "digest"
        let parameters = [
            OSSL_PARAM_construct_utf8_string(
                UnsafeRawPointer(parameter.utf8Start).assumingMemoryBound(to: CChar.self),
                name.assumingMemoryBound(to: CChar.self), hash.name.utf8CodeUnitCount),
            OSSL_PARAM_construct_end(),
        ]
        // A nil key would mean "the key of before", an empty one is a key.
        withUnsafeBytes(of: UInt8(0)) { none in
            let start = (key.baseAddress ?? none.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            demand(EVP_MAC_init(context, start, key.count, parameters), "libcrypto takes no HMAC key")
        }
    }

    func add(_ octets: UnsafeRawBufferPointer) {
        guard let start = octets.baseAddress, !octets.isEmpty else { return }
        demand(
            EVP_MAC_update(context, start.assumingMemoryBound(to: UInt8.self), octets.count),
            "libcrypto takes no octets")
    }

    func add(_ octets: [UInt8]) { octets.withUnsafeBytes { add($0) } }

    func add(_ secret: borrowing Secret) { secret.withOctets { add($0) } }

    func add(_ text: StaticString) {
        add(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func add(_ octet: UInt8) { withUnsafeBytes(of: octet) { add($0) } }

    /// In two octets, least significant first.
    func add(_ number: UInt16) { withUnsafeBytes(of: number.littleEndian) { add($0) } }

    /// Writes the code. `output` has as many octets as the hash; nothing may be added after.
    func finish(into output: UnsafeMutableRawBufferPointer) {
        guard output.count == count else { die("a message code has the length of its hash") }
        var written = 0
        demand(
            EVP_MAC_final(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, output.count),
            "libcrypto makes no code")
    }

    func secret() -> Secret { Secret(count: count) { finish(into: $0) } }

    func octets() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            finish(into: UnsafeMutableRawBufferPointer(output))
            filled = count
        }
    }
}
