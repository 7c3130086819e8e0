public import Wire

/// One run of SAE with a password element by hash-to-element, from our commitment to both confirmations.
///
/// - Spec: 802.11-2020 §12.4; hash-to-element §12.4.4.2.3 and §12.4.4.3.3.
public final class SAE {
    public let group: Group
    /// Our commitment: scalar, then the element's coordinates x and y.
    public let scalar: [UInt8]
    public let element: [UInt8]

    /// `password` is what the person typed, in ASCII; the NAN network's name stands in for the SSID.
    public init(
        group: Group, password: borrowing Secret, own: MACAddress, peer: MACAddress, entropy: any Entropy
    ) { die("unwritten") }

    /// Takes the peer's commitment in, and gives what both must now know.
    public func agree(peerScalar: [UInt8], peerElement: [UInt8]) throws(CryptoError) -> Agreement { die("unwritten") }

    /// What both sides know if both had the same password.
    public final class Agreement {
        /// 32 octets, whatever the group.
        public let pmk: Key
        /// 16 octets.
        public let pmkid: [UInt8]

        init(pmk: Key, pmkid: [UInt8]) {
            self.pmk = pmk
            self.pmkid = pmkid
        }

        /// Our proof, to be sent with `sendConfirm`.
        public func confirmation(sendConfirm: UInt16 = 1) -> [UInt8] { die("unwritten") }

        /// Whether `proof` is the peer's, in constant time.
        public func isConfirmed(by proof: [UInt8], sendConfirm: UInt16) -> Bool { die("unwritten") }
    }
}
