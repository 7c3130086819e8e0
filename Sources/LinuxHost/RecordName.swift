/// The names in a store's directory.
enum RecordName {
    /// Begins the names of files that are being written. A record's name begins with no dot.
    private static let temporary = ".new-"
    private static let setAside = ".damaged-"

    /// 1 to 64 letters, digits, hyphens and dots, not beginning with a dot.
    static func isValid(_ name: String) -> Bool {
        let characters = name.utf8
        guard (1...64).contains(characters.count), characters.first != UInt8(ascii: ".") else { return false }
        return characters.allSatisfy(isAllowed)
    }

    /// Whether the file is a damaged record, which is no record any more.
    static func isSetAside(_ name: String) -> Bool {
        let characters = Array(name.utf8)
        let mark = Array(setAside.utf8)
        guard characters.count > mark.count else { return false }
        return (0..<characters.count - mark.count).contains {
            characters[$0..<$0 + mark.count].elementsEqual(mark)
        }
    }

    static func setAside(_ name: String, number: Int) -> String { "\(name)\(setAside)\(number)" }

    static func temporary(_ name: String, process: Int32) -> String { "\(temporary)\(process)-\(name)" }

    /// The process that writes or wrote the temporary file; nil for other files.
    static func writer(ofTemporary name: String) -> Int32? {
        guard name.hasPrefix(temporary) else { return nil }
        let digits = name.utf8.dropFirst(temporary.utf8.count).prefix { $0 != UInt8(ascii: "-") }
        return Int32(String(decoding: Array(digits), as: UTF8.self))
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
