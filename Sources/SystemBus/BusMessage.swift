import Wire

/// A method call that is to be sent.
public struct BusCall: Equatable, Sendable {
    public var destination: String
    public var path: String
    public var interface: String
    public var member: String
    public var body: [BusValue]

    public init(
        _ member: String, of interface: String, at path: String, on destination: String,
        _ body: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// What came over the bus.
public struct BusMessage: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// Somebody calls a method of ours, and waits for ``SystemBus/answer(_:)`` or ``SystemBus/refuse(_:_:)``.
        case call
        /// The answer to our call of that number.
        case answer(to: UInt64)
        /// Our call of that number failed.
        case failure(of: UInt64, BusFailure)
        case signal
    }

    public var kind: Kind
    /// The unique name of the sender, which the bus vouches for.
    public var sender: String
    public var path: String
    public var interface: String
    public var member: String
    public var body: [BusValue]

    public init(
        _ kind: Kind, from sender: String, path: String = "", interface: String = "", member: String = "",
        _ body: [BusValue] = []
    ) {
        self.kind = kind
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// Why a method call failed, as its answerer says it: the name is for programs, the text for people.
public struct BusFailure: Error, Equatable, Sendable {
    public var name: String
    public var text: String

    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// For people: the name where there is no text.
    public var reason: String { (text.isEmpty ? name : text).printable(limit: 120) }
}

/// Why the bus cannot be used.
public struct BusError: Error, Equatable, Sendable {
    public var explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}
