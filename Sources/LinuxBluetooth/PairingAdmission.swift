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

    /// The owner's word, as it stands now; a new one starts the count anew.
    mutating func allow(since given: Instant?) {
        guard given != self.given else { return }
        self.given = given
        failures = 0
    }

    /// One has failed, for that reason. What to tell of it.
    mutating func fail(_ reason: String) -> String {
        let wasOpen = isOpen
        failures = min(failures + 1, Self.mostFailures)
        return wasOpen && !isOpen
            ? reason + ", too often: nobody may pair over Bluetooth until the owner opens pairing anew"
            : reason
    }
}
