public import Crypto
public import Frames
public import Wire

/// The two management addresses (NMI) of a pairing, by who began it.
public struct PairingParties: Hashable, Sendable {
    public var initiator: MACAddress
    public var responder: MACAddress

    public init(initiator: MACAddress, responder: MACAddress) {
        self.initiator = initiator
        self.responder = responder
    }

    /// The context of every key derivation of a pairing.
    var context: [UInt8] { initiator.octets + responder.octets }
}

/// What two devices share after PASN, for cipher suite NCS-PK-PASN-128: CCMP-128, SHA-256, group 19.
///
/// The keys contain both addresses: neither side changes its address while it uses them.
///
/// We differ: 802.11 and hostap name the cluster as PASN's BSSID; the derivations use the responder's address, as
/// every implementation that was recorded does.
///
/// - Spec: 802.11az-2022 §12.13.8 (PASN-PTK); Wi-Fi Aware 4.0, pairing key hierarchy.
public struct PairingKeys: Sendable {
    public let parties: PairingParties
    public let suite = CipherSuite.pasn128
    /// Proves that a PASN frame is the peer's (KCK). 32 octets.
    let kck: Key
    /// Encrypts management frames between the two (NM-TK). 16 octets.
    public let nmTK: Key
    /// Wraps identity keys (NM-KEK). 16 octets.
    public let nmKEK: Key
    /// The pairwise master key of data paths (ND-PMK). 32 octets.
    public let ndPMK: Key
    /// What both sides cache so that no PIN is needed again (NPK): 32 octets, the pairing's PMK.
    public let npk: Key

    /// `pmk` is SAE's, or the cached NPK; `sharedSecret` the x coordinate that the ephemeral keys agreed on.
    init(pmk: Key, parties: PairingParties, sharedSecret: borrowing Secret) {
        let hash = HashFunction.sha256
        let ptk = hash.derive(
            80, from: pmk.secret, label: "PASN PTK Derivation", context: parties.context,
            sharedSecret: sharedSecret)
        let kdk = ptk.extracting(48..<80)
        self.parties = parties
        kck = Key(ptk.extracting(0..<32))
        nmTK = Key(ptk.extracting(32..<48))
        nmKEK = Key(
            hash.derive(16, from: kdk, label: "NAN Management KEK Derivation", context: parties.context))
        ndPMK = Key(hash.derive(32, from: kdk, label: "NDP PMK Derivation", context: parties.context))
        npk = pmk
    }

    /// The MIC of Auth2, over its security elements and its body with the MIC zeroed.
    func answerMIC(security: [UInt8], body: [UInt8]) -> [UInt8] {
        mic(over: parties.responder.octets + parties.initiator.octets + security + body)
    }

    /// The MIC of Auth3, over the digest of Auth1 and its own body with the MIC zeroed.
    func confirmationMIC(request: [UInt8], body: [UInt8]) -> [UInt8] {
        mic(over: parties.context + HashFunction.sha256.digest(request) + body)
    }

    private func mic(over octets: [UInt8]) -> [UInt8] {
        Array(HashFunction.sha256.authenticationCode(of: octets, key: kck.secret).prefix(PASNFrame.micCount))
    }
}
