public import Crypto

/// Keeps small records over a power cut: after `save` returns, or does not, there is the old record or the new.
///
/// Names have 1 to 64 letters, digits, hyphens and dots. Records hold keys, hence secrets.
public protocol Store: AnyObject {
    /// In no particular order.
    func names() throws(StoreError) -> [String]
    /// Nil where there is no such record.
    func load(_ name: String) throws(StoreError) -> Key?
    func save(_ name: String, _ record: borrowing Secret) throws(StoreError)
    /// Nothing where there is no such record.
    func remove(_ name: String) throws(StoreError)
    /// Moves a damaged record out of the way, so that a person can look at it.
    func setAside(_ name: String) throws(StoreError)
}

/// Why a record is not kept, read or removed.
public struct StoreError: Error, Equatable, Sendable {
    /// What failed, with the file's name and the system's reason.
    public var explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}
