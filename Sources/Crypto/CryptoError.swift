/// Why a peer's contribution to a key was refused.
public enum CryptoError: Error, Equatable {
    /// Not the encoding of a point of the group, or the point at infinity.
    case invalidPoint
    /// Outside 2 … r - 1.
    case invalidScalar
    /// The peer sent our own commitment back.
    case reflected
    /// The agreed secret would be the point at infinity.
    case degenerate
}
