import Wire

/// A key data element (KDE) inside unwrapped key data.
///
/// - Spec: 802.11-2020 §12.7.2, Table 12-9; Wi-Fi Aware 4.0, NAN KDEs.
public enum KeyData: Equatable, Sendable {
    /// NAN identity key: cipher version and 16 octets.
    case identityKey(cipherVersion: UInt8, key: [UInt8])
    /// How long which keys are good, in seconds. Bit 3 of `keys`: the identity key.
    case lifetime(keys: UInt16, seconds: UInt32)
    /// OUI and type, e.g. 0x000fac01 for a GTK; octets as they came.
    case other(type: UInt32, octets: [UInt8])
}
