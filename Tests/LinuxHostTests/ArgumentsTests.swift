import Foundation
import Testing

@testable import LinuxHost

/// getopt_long keeps its place in a variable of the process.
@Suite(.serialized)
struct ArgumentsTests {
    private let options = [
        Option("radio", takesValue: true), Option("json"), Option("verbose", letter: UInt8(ascii: "v")),
        Option("state", letter: UInt8(ascii: "s"), takesValue: true),
    ]

    @Test func `options and operands come in any order`() throws {
        let parsed = try parse("status", "--json", "-v", "--radio", "air:/tmp/x", "peer", "--state=S")
        #expect(parsed.operands == ["status", "peer"])
        #expect(parsed.has("json"))
        #expect(parsed.has("verbose"))
        #expect(parsed.value("radio") == "air:/tmp/x")
        #expect(parsed.value("state") == "S")
        #expect(parsed.given.map(\.name) == ["json", "verbose", "radio", "state"])
    }

    @Test func `the last value counts, and short forms take values`() throws {
        let parsed = try parse("-sA", "-s", "B", "-vsC")
        #expect(parsed.value("state") == "C")
        #expect(parsed.has("verbose"))
        #expect(!parsed.has("json"))
        #expect(parsed.value("radio") == nil)
    }

    @Test func `after two hyphens there are only operands`() throws {
        let parsed = try parse("--json", "--", "--radio", "-v")
        #expect(parsed.operands == ["--radio", "-v"])
    }

    @Test func `an empty command line has nothing`() throws {
        #expect(try parse().operands.isEmpty)
        #expect(try Arguments([]).parsed(options: options).operands.isEmpty)
    }

    @Test(arguments: [["--nonsense"], ["-x"], ["--radio"], ["--json=1"], ["status", "-s"]])
    func `what is no option is refused`(_ words: [String]) {
        #expect(throws: UsageError.self) {
            _ = try Arguments(["awared"] + words).parsed(options: options)
        }
    }

    @Test func `the process knows its own arguments`() {
        #expect(Arguments.ofProcess.words == CommandLine.arguments)
    }

    @Test func `an empty variable is no variable`() {
        #expect(Environment.value("PATH") == ProcessInfo.processInfo.environment["PATH"])
        #expect(Environment.value("AWARED_NO_SUCH_VARIABLE") == nil)
    }

    private func parse(_ words: String...) throws -> ParsedArguments {
        try Arguments(["awared"] + words).parsed(options: options)
    }
}
