import Crypto
import Frames
import Wire

/// The two layouts in which identity keys are on the air. A receiver takes either.
public enum IdentityKeyLayout: Sendable {
    /// As phones send it: room for a MIC of 16 octets, zeros in it; key length zero.
    case phone
    /// As hostap sends it: no room for a MIC; the length of the cipher's key.
    case compact

    init(of descriptor: SharedKeyDescriptor) {
        self = descriptor.mic.isEmpty ? .compact : .phone
    }

    var info: SharedKeyDescriptor.Info {
        switch self {
        case .phone: [.pairwise, .install, .acknowledge, .secure, .encrypted]
        case .compact: [.pairwise, .acknowledge, .encrypted]
        }
    }

    var keyLength: UInt16 {
        switch self {
        case .phone: 0
        case .compact: 16
        }
    }

    var micCount: Int {
        switch self {
        case .phone: 16
        case .compact: 0
        }
    }
}

/// A peer's identity key, as it came out of an exchange.
public struct PeerIdentity: Sendable {
    public let identity: Identity
    /// How long the peer keeps the pairing, in seconds; zero for ever. Phones do not say.
    public let lifetime: UInt32?
}

/// An identity key in a key descriptor, wrapped with NM-KEK.
///
/// The replay counter is zero in all recordings; what binds a message to its pairing is the key that wraps it.
///
/// - Spec: Wi-Fi Aware 4.0, NAN Shared Key Descriptor attribute with NIK and key lifetime KDEs.
enum IdentityKeyMessage {
    /// Bit 3 of the key bitmap: the identity key.
    private static let identityKeyBit: UInt16 = 1 << 3
    private static let cipherVersion: UInt8 = 0

    static func descriptor(
        of identity: Identity, lifetime: UInt32, publish: UInt8, layout: IdentityKeyLayout, keys: PairingKeys
    ) -> SharedKeyDescriptor {
        SharedKeyDescriptor(
            publish: publish, info: layout.info, keyLength: layout.keyLength, replayCounter: 0,
            mic: [UInt8](repeating: 0, count: layout.micCount),
            data: AESKeyWrap.wrap(plain(identity, lifetime: lifetime), with: keys.nmKEK.secret))
    }

    static func read(_ descriptor: SharedKeyDescriptor, keys: PairingKeys) throws(PairingRefusal)
        -> PeerIdentity
    {
        guard descriptor.info.contains(.encrypted) else { throw .notUnwrapped }
        guard let plain = AESKeyWrap.unwrap(descriptor.data, with: keys.nmKEK.secret) else {
            throw .notUnwrapped
        }
        var octets = plain.secret.withOctets { [UInt8]($0) }
        defer { octets.erase() }
        let elements: [KeyData]
        do throws(WireError) { elements = try KeyData.list(parsing: FrameReader(octets.span.bytes)) } catch {
            throw .malformed(error)
        }

        var identity: Identity?
        var lifetime: UInt32?
        for element in elements {
            switch element {
            case .identityKey(let version, let key):
                guard version == cipherVersion else { throw .unsupportedIdentityCipher(version) }
                guard identity == nil else { throw .repeated(.identityKey) }
                identity = Identity(nik: Key(Secret(key)))
            case .lifetime(let keys, let seconds) where keys & identityKeyBit != 0:
                lifetime = seconds
            case .lifetime, .other, .element:
                break
            }
        }
        guard let identity else { throw .missing(.identityKey) }
        return PeerIdentity(identity: identity, lifetime: lifetime)
    }

    private static func plain(_ identity: Identity, lifetime: UInt32) -> Secret {
        let nik = identity.nik.secret.withOctets { [UInt8]($0) }
        let elements: [KeyData] = [
            .identityKey(cipherVersion: cipherVersion, key: nik),
            .lifetime(keys: identityKeyBit, seconds: lifetime),
        ]
        do throws(WireError) {
            var octets = try KeyData.octets(elements)
            defer { octets.erase() }
            return Secret(octets)
        } catch {
            die("an identity key does not fit into key data")
        }
    }
}
