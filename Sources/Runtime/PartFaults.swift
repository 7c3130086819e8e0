import Accessory

/// What of the board does not work, so that a change is told once.
struct PartFaults {
    private var faults: [String?]

    /// Everything works.
    init(parts: Int) {
        faults = [String?](repeating: nil, count: parts)
    }

    /// What is to be told of a part by its number; nil where that is nothing new. Another reason is.
    mutating func change(of part: Int, _ name: String, fault: String?) -> Event? {
        guard fault != faults[part] else { return nil }
        faults[part] = fault
        guard let fault else { return .partRecovered(part: name) }
        return .partFailed(part: name, reason: fault)
    }
}
