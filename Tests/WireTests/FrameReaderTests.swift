import Testing
import Wire

struct FrameReaderTests {
    @Test func `a failed read leaves the reader where it was`() throws {
        let octets: [UInt8] = [0x01, 0x02, 0x03]
        var reader = FrameReader(octets.span.bytes)
        #expect(try reader.octet("first") == 1)
        do {
            _ = try reader.number32("number")
            Issue.record("read past the end")
        } catch {
            #expect(error == .tooShort(for: "number", missing: 2))
        }
        #expect(try reader.number16("number") == 0x0302)
        try reader.end("frame")
    }

    @Test func `a slice ends where it was told to`() throws {
        let octets: [UInt8] = [0x02, 0xaa, 0xbb, 0xcc]
        var reader = FrameReader(octets.span.bytes)
        let count = try reader.octet("length")
        var body = try reader.slice(Int(count), "body")
        #expect(body.rest() == [0xaa, 0xbb])
        #expect(reader.remaining == 1)
    }

    @Test func `an address keeps the order of its octets`() throws {
        let octets: [UInt8] = [0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0x02]
        var reader = FrameReader(octets.span.bytes)
        let address = try reader.address("address")
        #expect(address.description == "02:aa:bb:cc:dd:02")
        #expect(address.octets == octets)
        #expect(MACAddress("02:aa:bb:cc:dd:02") == address)
    }
}

struct FrameWriterTests {
    @Test func `lengths are filled in after what they measure`() throws {
        var writer = FrameWriter()
        writer.octet(0x2c)
        writer.measured16("attribute") { $0.octets([1, 2, 3]) }
        writer.measured8("element") { $0.bigEndian16(0x0102) }
        #expect(try writer.finish() == [0x2c, 3, 0, 1, 2, 3, 2, 1, 2])
    }

    @Test func `what does not fit is an error, not a cut frame`() {
        var writer = FrameWriter(limit: 4)
        writer.number32(7)
        writer.octet(1)
        writer.octets([])
        do {
            _ = try writer.finish()
            Issue.record("five octets fitted into four")
        } catch {
            #expect(error == .tooLong("frame", by: 1))
        }
    }

    @Test func `a length field that is too small is an error`() {
        var writer = FrameWriter()
        writer.measured8("element") { $0.zeros(256) }
        do {
            _ = try writer.finish()
            Issue.record("256 octets in a length of one octet")
        } catch {
            #expect(error == .tooLong("element", by: 1))
        }
    }
}
