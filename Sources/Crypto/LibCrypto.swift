import COpenSSL
import Wire

/// Ends the program where libcrypto cannot do what it always can: out of memory, or a library that was built
/// without an algorithm. Never for what comes from a peer.
func demand(_ outcome: Int32, _ message: StaticString) {
    if outcome <= 0 { die(message) }
}

func demand(_ object: OpaquePointer?, _ message: StaticString) -> OpaquePointer {
    guard let object else { die(message) }
    return object
}

/// Whether libcrypto took what a peer sent. Its error queue is emptied: the answer says all that we need.
func accepted(_ outcome: Int32) -> Bool {
    if outcome > 0 { return true }
    ERR_clear_error()
    return false
}
