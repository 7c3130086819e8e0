public import Wire

extension PanelState {
    /// The state in a line, for the console and for programs that show it elsewhere:
    ///
    /// `idle`, `open 120 s`, `PIN 482913`, `passkey 104711`, `paired NAME`, `refused NAME REASON`, `locked 64 s`,
    /// `forgetting in 7 s`, `identify`, `fault REASON`.
    public func line(at now: Instant) -> String {
        switch self {
        case .idle: "idle"
        case .open(let end): "open \(now.secondsLeft(until: end)) s"
        case .pin(let digits): "PIN " + Self.text(digits)
        case .passkey(let digits): "passkey " + Self.text(digits)
        case .paired(let name): "paired \(name.printable)"
        case .refused(let name, let reason): "refused \(name.printable) \(reason.printable)"
        case .locked(let end): "locked \(now.secondsLeft(until: end)) s"
        case .forgetting(let time): "forgetting in \(now.secondsLeft(until: time)) s"
        case .identify: "identify"
        case .fault(let reason): "fault \(reason.printable)"
        }
    }

    private static func text(_ digits: [UInt8]) -> String {
        var text = ""
        for digit in digits { text += String(digit) }
        return text
    }
}
