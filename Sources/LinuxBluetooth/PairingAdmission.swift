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

    mutating func fail() { failures = min(failures + 1, Self.mostFailures) }
}
