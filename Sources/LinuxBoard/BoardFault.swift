import CShim

/// Why a part of the board cannot be used.
public enum BoardFault: Error, Equatable, Sendable {
    /// libgpiod cannot be loaded, and why.
    case noLibrary(String)
    /// By label or path.
    case noChip(String)
    case noLine(String, chip: String)
    /// Another program, or the kernel, has the line; the name that it gave itself, empty where it gave none.
    case lineHeld(String, by: String)
    /// A line changes faster than a finger presses.
    case unsteady(String)
    /// No transaction on the bus comes to its end.
    case stuck(bus: String)
    /// Nothing acknowledges the address.
    case silent(bus: String, address: UInt8)
    /// What was being done, and the system's error number.
    case system(String, Int32)

    /// In words for the operator.
    public var explanation: String {
        switch self {
        case .noLibrary(let reason): reason
        case .noChip(let name): "no GPIO chip \(name)"
        case .noLine(let line, let chip): "no line \(line) on GPIO chip \(chip)"
        case .lineHeld(let line, ""): "line \(line) is held by somebody"
        case .lineHeld(let line, let holder): "line \(line) is held by \(holder)"
        case .unsteady(let line): "line \(line) changes all the time: is something loose?"
        case .stuck(let bus): "\(bus) is stuck: is one of its lines held low?"
        case .silent(let bus, let address): "nothing answers at 0x\(String(address, radix: 16)) on \(bus)"
        case .system(let attempt, let error): "\(attempt): \(Self.reason(error))"
        }
    }

    private static func reason(_ error: Int32) -> String {
        guard let text = shim_reason(error) else { return "error \(error)" }
        return String(cString: text)
    }
}
