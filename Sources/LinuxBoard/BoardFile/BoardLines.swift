import Ports

/// The board's lines and buses, and what has them. Nothing is given away twice.
struct BoardLines {
    private struct Owner {
        var line: LineName
        var title: String
        /// Where in the file.
        var place: Int
    }

    private struct Bus {
        var path: String
        var lines: [LineName]
        var place: Int
        var isUsed = false
    }

    /// Longest range of lines.
    private static let rangeLimit = 64

    private let file: String
    /// The label or the path of the chip that has them.
    var chip = ""
    /// The lines of the header; empty where the file does not say.
    private var declared: [String] = []
    /// Where the chip does not name its lines: their offsets.
    private var offsets: [(name: String, offset: UInt32)] = []
    private var reserved: [(line: String, purpose: String)] = []
    private var buses: [Bus] = []
    private var owners: [Owner] = []
    /// Devices on buses.
    private var devices: [String] = []

    init(file: String) {
        self.file = file
    }

    // MARK: What the board has

    mutating func declare(_ entry: ConfigurationEntry) throws(ConfigurationError) {
        for name in try names(entry) { try declare(name, entry) }
    }

    /// A line by the offset that the entry gives.
    mutating func declare(_ name: String, at entry: ConfigurationEntry) throws(ConfigurationError) {
        guard let offset = UInt32(entry.value), offset < 1024 else {
            throw mistake(entry, "\(name) is a line's offset on its chip, from 0 to 1023")
        }
        for other in offsets where other.offset == offset {
            throw mistake(entry, "\(other.name) has the offset \(offset) already")
        }
        try declare(name, entry)
        offsets.append((name, offset))
    }

    private mutating func declare(_ name: String, _ entry: ConfigurationEntry) throws(ConfigurationError) {
        for other in declared where other == name { throw mistake(entry, "\(name) is declared twice") }
        declared.append(name)
    }

    mutating func declareBus(_ path: String, at entry: ConfigurationEntry) throws(ConfigurationError) {
        guard path.hasPrefix("/") else {
            throw mistake(entry, "a bus is named by its path, as in [bus /dev/i2c-1]")
        }
        buses.append(Bus(path: path, lines: try names(entry).map { LineName.name($0) }, place: entry.line))
    }

    mutating func reserve(for purpose: String, at entry: ConfigurationEntry) throws(ConfigurationError) {
        for name in try names(entry) { reserved.append((name, purpose)) }
    }

    // MARK: What takes it

    /// Gives the line that the entry names to the section of that title.
    mutating func claim(
        _ entry: ConfigurationEntry, for title: String
    ) throws(ConfigurationError) -> LineName {
        guard !chip.isEmpty else {
            throw mistake(entry, "[board] does not say which gpio-chip has the lines")
        }
        let names = words(of: entry.value)
        guard names.count == 1, let name = names.first else {
            throw mistake(entry, "\(entry.key) is one line")
        }
        try take(name, for: title, entry, isNamed: "")
        return line(name)
    }

    /// Gives a place on a bus, and the bus its lines.
    mutating func claimBus(
        _ entry: ConfigurationEntry, address: Int?, for title: String
    ) throws(ConfigurationError) -> String {
        let path = entry.value
        guard path.hasPrefix("/dev/") else { throw mistake(entry, "a bus is a path below /dev") }
        let device = address.map { "\(path) 0x\(String($0, radix: 16))" } ?? path
        for other in devices where other == device { throw mistake(entry, "\(device) is used already") }
        devices.append(device)
        guard let index = buses.firstIndex(where: { $0.path == path }) else {
            guard buses.isEmpty else { throw mistake(entry, "this board has no bus \(path)") }
            return path
        }
        guard !buses[index].isUsed else { return path }
        buses[index].isUsed = true
        for line in buses[index].lines {
            // Chip selects and clocks of one controller are shared by its devices.
            if owners.contains(where: { $0.line == line && $0.title == Self.busTitle(path) }) { continue }
            try take(line.text, for: Self.busTitle(path), entry, isNamed: " of the bus \(path)")
        }
        return path
    }

    /// `/dev/spidev0.0` and `/dev/spidev0.1` are one bus.
    private static func busTitle(_ path: String) -> String { String(path.prefix { $0 != "." }) }

    private mutating func take(
        _ name: String, for title: String, _ entry: ConfigurationEntry, isNamed addition: String
    ) throws(ConfigurationError) {
        if !declared.isEmpty, !declared.contains(name) {
            throw mistake(entry, "this board has no line \(name)\(addition)")
        }
        for other in reserved where other.line == name {
            throw mistake(entry, "line \(name)\(addition) is reserved for \(other.purpose)")
        }
        let line = line(name)
        for owner in owners where owner.line == line {
            throw mistake(
                entry, "line \(name)\(addition) belongs to [\(owner.title)] already, by line \(owner.place)")
        }
        owners.append(Owner(line: line, title: title, place: entry.line))
    }

    private func line(_ name: String) -> LineName {
        for known in offsets where known.name == name { return .offset(known.offset) }
        // A name that is a number is a number.
        if let offset = UInt32(name) { return .offset(offset) }
        return .name(name)
    }

    // MARK: Names

    /// The names of a value, such as `GPIO2-GPIO4 GPIO7`.
    private func names(_ entry: ConfigurationEntry) throws(ConfigurationError) -> [String] {
        var names: [String] = []
        for word in words(of: entry.value) {
            guard let dash = word.utf8.firstIndex(of: UInt8(ascii: "-")) else {
                names.append(word)
                continue
            }
            let first = Self.parts(word[..<dash])
            let last = Self.parts(word[word.utf8.index(after: dash)...])
            guard let first, let last, first.stem == last.stem, first.number <= last.number,
                last.number - first.number < Self.rangeLimit
            else { throw mistake(entry, "\(word) is no range of lines, as GPIO2-GPIO27 is") }
            for number in first.number...last.number { names.append("\(first.stem)\(number)") }
        }
        guard !names.isEmpty else { throw mistake(entry, "\(entry.key) names no line") }
        return names
    }

    /// `GPIO27` in two.
    private static func parts(_ name: Substring) -> (stem: String, number: Int)? {
        let octets = Array(name.utf8)
        let digits = octets.reversed().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
        guard (1...4).contains(digits),
            let number = Int(String(decoding: octets.suffix(digits), as: UTF8.self))
        else { return nil }
        return (String(decoding: octets.dropLast(digits), as: UTF8.self), number)
    }

    private func mistake(_ entry: ConfigurationEntry, _ explanation: String) -> ConfigurationError {
        ConfigurationError(file: file, line: entry.line, explanation)
    }
}
