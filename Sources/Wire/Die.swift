internal import CShim

/// Ends the program over a mistake of ours, with a sentence that says which.
///
/// In Embedded Swift a failed precondition says nothing at all. Never for what comes from outside.
public func die(_ message: StaticString) -> Never {
    shim_die(message.utf8Start, message.utf8CodeUnitCount)
}
