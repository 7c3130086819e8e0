import CShim
public import Ports
import Wire

/// Writes the journal to standard error, a line an event, each in one write.
///
/// Where standard error is the stream of journald, a line begins with its priority as in sd-daemon(3): `<4>` for a
/// warning, `<5>` for a notice, `<7>` for debugging.
public final class StandardJournal: Journal {
    private static let longestLine = 1024

    private let least: Importance
    private let hasPriorities: Bool
    private let descriptor: Int32

    /// - Parameter verbose: whether to write what is only of use when something is wrong.
    public convenience init(verbose: Bool) {
        let error = StandardStream.error.rawValue
        self.init(verbose: verbose, descriptor: error, hasPriorities: shim_is_journal(error) == 1)
    }

    init(verbose: Bool, descriptor: Int32, hasPriorities: Bool) {
        least = verbose ? .debug : .notice
        self.descriptor = descriptor
        self.hasPriorities = hasPriorities
    }

    /// What is left of the line when control characters are replaced, cut at 1024 octets. A line that the system
    /// does not take is lost: there is nobody to tell.
    public func write(_ importance: Importance, _ line: String) {
        guard importance >= least else { return }
        var text = hasPriorities ? importance.priority.description : ""
        text += line.printable(limit: Self.longestLine)
        text += "\n"
        text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}

extension Importance {
    fileprivate var priority: StaticString {
        switch self {
        case .debug: "<7>"
        case .notice: "<5>"
        case .warning: "<4>"
        }
    }
}
