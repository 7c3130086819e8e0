import Crypto
import Frames

/// Where PASN's frames meet the cryptography: what both sides do alike.
extension PASNFrame {
    static func agree(_ sae: SAE, with commit: SAECommit) throws(PairingRefusal) -> SAE.Agreement {
        do throws(CryptoError) {
            return try sae.agree(peerScalar: commit.scalar, peerElement: commit.element)
        } catch {
            throw error == .reflected ? .reflected : .invalidContribution(error)
        }
    }

    static func keys(
        pmk: Key, _ parties: PairingParties, _ ephemeral: EphemeralKey, with peer: [UInt8]
    ) throws(PairingRefusal) -> PairingKeys {
        guard peer != ephemeral.publicKey else { throw .reflected }
        do throws(CryptoError) {
            let sharedSecret = try ephemeral.sharedSecret(with: peer)
            return PairingKeys(pmk: pmk, parties: parties, sharedSecret: sharedSecret)
        } catch {
            throw .invalidContribution(error)
        }
    }
}

extension SAECommit {
    /// Our commitment.
    init(_ sae: SAE) {
        self.init(group: sae.group.rawValue, scalar: sae.scalar, element: sae.element)
    }
}

extension SAEConfirm {
    /// Our proof. Each run confirms once.
    init(of agreement: SAE.Agreement) {
        self.init(sendConfirm: 1, proof: agreement.confirmation(sendConfirm: 1))
    }
}
