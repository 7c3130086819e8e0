/// The elliptic-curve groups of PASN and SAE, by their IANA group number.
public enum Group: UInt16, Sendable {
    case p256 = 19
    case p384 = 20

    /// The length of a coordinate and of a scalar in octets.
    public var fieldCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }

    /// The hash function that SAE uses with the group (802.11-2020 §12.4.2).
    public var hash: HashFunction {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        }
    }
}
