import CConfig
public import Ports

/// Longest configuration, in octets.
private let largestConfiguration = 64 * 1024
/// inih keeps 49 octets of a section's name and says nothing of the rest.
private let longestSection = 49

/// Reads a configuration file: `[section]` lines, `key = value` lines (or `key: value`), comments that begin with
/// `;` or `#` at the start of a line, or with ` ;` behind a value. Lines do not continue.
///
/// What keys mean, and whether they may come twice, is the caller's to say.
/// - Throws: Where it cannot be read, or the first line that is not as it should be.
public func readConfiguration(_ path: String) throws(ConfigurationError) -> [ConfigurationEntry] {
    let content: [UInt8]
    do {
        content = try readFile(path, limit: largestConfiguration)
    } catch {
        throw ConfigurationError(file: path, line: nil, error.explanation)
    }
    return try parseConfiguration(content, file: path)
}

func parseConfiguration(
    _ content: [UInt8], file: String
) throws(ConfigurationError) -> [ConfigurationEntry] {
    var reading = ConfigurationReading(content: content)
    let result = withUnsafeMutablePointer(to: &reading) {
        ini_parse_stream(
            { line, room, reading in
                guard let line, let reading else { return nil }
                let state = reading.assumingMemoryBound(to: ConfigurationReading.self)
                return state.pointee.nextLine(into: line, room: Int(room)) ? line : nil
            }, $0,
            { reading, section, key, value in
                guard let reading, let section, let key, let value else { return 0 }
                let state = reading.assumingMemoryBound(to: ConfigurationReading.self)
                return state.pointee.take(section, key, value) ? 1 : 0
            }, $0)
    }
    if let (line, explanation) = reading.problem {
        // inih goes on after a line that it does not understand, so that one may be the earlier.
        if result > 0, result < line { throw .notUnderstood(file, Int(result)) }
        throw ConfigurationError(file: file, line: line, explanation)
    }
    guard result >= 0 else {
        throw ConfigurationError(file: file, line: nil, "there is no memory to read it")
    }
    guard result == 0 else { throw .notUnderstood(file, Int(result)) }
    return reading.entries
}

extension ConfigurationError {
    fileprivate static func notUnderstood(_ file: String, _ line: Int) -> ConfigurationError {
        ConfigurationError(
            file: file, line: line, "is neither [section], key = value, nor a comment")
    }
}

/// Hands lines to inih and takes entries from it; Debian's inih does not tell the handler which line it is at.
private struct ConfigurationReading {
    private let content: [UInt8]
    private var position = 0
    private var line = 0
    private(set) var entries: [ConfigurationEntry] = []
    private(set) var problem: (line: Int, explanation: String)?

    init(content: [UInt8]) {
        self.content = content
    }

    /// Writes the next line, which ends in a line feed and a zero. False at the end, or at a line that is refused.
    mutating func nextLine(into text: UnsafeMutablePointer<CChar>, room: Int) -> Bool {
        guard problem == nil, position < content.count else { return false }
        line += 1
        let octets = content[position...].prefix { $0 != UInt8(ascii: "\n") }
        position = octets.endIndex + 1
        // inih would take a line that begins with white space for the rest of the value above.
        let trimmed = octets.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard check(trimmed, room: room) else { return false }
        var end = text
        for octet in trimmed {
            end.pointee = CChar(bitPattern: octet)
            end += 1
        }
        end[0] = CChar(bitPattern: UInt8(ascii: "\n"))
        end[1] = 0
        return true
    }

    mutating func take(
        _ section: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>
    ) -> Bool {
        let entry = ConfigurationEntry(
            section: String(cString: section), key: String(cString: key), value: String(cString: value),
            line: line)
        guard !entry.key.isEmpty else {
            refuse("has no key before the sign")
            return true
        }
        entries.append(entry)
        return true
    }

    private mutating func check(_ line: ArraySlice<UInt8>, room: Int) -> Bool {
        // Three octets of room are inih's: carriage return, line feed, zero.
        let longest = room - 3
        if line.count > longest {
            refuse("has \(line.count) octets, more than the \(longest) allowed")
        } else if line.contains(0) {
            refuse("has a zero octet in it")
        } else if String(validating: line, as: UTF8.self) == nil {
            refuse("is not UTF-8")
        } else if line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")) {
            checkSection(name: line[..<end].dropFirst(), behind: line[end...].dropFirst())
        }
        return problem == nil
    }

    private mutating func checkSection(name: ArraySlice<UInt8>, behind: ArraySlice<UInt8>) {
        if name.count > longestSection {
            refuse("has a section's name of more than \(longestSection) octets")
        }
        // inih would pass over it.
        let rest = behind.first {
            $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r")
        }
        if let rest, rest != UInt8(ascii: ";") { refuse("has something behind the section's name") }
    }

    private mutating func refuse(_ explanation: String) {
        if problem == nil { problem = (line, explanation) }
    }
}
