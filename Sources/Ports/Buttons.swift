public import Wire

/// What people press on the board.
public protocol Buttons: EventSource {
    /// What a person did, oldest first. Nil when there is nothing more for now.
    func nextPress(at now: Instant) -> ButtonPress?
    /// Why a button cannot be read; nil while all are well. It is tried again.
    var fault: String? { get }
}

/// What a person did to a button.
public enum ButtonPress: Equatable, Sendable {
    /// Pressed and released before anything else began.
    case short
    /// The same, of a button that does nothing but show that somebody is there.
    case noted
    /// Held long enough that it is no short press any more: `completes` says when it becomes ``held``.
    case holding(completes: Instant)
    /// Released before it completed.
    case released
    case held
}
