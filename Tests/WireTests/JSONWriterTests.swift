import Foundation
import Testing

@testable import Wire

@Suite struct JSONWriterTests {
    @Test func `an object nests and separates`() {
        let text = JSONWriter.object {
            $0.member("service", "_drone-service._udp")
            $0.member("paired", true)
            $0.member("signal_dbm", -40)
            $0.member("name", nil as String?)
            $0.array("transports") {
                $0.element("aware")
                $0.element(UInt8(7))
                $0.object { $0.null("x") }
                $0.array { _ in }
            }
            $0.object("empty") { _ in }
        }
        #expect(
            text == #"{"service":"_drone-service._udp","paired":true,"signal_dbm":-40,"name":null,"#
                + #""transports":["aware",7,{"x":null},[]],"empty":{}}"#)
    }

    @Test func `every text comes back from another reader`() throws {
        let hostile = (0..<0x100).map { String(Unicode.Scalar(UInt8($0))) }.joined() + "é🛩\u{2028}"
        let text = JSONWriter.array {
            $0.element(hostile)
            $0.element("")
        }
        #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == [hostile, ""])
    }

    @Test func `octets that are no text are repaired`() {
        #expect(
            JSONWriter.object { $0.member("name", utf8: [0x41, 0xff, 0x42]) } == "{\"name\":\"A\u{fffd}B\"}")
    }

    @Test(arguments: [
        (1.5, 3, "1.5"), (0.1 + 0.2, 6, "0.3"), (-0.0001, 2, "0"), (-2.25, 1, "-2.3"),
        (47.397742, 6, "47.397742"),
        (3, 4, "3"), (0.001, 3, "0.001"), (Double.nan, 2, "null"), (Double.infinity, 2, "null"),
        (1e30, 2, "null"),
    ])
    func `numbers end with a digit that means something`(value: Double, decimals: Int, expected: String) {
        #expect(JSONWriter.array { $0.element(value, decimals: decimals) } == "[\(expected)]")
    }

    @Test func `whole numbers keep all their digits`() {
        let text = JSONWriter.array {
            $0.element(UInt64.max)
            $0.element(Int64.min)
        }
        #expect(text == "[18446744073709551615,-9223372036854775808]")
    }
}

@Suite struct TableTests {
    @Test func `columns line up`() {
        var table = Table(["SERVICE", "NAME", "SIGNAL"])
        table.row(["_a._udp", "Küche", "-40"])
        table.row(["_longer._udp", "", "-5"])
        table.row(["_b._udp", "x"])
        #expect(
            table.text == """
                SERVICE       NAME   SIGNAL
                _a._udp       Küche  -40
                _longer._udp         -5
                _b._udp       x

                """)
    }

    @Test func `a name cannot steer the terminal`() {
        #expect("a\u{1b}[31mb\u{202e}".printable == "a\u{fffd}[31mb\u{fffd}")
        #expect("a\u{1b}b\u{feff}\u{2028}c".withoutControls == "abc")
        #expect("drone".printable(limit: 5) == "drone")
        #expect("drones".printable(limit: 5) == "drone...")
    }
}
