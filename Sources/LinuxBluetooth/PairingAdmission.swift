import Wire

/// Whether strangers may pair over Bluetooth now: while the owner lets them, and as long as not too many have failed.
///
/// Each guess at a passkey is at another one, but nothing else keeps a stranger from guessing all night.
struct PairingAdmission {
    static let mostFailures = 5

    /// When the owner last let them. Nil while he does not.
    private var given: Instant?
    /// Since then.
    private var failures = 0

    var isOpen: Bool { given != nil && failures < Self.mostFailures }

    /// The owner's word, as it stands now; a new one starts the count anew. Whether that has changed ``isOpen``.
    @discardableResult
    mutating func allow(since given: Instant?) -> Bool {
        guard given != self.given else { return false }
        let wasOpen = isOpen
        self.given = given
        failures = 0
        return isOpen != wasOpen
    }

    /// One has failed, for that reason. What to tell of it, and whether it was one too many.
    mutating func fail(_ reason: String) -> (reason: String, hasEnded: Bool) {
        let wasOpen = isOpen
        failures = min(failures + 1, Self.mostFailures)
        guard wasOpen, !isOpen else { return (reason, false) }
        return (
            reason + ", too often: nobody may pair over Bluetooth until the owner opens pairing anew", true
        )
    }
}
