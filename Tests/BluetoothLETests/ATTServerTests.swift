import Testing
import Wire

@testable import BluetoothLE

struct ATTServerTests {
    var client = Client()

    @Test mutating func `the MTU is what both sides can, from 23 to 517`() {
        #expect(client.ask("02 f700") == "030502")
        #expect(client.server.mtu == 247)
        #expect(client.ask("02 0100") == "030502")
        #expect(client.server.mtu == 23)
        #expect(client.ask("02 ffff") == "030502")
        #expect(client.server.mtu == 517)
    }

    @Test mutating func `services are found, those with short names apart from those with long ones`() {
        // length 6: 0001…0005 is 1800, 0006…0009 is 1801
        #expect(client.ask("10 0100 ffff 0028") == "1106" + "010005000018" + "060009000118")
        #expect(client.ask("10 0a00 ffff 0028") == "1114" + "0a001400" + "00ffeeddccbbaa998877665544332211")
        #expect(client.ask("10 1500 ffff 0028") == "0110" + "1500" + "0a")
        #expect(client.ask("10 0100 ffff 0128") == "0110" + "0100" + "0a")
        #expect(client.ask("10 0100 ffff 0328") == "0110" + "0100" + "10")
        #expect(client.ask("10 0000 ffff 0028") == "0110" + "0000" + "01")
        #expect(client.ask("10 0500 0400 0028") == "0110" + "0500" + "01")
    }

    @Test mutating func `a service is found by its name`() {
        #expect(client.ask("06 0100 ffff 0028 0118") == "07" + "06000900")
        #expect(client.ask("06 0100 ffff 0028 00ffeeddccbbaa998877665544332211") == "07" + "0a001400")
        #expect(client.ask("06 0100 ffff 0028 0a18") == "0106" + "0100" + "0a")
        #expect(client.ask("06 0100 ffff 0328 0a18") == "0106" + "0100" + "0a")
    }

    @Test mutating func `characteristics are found`() {
        // declaration at 000b: properties 12 (read, notify), value at 000c, 2a29; the next is longer
        #expect(client.ask("08 0a00 ffff 0328") == "0907" + "0b00120c00292a")
        #expect(client.ask("08 0e00 ffff 0328") == "0915" + "0e000c0f00" + "01ffeeddccbbaa998877665544332211")
        #expect(client.ask("08 1500 ffff 0328") == "0108" + "1500" + "0a")
        #expect(client.ask("04 0a00 0d00") == "0501" + "0a000028" + "0b000328" + "0c00292a" + "0d000229")
        #expect(client.ask("04 0f00 1100") == "0502" + "0f00" + "01ffeeddccbbaa998877665544332211")
        #expect(client.ask("04 1500 ffff") == "0104" + "1500" + "0a")
    }

    @Test mutating func `values are read as far as they fit, and on from there`() {
        client.values.values[.open] = Array(0..<50)
        #expect(client.ask("0a 0c00") == "0b" + String(hex: Array(0..<22)))
        #expect(client.ask("0c 0c00 1600") == "0d" + String(hex: Array(22..<44)))
        #expect(client.ask("0c 0c00 2c00") == "0d" + String(hex: Array(44..<50)))
        #expect(client.ask("0c 0c00 3200") == "0d")
        #expect(client.ask("0c 0c00 3300") == "010c" + "0c00" + "07")
        #expect(client.ask("0a 0300") == "0b" + String(hex: Array("Board".utf8)))
        #expect(client.ask("0e 0300 0500") == "0f" + String(hex: Array("Board".utf8)) + "0000")
        #expect(client.ask("0a 0f00") == "010a" + "0f00" + "02")
        #expect(client.ask("0a 0000") == "010a" + "0000" + "01")
        #expect(client.ask("0a ffff") == "010a" + "ffff" + "01")
        client.values.refusal = ATTError(code: 0x80)
        #expect(client.ask("0a 0c00") == "010a" + "0c00" + "80")
    }

    @Test mutating func `who may not read is told what the link lacks`() {
        #expect(client.ask("0a 1100") == "010a" + "1100" + "05")
        client.server.isBonded = true
        #expect(client.ask("0a 1100") == "010a" + "1100" + "0f")
        client.server.security = .encrypted
        #expect(client.ask("0a 1100") == "010a" + "1100" + "05", "it has to prove itself")
        #expect(client.ask("12 1200 0100") == "0112" + "1200" + "05")
        #expect(client.ask("0a 1400") == "0b09")
        client.server.security = .authenticated
        #expect(client.ask("0a 1100") == "0b" + String(hex: Array("secret".utf8)))
        #expect(client.ask("12 1200 0100") == "13")
    }

    @Test mutating func `a list of values ends before the first that may not be read`() {
        client.values.values[.open] = [1, 2]
        #expect(client.ask("08 0100 ffff 292a") == "0904" + "0c000102")
        #expect(client.ask("08 0d00 ffff 292a") == "0108" + "1400" + "05")
        #expect(client.ask("08 0100 ffff 002a") == "0907" + "0300" + String(hex: Array("Board".utf8)))
    }

    @Test mutating func `values are written, with an answer or without`() {
        #expect(client.ask("12 0f00 0102") == "13")
        #expect(client.ask("52 0f00 03") == "")
        #expect(client.values.writes == [[1, 2], [3]])
        #expect(client.ask("12 0c00 01") == "0112" + "0c00" + "03")
        #expect(client.ask("12 0a00 01") == "0112" + "0a00" + "03")
        #expect(client.ask("12 0b00 01") == "0112" + "0b00" + "03")
        #expect(client.ask("12 4000 01") == "0112" + "4000" + "01")
        #expect(client.ask("52 0c00 01") == "")
        client.values.refusal = ATTError(code: 0x81)
        #expect(client.ask("12 0f00 01") == "0112" + "0f00" + "81")
        #expect(client.values.writes.count == 2)
    }

    @Test mutating func `a long value is written in parts`() {
        #expect(client.ask("16 0f00 0000 0102") == "17" + "0f00" + "0000" + "0102")
        #expect(client.ask("16 0f00 0200 03") == "17" + "0f00" + "0200" + "03")
        #expect(client.ask("18 01") == "19")
        #expect(client.values.writes == [[1, 2, 3]])
        #expect(client.ask("18 01") == "19", "an empty queue")
        #expect(client.ask("16 0f00 0000 0102") == "17" + "0f00" + "0000" + "0102")
        #expect(client.ask("18 00") == "19", "given up")
        #expect(client.ask("16 0f00 0100 0102") == "17" + "0f00" + "0100" + "0102")
        #expect(client.ask("18 01") == "0118" + "0f00" + "07", "its first octet is missing")
        #expect(client.ask("18 02") == "0118" + "0000" + "04")
        #expect(client.ask("16 0c00 0000 01") == "0116" + "0c00" + "03")
        #expect(client.values.writes.count == 1)
    }

    @Test mutating func `a queue of parts has no second value, which could be refused`() {
        #expect(client.ask("16 0f00 0000 01").hasPrefix("17"))
        #expect(client.ask("16 0d00 0000 0100") == "0116" + "0d00" + "09")
        #expect(client.ask("18 01") == "19")
        #expect(client.values.writes == [[1]])
    }

    @Test mutating func `a queue of parts is bounded`() {
        for _ in 0..<PreparedWrites.mostParts {
            #expect(client.ask("16 0f00 0000 01") == "17" + "0f00" + "0000" + "01")
        }
        #expect(client.ask("16 0f00 0000 01") == "0116" + "0f00" + "09")
        #expect(client.ask("18 00") == "19")
        _ = client.ask("02 ffff")
        let part = String(repeating: "00", count: 512)
        #expect(client.ask("16 0f00 0000" + part).hasPrefix("17"))
        #expect(client.ask("16 0f00 0002" + part).hasPrefix("17"))
        #expect(client.ask("16 0f00 0004 00") == "0116" + "0f00" + "09")
        #expect(client.ask("18 01") == "0118" + "0f00" + "0d")
        #expect(client.values.writes.isEmpty)
    }

    @Test mutating func `what nobody knows is refused, or ignored`() {
        #expect(client.ask("20 0c00 0300") == "0120" + "0000" + "06")
        #expect(client.ask("3e") == "013e" + "0000" + "06")
        #expect(client.ask("d2 0f00 01 000000000000000000000000") == "")
        #expect(client.ask("7e 01") == "")
        #expect(client.ask("01 0a 0000 01") == "", "an error for a request that we never made")
        #expect(client.ask("1b 0c00 01") == "")
        #expect(client.ask("1e") == "")
        #expect(client.ask("") == "")
        #expect(client.ask("0a 0c") == "010a" + "0000" + "04")
        #expect(client.ask("0a 0c00 00") == "010a" + "0000" + "04")
        #expect(client.values.writes.isEmpty)
    }
}
