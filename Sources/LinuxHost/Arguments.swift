import CShim

/// An option that a program understands, for getopt_long.
public struct Option: Sendable {
    /// Without the hyphens.
    public var name: StaticString
    /// The short form, as in `UInt8(ascii: "v")`.
    public var letter: UInt8?
    public var takesValue: Bool

    public init(_ name: StaticString, letter: UInt8? = nil, takesValue: Bool = false) {
        self.name = name
        self.letter = letter
        self.takesValue = takesValue
    }
}

/// The command line is not as it should be; getopt_long has said why on standard error. The program ends with
/// status 2.
public struct UsageError: Error, Equatable, Sendable {}

/// The words of a command line.
public struct Arguments: Sendable {
    /// The program's name first.
    public var words: [String]

    public init(_ words: [String]) {
        self.words = words
    }

    /// Those that this process was started with.
    public static var ofProcess: Arguments {
        var words: [String] = []
        for index in 0..<shim_argument_count() {
            guard let word = shim_argument(index) else { break }
            words.append(String(cString: word))
        }
        return Arguments(words)
    }

    /// Tells options from operands, in any order, up to `--`. Abbreviated and joined forms are understood as
    /// getopt_long does.
    public func parsed(options: [Option]) throws(UsageError) -> ParsedArguments {
        var words: [UnsafeMutablePointer<CChar>?] = []
        for word in self.words { words.append(shim_copy_text(word)) }
        let copies = words
        defer { for copy in copies { shim_free(copy) } }
        words.append(nil)

        var known: [shim_option] = []
        for option in options {
            known.append(
                shim_option(
                    name: UnsafeRawPointer(option.name.utf8Start).assumingMemoryBound(to: CChar.self),
                    letter: CChar(bitPattern: option.letter ?? 0), takes_value: option.takesValue ? 1 : 0))
        }

        var result = ParsedArguments()
        shim_start_options()
        while true {
            var value: UnsafePointer<CChar>?
            let found = shim_next_option(Int32(copies.count), &words, known, known.count, &value)
            if found == shim_options_end { break }
            guard found >= 0 else { throw UsageError() }
            result.add(options[Int(found)], value.map { String(cString: $0) })
        }
        for word in words[Int(shim_first_operand())..<copies.count] {
            if let word { result.operands.append(String(cString: word)) }
        }
        return result
    }
}

/// What a command line says.
public struct ParsedArguments: Sendable {
    /// The words that are neither options nor their values.
    public fileprivate(set) var operands: [String] = []
    /// In the order of the command line.
    public private(set) var given: [(name: String, value: String?)] = []

    /// Whether the option is there at all.
    public func has(_ name: String) -> Bool { given.contains { $0.name == name } }

    /// The value of the option where it was last given.
    public func value(_ name: String) -> String? { given.last { $0.name == name }?.value }

    fileprivate mutating func add(_ option: Option, _ value: String?) {
        given.append((name: option.name.description, value: value))
    }
}
