public import Crypto
public import Frames
public import Wire

/// Who a device is to those that it has paired with: its NAN identity key (NIK), whatever address it uses.
///
/// - Spec: Wi-Fi Aware 4.0, NAN identity key and NAN Identity Resolution attribute.
public struct Identity: Sendable {
    /// The length of an identity key in octets.
    public static let count = 16

    public let nik: Key

    /// Nil where `nik` has another length than ``count``.
    public init?(nik: Key) {
        guard nik.secret.count == Self.count else { return nil }
        self.nik = nik
    }

    /// A new identity. A device makes one in its life, or when its owner wants to be forgotten by everybody.
    public init(from entropy: any Entropy) {
        nik = Key(Secret(random: Self.count, from: entropy))
    }

    /// What people and devices that have paired tell it by, which does not give the key away. 4 octets.
    public var shortIdentifier: [UInt8] {
        var key = nik.secret.withOctets { [UInt8]($0) }
        defer { key.erase() }
        return Array(HashFunction.sha256.digest(key).prefix(4))
    }

    /// What lets paired peers recognise us behind `address`, and nobody else; never the same twice.
    public func resolution(of address: MACAddress, entropy: any Entropy) -> IdentityResolution {
        let nonce = entropy.octets(IdentityTag.nonceCount)
        return IdentityResolution(nonce: nonce, tag: IdentityTag.tag(of: address, nonce: nonce, nik: nik))
    }

    /// Whether the sender at `address` of `resolution` has the identity key `nik`.
    ///
    /// The time depends on the lengths alone, so that nobody learns how near a made-up tag came.
    public static func resolves(
        _ resolution: IdentityResolution, from address: MACAddress, by nik: Key
    ) -> Bool {
        guard resolution.cipherVersion == 0, resolution.nonce.count == IdentityTag.nonceCount else {
            return false
        }
        return constantTimeEqual(
            resolution.tag, IdentityTag.tag(of: address, nonce: resolution.nonce, nik: nik))
    }
}

extension IdentityResolution {
    /// Nonce and tag, as the RSN element of a verification repeats them (NPKID).
    var keyIdentifier: [UInt8] { nonce + tag }
}

/// - Spec: Wi-Fi Aware 4.0, NIRA, cipher version 0: HMAC-SHA-256(NIK, "NIR" ‖ NMI ‖ nonce), the first 8 octets.
private enum IdentityTag {
    static let nonceCount = 8
    static let count = 8

    static func tag(of address: MACAddress, nonce: [UInt8], nik: Key) -> [UInt8] {
        let named = Array("NIR".utf8) + address.octets + nonce
        return Array(HashFunction.sha256.authenticationCode(of: named, key: nik.secret).prefix(count))
    }
}
