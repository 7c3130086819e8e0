public import Crypto
public import Ports

/// A store that forgets everything at the end, and can fail on command.
public final class MemoryStore: Store {
    public enum Fault: Equatable, Sendable {
        /// The write fails; the old record stays.
        case failure
        /// Power goes in the middle of the write: nothing more is stored, the record being the old or the new one.
        case powerCut(isWritten: Bool)
    }

    public private(set) var records: [String: Key] = [:]
    public private(set) var setAside: [String] = []
    /// How many times something was saved or removed, or should have been.
    public private(set) var writes = 0
    public private(set) var isWithoutPower = false

    private var faults: [Int: Fault] = [:]

    public init() {}

    /// Lets the n-th write from the beginning, the first being 1, go wrong.
    public func plan(_ fault: Fault, atWrite number: Int) { faults[number] = fault }

    /// Power is back: what is stored can be read again.
    public func restorePower() { isWithoutPower = false }

    public func names() throws(StoreError) -> [String] {
        try requirePower()
        return records.keys.sorted()
    }

    public func load(_ name: String) throws(StoreError) -> Key? {
        try requirePower()
        return records[name]
    }

    public func save(_ name: String, _ record: borrowing Secret) throws(StoreError) {
        let copy = Key(record.extracting(0..<record.count))
        try write(name) { records[name] = copy }
    }

    public func remove(_ name: String) throws(StoreError) {
        try write(name) { records[name] = nil }
    }

    public func setAside(_ name: String) throws(StoreError) {
        try write(name) {
            if records.removeValue(forKey: name) != nil { setAside.append(name) }
        }
    }

    private func write(_ name: String, _ change: () -> Void) throws(StoreError) {
        try requirePower()
        writes += 1
        switch faults[writes] {
        case nil: change()
        case .failure: throw StoreError("\(name): cannot be written, as planned")
        case .powerCut(let isWritten):
            if isWritten { change() }
            isWithoutPower = true
            throw StoreError("\(name): power is lost, as planned")
        }
    }

    private func requirePower() throws(StoreError) {
        if isWithoutPower { throw StoreError("the store has no power") }
    }
}
