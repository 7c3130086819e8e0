import Wire

extension SAE {
    /// What both sides know if both had the same password.
    public final class Agreement {
        /// 32 octets, whatever the group.
        public let pmk: Key
        /// 16 octets.
        public let pmkid: [UInt8]

        let confirmationKey: Secret
        private let hash: HashFunction
        /// Both sides' scalar and element, as they were sent.
        private let own: [UInt8]
        private let peer: [UInt8]

        /// `context` is the sum of both scalars modulo the order.
        ///
        /// - Spec: 802.11-2020 §12.4.5.4. We differ: the PMK has 32 octets with P-384 too, as peers have it.
        init(
            on secret: borrowing Secret, group: Group, context: [UInt8], own: [UInt8], peer: [UInt8]
        ) {
            let pmkCount = 32
            let hash = group.hash
            let keys = hash.derive(
                hash.count + pmkCount, from: Self.seed(from: secret, with: hash), label: "SAE KCK and PMK",
                context: context)
            confirmationKey = keys.extracting(0..<hash.count)
            pmk = Key(keys.extracting(hash.count..<keys.count))
            pmkid = [UInt8](context.prefix(16))
            self.hash = hash
            self.own = own
            self.peer = peer
        }

        /// keyseed
        static func seed(from secret: borrowing Secret, with hash: HashFunction) -> Secret {
            hash.extract(salt: [UInt8](repeating: 0, count: hash.count), from: secret)
        }

        /// Our proof, to be sent with `sendConfirm`.
        public func confirmation(sendConfirm: UInt16 = 1) -> [UInt8] {
            proof(sendConfirm, by: own, to: peer)
        }

        /// Whether `proof` is the peer's, in constant time.
        public func isConfirmed(by proof: [UInt8], sendConfirm: UInt16) -> Bool {
            constantTimeEqual(proof, self.proof(sendConfirm, by: peer, to: own))
        }

        /// - Spec: 802.11-2020 §12.4.5.5.
        private func proof(_ sendConfirm: UInt16, by sender: [UInt8], to receiver: [UInt8]) -> [UInt8] {
            let code = MessageCode(hash, key: confirmationKey)
            code.add(sendConfirm)
            code.add(sender)
            code.add(receiver)
            return code.octets()
        }
    }
}
