import Ports

/// One `[section]` of a board file, whose entries are taken by their keys; what nobody takes is unknown.
struct BoardSection {
    let file: String
    /// As in the file, without the brackets.
    let title: String
    private let line: Int
    private var entries: [ConfigurationEntry]

    /// Puts an entry where it belongs.
    static func add(
        _ entry: ConfigurationEntry, to sections: inout [BoardSection], file: String
    ) throws(ConfigurationError) {
        let entryMistake = { (text: String) in ConfigurationError(file: file, line: entry.line, text) }
        for index in sections.indices where sections[index].title == entry.section {
            for other in sections[index].entries where other.key == entry.key {
                throw entryMistake("\(entry.key) is set twice in [\(entry.section)]")
            }
            sections[index].entries.append(entry)
            return
        }
        guard !entry.section.isEmpty else { throw entryMistake("\(entry.key) stands in no section") }
        sections.append(
            BoardSection(file: file, title: entry.section, line: entry.line, entries: [entry]))
    }

    private init(file: String, title: String, line: Int, entries: [ConfigurationEntry]) {
        self.file = file
        self.title = title
        self.line = line
        self.entries = entries
    }

    /// The title's first word.
    var kind: String { String(title.prefix { $0 != " " }) }

    /// The rest of the title; empty where there is none.
    var name: String { String(title.dropFirst(kind.utf8.count).drop { $0 == " " }) }

    func named() throws(ConfigurationError) -> String {
        guard !name.isEmpty else { throw mistake("[\(kind)] needs a name, as in [\(kind) NAME]") }
        return name
    }

    // MARK: Entries

    mutating func entry(_ key: String) -> ConfigurationEntry? {
        for index in entries.indices where entries[index].key == key { return entries.remove(at: index) }
        return nil
    }

    mutating func required(_ key: String) throws(ConfigurationError) -> ConfigurationEntry {
        guard let entry = entry(key) else { throw mistake("[\(title)] needs \(key) = …") }
        return entry
    }

    /// The next of those whose keys the file chooses.
    mutating func next() -> ConfigurationEntry? { entries.isEmpty ? nil : entries.removeFirst() }

    func finish() throws(ConfigurationError) {
        guard let entry = entries.first else { return }
        throw mistake(entry, "unknown key \(entry.key) in [\(title)]")
    }

    // MARK: Values

    func number(_ entry: ConfigurationEntry, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        let isHexadecimal = entry.value.hasPrefix("0x")
        let digits = isHexadecimal ? String(entry.value.dropFirst(2)) : entry.value
        guard let number = Int(digits, radix: isHexadecimal ? 16 : 10), range.contains(number) else {
            throw mistake(
                entry, "\(entry.key) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The number behind a key, or what holds without it.
    mutating func number(
        _ key: String, _ range: ClosedRange<Int>, otherwise: Int
    ) throws(ConfigurationError) -> Int {
        guard let entry = entry(key) else { return otherwise }
        return try number(entry, range)
    }

    func word(_ entry: ConfigurationEntry) throws(ConfigurationError) -> String {
        guard !entry.value.isEmpty, !entry.value.utf8.contains(UInt8(ascii: " ")) else {
            throw mistake(entry, "\(entry.key) is one word")
        }
        return entry.value
    }

    /// An absolute path.
    func path(_ entry: ConfigurationEntry) throws(ConfigurationError) -> String {
        guard entry.value.hasPrefix("/") else {
            throw mistake(entry, "\(entry.key) is a path that begins with /")
        }
        return entry.value
    }

    func yesOrNo(_ entry: ConfigurationEntry) throws(ConfigurationError) -> Bool {
        try choice(entry, "yes", "no")
    }

    /// Whether it is the first of two.
    func choice(
        _ entry: ConfigurationEntry, _ one: String, _ other: String
    ) throws(ConfigurationError) -> Bool {
        guard entry.value == one || entry.value == other else {
            throw mistake(entry, "\(entry.key) is \(one) or \(other)")
        }
        return entry.value == one
    }

    // MARK: Mistakes

    func mistake(_ explanation: String) -> ConfigurationError {
        ConfigurationError(file: file, line: line, explanation)
    }

    func mistake(_ entry: ConfigurationEntry, _ explanation: String) -> ConfigurationError {
        ConfigurationError(file: file, line: entry.line, explanation)
    }
}

/// The words of a value, which blanks or commas part.
func words(of value: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for octet in Array(value.utf8) + [UInt8(ascii: " ")] {
        if octet != UInt8(ascii: " "), octet != UInt8(ascii: ","), octet != UInt8(ascii: "\t") {
            word.append(octet)
        } else if !word.isEmpty {
            words.append(String(decoding: word, as: UTF8.self))
            word = []
        }
    }
    return words
}
