import Ports
import Testing

@testable import LinuxHost

struct ConfigurationTests {
    @Test func `sections, keys and values come with their lines`() throws {
        let text = """
            # how the drone is called
            name = Kestrel ; and a comment
            [service _drone-service._udp]

              vehicle=simulated
            port : 14550
            empty =
            path = a;b = "c d"\t
            """
        #expect(
            try parse(text) == [
                entry("", "name", "Kestrel", 2),
                entry("service _drone-service._udp", "vehicle", "simulated", 5),
                entry("service _drone-service._udp", "port", "14550", 6),
                entry("service _drone-service._udp", "empty", "", 7),
                entry("service _drone-service._udp", "path", "a;b = \"c d\"", 8),
            ])
    }

    @Test func `files of other editors are read`() throws {
        #expect(try parse("\u{feff}[a]\r\nx = 1\r\n") == [entry("a", "x", "1", 2)])
        #expect(try parse("") == [])
        #expect(try parse("\n\n; only this") == [])
    }

    @Test func `a key may come twice, and an indented line continues nothing`() throws {
        #expect(
            try parse("x = 1\n  x = 2\n") == [entry("", "x", "1", 1), entry("", "x", "2", 2)])
        #expect(refusal("x = 1\n  more\n")?.line == 2)
    }

    @Test(arguments: [
        ("x = 1\nnonsense\ny = 2", 2, "neither"),
        ("x = 1\n[open", 2, "neither"),
        ("\n = 1", 2, "no key"),
        ("[a]\nx = \0", 2, "zero octet"),
        ("x = " + String(repeating: "y", count: 400), 1, "404 octets"),
        ("[" + String(repeating: "y", count: 50) + "]", 1, "section's name"),
        ("[a] x = 1", 1, "behind the section's name"),
        ("nonsense\nx = \0", 1, "neither"),
    ])
    func `a wrong line is named`(_ text: String, _ line: Int, _ words: String) {
        let error = refusal(text)
        #expect(error?.line == line)
        #expect(error?.file == "drone.conf")
        #expect(error?.explanation.contains(words) == true, "\(error?.explanation ?? "")")
    }

    @Test func `octets that are no text are refused`() {
        #expect(throws: ConfigurationError.self) {
            _ = try parseConfiguration([0x78, 0x3d, 0xff], file: "drone.conf")
        }
    }

    @Test func `the longest lines are read, one more octet is refused`() throws {
        // Debian's inih holds 200 octets, of which it needs three itself.
        for count in 190...204 {
            let value = String(repeating: "y", count: count - 4)
            let entries = try? parse("a = 1\nx = \(value)\nb = 2\n")
            if count <= 197 {
                #expect(entries?.count == 3)
                #expect(entries?[1].value == value)
            } else {
                #expect(entries == nil)
            }
        }
    }

    @Test func `every octet anywhere ends in entries or a refusal`() {
        let text = Array("[s]\nkey = value ; c\n".utf8)
        for position in text.indices {
            for octet in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = octet
                _ = try? parseConfiguration(changed, file: "f")
            }
            _ = try? parseConfiguration(Array(text[..<position]), file: "f")
        }
    }

    @Test func `a file that is not there is named`() {
        do {
            _ = try readConfiguration("/nowhere/drone.conf")
            Issue.record("read a file that is not there")
        } catch {
            #expect(error.description == "/nowhere/drone.conf: No such file or directory")
        }
    }

    @Test func `a file is read from disk`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("drone.conf", "[a]\nx = 1\n")
        #expect(try readConfiguration(path) == [entry("a", "x", "1", 2)])
        #expect(throws: ConfigurationError.self) { _ = try readConfiguration(directory.path) }
    }

    private func entry(_ section: String, _ key: String, _ value: String, _ line: Int) -> ConfigurationEntry {
        ConfigurationEntry(section: section, key: key, value: value, line: line)
    }

    private func parse(_ text: String) throws -> [ConfigurationEntry] {
        try parseConfiguration(Array(text.utf8), file: "drone.conf")
    }

    private func refusal(_ text: String) -> ConfigurationError? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error as? ConfigurationError
        }
    }
}
