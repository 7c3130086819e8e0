import CShim

/// The standard input stream, for what a program asks a person, or a script in a person's place.
public enum StandardInput {
    public static var isTerminal: Bool { shim_is_terminal(0) == 1 }

    /// The next line without its end, or nil at the end of input. Nothing behind the line's end is taken.
    ///
    /// - Parameter limit: in octets. Of a longer line the rest is read and dropped.
    public static func readLine(limit: Int) -> String? {
        readLine(limit: limit, from: 0)
    }

    static func readLine(limit: Int, from descriptor: Int32) -> String? {
        var line: [UInt8] = []
        var octet: UInt8 = 0
        var isEmpty = true
        while shim_read(descriptor, &octet, 1) == 1 {
            isEmpty = false
            if octet == UInt8(ascii: "\n") { break }
            if line.count < limit { line.append(octet) }
        }
        if isEmpty { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }
}
