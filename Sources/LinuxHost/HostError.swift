/// Why this machine does not do what the program needs, in words for the operator.
public struct HostError: Error, Equatable, Sendable {
    public var explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}
