import Captures
import Crypto
import Foundation
import Testing
import Wire

@Suite struct RecordedCaptureTests {
    private let dataInterface = MACAddress(rawValue: 0x4200_0000_0100)

    @Test(arguments: RecordedCapture.cases)
    func `every field is what another program read`(name: String) throws {
        let frames = DescribedFrame.all(in: try RecordedCapture(name: name).description)
        #expect(frames.count >= 7)
        for frame in frames {
            let inspection = try #require(Inspection(of: frame.octets))
            #expect(inspection.refusal == nil)
            let attributes = Self.attributes(of: try Self.object(inspection.fields))
            #expect(attributes.map { ($0["id"] as? NSNumber)?.intValue } == frame.attributes.map(\.id))
            for (own, described) in zip(attributes, frame.attributes) {
                #expect(DumpForm.tokens(of: own) == described.tokens.sorted())
            }
        }
    }

    @Test(arguments: RecordedCapture.cases)
    func `the air has every described frame, and none is refused`(name: String) throws {
        let capture = RecordedCapture(name: name)
        let air = try capture.decoded(try capture.keys)
        #expect(air.allSatisfy { $0["refused"] == nil })
        // GCMP-256 is not decrypted.
        guard name != "pin_sae_gcmp256" else { return }
        let heard = Set(air.map { NSArray(array: Self.attributes(of: $0)) })
        let file = Data(try capture.octets)
        for frame in DescribedFrame.all(in: try capture.description) {
            let inspection = try #require(Inspection(of: frame.octets))
            // The last answer of each recording was queued, and never sent.
            let isPublic = inspection.body.first == 4
            if isPublic && file.range(of: Data(inspection.body)) == nil { continue }
            // Between data interfaces frames are encrypted with the data path's key.
            if inspection.header.transmitter == dataInterface { continue }
            #expect(heard.contains(NSArray(array: Self.attributes(of: try Self.object(inspection.fields)))))
        }
    }

    @Test(arguments: ["ndp_sk_ccm128", "full_pin_ndp_sk_ccm128", "full_pin_ndp_pk_pasn128"])
    func `the codes of M2 to M4 are genuine, and key data is unwrapped`(name: String) throws {
        let capture = RecordedCapture(name: name)
        let messages = try capture.decoded(try capture.keys).filter { $0["message"] != nil }
        #expect(messages.compactMap { $0["message"] as? String } == ["m1", "m2", "m3", "m4"])
        #expect(messages.map { $0["mic"] as? String } == [nil, "valid", "valid", "valid"])
        for message in messages[2...] {
            let elements = message["key_data_elements"] as? [[String: Any]]
            #expect(elements?.map { $0["element"] as? String } == ["integrity_group_key"])
        }
    }

    @Test func `between kernel and program frames are plain, so that the master key is enough`() throws {
        let capture = RecordedCapture(name: "full_pin_ndp_pk_pasn128", file: "nlmon.pcap")
        let keys = CaptureDecoder.Keys(dataPathMasters: try capture.keys.dataPathMasters)
        let frames = try capture.decoded(keys)
        #expect(frames.allSatisfy { $0["refused"] == nil && $0["kind"] as? String != "encrypted" })
        #expect(frames.compactMap { $0["message"] as? String } == ["m1", "m2", "m3", "m4"])
        #expect(frames.compactMap { $0["mic"] as? String } == ["valid", "valid", "valid"])
        #expect(frames.count == 149)
    }

    @Test func `a netlink capture that is cut or flipped anywhere does no harm`() throws {
        let octets = try RecordedCapture(name: "full_pin_ndp_pk_pasn128", file: "nlmon.pcap").octets
        for bit in stride(from: 24 * 8, to: min(octets.count, 4_000) * 8, by: 3) {
            var flipped = octets
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard var reader = try? CaptureReader(octets: Array(flipped.prefix(4_000))) else { continue }
            var decoder = CaptureDecoder()
            while let packet = try? reader.next() { _ = decoder.decode(packet) }
        }
    }

    @Test func `with another master key the codes are wrong`() throws {
        let capture = RecordedCapture(name: "ndp_sk_ccm128")
        let keys = CaptureDecoder.Keys(dataPathMasters: [Key(Secret([UInt8](repeating: 7, count: 32)))])
        let messages = try capture.decoded(keys).filter { $0["message"] != nil }
        #expect(messages.map { $0["mic"] as? String } == [nil, "wrong", "wrong", "wrong"])
        #expect(messages.allSatisfy { $0["key_data_elements"] == nil })
    }

    @Test func `of several master keys the right one is found`() throws {
        let capture = RecordedCapture(name: "ndp_sk_ccm128")
        var keys = try capture.keys
        keys.dataPathMasters.insert(Key(Secret([UInt8](repeating: 7, count: 32))), at: 0)
        let codes = try capture.decoded(keys).compactMap { $0["mic"] as? String }
        #expect(codes == ["valid", "valid", "valid"])
    }

    @Test func `without a key nothing is known of the codes`() throws {
        let codes = try RecordedCapture(name: "ndp_sk_ccm128").decoded(.init()).compactMap {
            $0["mic"] as? String
        }
        #expect(codes == ["unknown", "unknown", "unknown"])
    }

    @Test func `a changed message is found out, the others stay genuine`() throws {
        let capture = RecordedCapture(name: "ndp_sk_ccm128")
        var reader = try CaptureReader(octets: try capture.octets)
        var decoder = CaptureDecoder(keys: try capture.keys)
        var codes: [String] = []
        while var packet = try reader.next() {
            if packet.number == 51, case .frame(var octets) = packet.content {
                octets[octets.count - 1] ^= 1
                packet.content = .frame(octets)
            }
            guard let frame = decoder.decode(packet),
                case .text(let code) = frame.findings.named("mic")?.value
            else {
                continue
            }
            codes.append(code)
        }
        #expect(codes == ["valid", "wrong", "valid"])
    }

    @Test func `without its management key a data path stays encrypted`() throws {
        let capture = RecordedCapture(name: "full_pin_ndp_sk_ccm128")
        let frames = try capture.decoded(.init(dataPathMasters: try capture.keys.dataPathMasters))
        #expect(frames.count { $0["kind"] as? String == "encrypted" } == 17)
        #expect(frames.allSatisfy { $0["message"] == nil })
    }

    /// NIKs of the recording: the subscriber's and the publisher's.
    @Test func `identities are resolved behind addresses`() throws {
        let keys = CaptureDecoder.Keys(
            identities: ["f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "000102030405060708090a0b0c0d0e0f"].compactMap(
                RecordedCapture.key))
        let frames = try RecordedCapture(name: "verify_npk").decoded(keys)
        let names = ["02:aa:bb:cc:dd:02": "nik 1", "02:11:22:33:44:01": "nik 2"]
        let resolved = frames.filter { $0["identity"] != nil }
        #expect(resolved.count == 47)
        for frame in resolved {
            #expect(frame["identity"] as? String == names[frame["transmitter"] as? String ?? ""])
        }
        let stranger = CaptureDecoder.Keys(identities: [Key(Secret([UInt8](repeating: 1, count: 16)))])
        let unknown = try RecordedCapture(name: "verify_npk").decoded(stranger).compactMap {
            $0["identity"] as? String
        }
        #expect(Set(unknown) == ["unknown"])
    }

    @Test func `a refused frame names the attribute and shows the others`() throws {
        let frame = try #require(
            DescribedFrame.all(in: try RecordedCapture(name: "ndp_open").description).first?.octets)
        var damaged = frame
        // The length of the service name's element says more than the attribute has: control announces a filter.
        damaged[24 + 6 + 3 + 8] |= 0x04
        let inspection = try #require(Inspection(of: damaged))
        #expect(inspection.refusal != nil)
        #expect(inspection.kind == "service_discovery")
        let attributes = Self.attributes(of: try Self.object(inspection.fields))
        #expect(attributes.first?["attribute"] as? String == "refused")
        #expect((attributes.first?["id"] as? NSNumber)?.intValue == 3)
        #expect(attributes.count > 3)
    }

    @Test func `every cut and a flipped bit in every octet of every frame is described without a trap`()
        throws
    {
        for frame in DescribedFrame.all(in: try RecordedCapture(name: "full_pin_ndp_sk_ccm128").description) {
            for count in 0..<frame.octets.count { _ = Inspection(of: Array(frame.octets.prefix(count))) }
            for position in frame.octets.indices {
                var damaged = frame.octets
                // One bit of each octet, another one in each: all of them take a minute.
                damaged[position] ^= 1 << UInt8((position * 5 + frame.octets.count) % 8)
                _ = Inspection(of: damaged)?.fields.lines(indent: 0)
            }
        }
    }

    @Test func `lines for a person name channel, addresses and fields`() throws {
        let capture = RecordedCapture(name: "ndp_sk_ccm128")
        var reader = try CaptureReader(octets: try capture.octets)
        var decoder = CaptureDecoder(keys: try capture.keys)
        var lines: [String] = []
        while let packet = try reader.next() { lines += decoder.decode(packet)?.lines ?? [] }
        #expect(
            lines.contains {
                $0.hasPrefix("#40 ")
                    && $0.hasSuffix(
                        " channel 6 data_path_request 02:aa:bb:cc:dd:02 > 02:11:22:33:44:01 in 50:6f:9a:01:48:a7"
                    )
            })
        #expect(lines.contains("    message=m2 mic=valid"))
        #expect(lines.contains("      suite: suite=1(ncs_sk_128) publish=1"))
    }

    // MARK: Help

    /// Attributes of an action frame, or of the NAN element of an authentication frame.
    private static func attributes(of frame: [String: Any]) -> [[String: Any]] {
        if let attributes = frame["attributes"] as? [[String: Any]] { return attributes }
        let elements = frame["elements"] as? [[String: Any]] ?? []
        return elements.compactMap { $0["attributes"] as? [[String: Any]] }.flatMap { $0 }
    }

    private static func object(_ fields: [Field]) throws -> [String: Any] {
        let text = JSONWriter.object { fields.write(into: &$0) }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
