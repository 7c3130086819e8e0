import Frames
import Testing
import Wire

struct FrameTests {
    private static let header = ManagementHeader(
        subtype: .action, receiver: .nanNetwork, transmitter: MACAddress(rawValue: 0x0211_2233_4401),
        cluster: MACAddress(rawValue: 0x506f_9a01_0d10), isProtected: true, isRetry: true, sequence: 0x123,
        fragment: 4, otherFlags: 0x10, duration: 314)

    @Test func `a header, field by field`() throws {
        let octets: [UInt8] = [
            0xd0,  // management, action
            0x58,  // retry, power management, protected
            0x3a, 0x01,  // 314 µs
            0x51, 0x6f, 0x9a, 0x01, 0x00, 0x00,  // everybody
            0x02, 0x11, 0x22, 0x33, 0x44, 0x01,
            0x50, 0x6f, 0x9a, 0x01, 0x0d, 0x10,
            0x34, 0x12,  // sequence 0x123, fragment 4
        ]
        var frame = FrameWriter()
        Self.header.write(into: &frame)
        #expect(try frame.finish() == octets)
        #expect(octets.count == ManagementHeader.count)
        var reader = FrameReader(octets.span.bytes)
        #expect(try ManagementHeader(parsing: &reader) == Self.header)
    }

    @Test(arguments: [0x08, 0xb4, 0xd1] as [UInt8])
    func `data, control and unknown frames have no management header`(_ control: UInt8) {
        let octets = [control] + [UInt8](repeating: 0, count: 23)
        #expect(throws: WireError.unexpected("type", value: UInt64(control & 0x0f))) {
            var reader = FrameReader(octets.span.bytes)
            _ = try ManagementHeader(parsing: &reader)
        }
    }

    @Test func `a beacon as the kernel sends it`() throws {
        let octets: [UInt8] = [
            0x02, 0x44, 0x38, 0x0e, 0x00, 0x00, 0x00, 0x00,  // time
            0x64, 0x00,  // every 100 TU
            0x20, 0x04,  // capability
            0xdd, 0x19, 0x50, 0x6f, 0x9a, 0x13,
            0x00, 0x02, 0x00, 0x00, 0x00,  // master indication: preference and random factor
            0x01, 0x0d, 0x00,  // cluster
            0x02, 0x11, 0x22, 0x33, 0x44, 0x01, 0x05, 0x80,  // rank: address, random factor, preference
            0x00,  // hops
            0x00, 0x00, 0x00, 0x00,  // beacon time
        ]
        let beacon = BeaconFrame(
            timestamp: 0x0e38_4402, interval: TimeUnits(100),
            attributes: [
                .masterIndication(MasterIndication(preference: 0, randomFactor: 0)),
                .cluster(ClusterAttribute(anchorRank: 0x8005_0144_3322_1102, hopCount: 0, beaconTime: 0)),
            ])
        #expect(try BeaconFrame(parsing: FrameReader(octets.span.bytes)) == beacon)
        #expect(try beacon.octets() == octets)
        #expect(beacon.cluster?.anchorRank == 0x8005_0144_3322_1102)
    }

    @Test func `somebody else's beacon is refused`() {
        let octets = [UInt8](repeating: 0, count: 12) + [0x00, 0x02, 0x61, 0x62]
        #expect(throws: WireError.tooShort(for: "NAN element", missing: 1)) {
            try BeaconFrame(parsing: FrameReader(octets.span.bytes))
        }
    }

    @Test func `attributes are found by name, the first of several`() {
        func descriptor(_ instance: UInt8) -> ServiceDescriptor {
            ServiceDescriptor(service: ServiceIdentifier(rawValue: 1), instance: instance, kind: .publish)
        }
        let frame = ActionFrame(
            kind: .serviceDiscovery, isProtectedDual: false,
            attributes: [
                .unknown(AttributeID(rawValue: 9), []),
                .serviceDescriptor(descriptor(1)), .serviceDescriptor(descriptor(2)),
                .serviceDescriptorExtension(
                    ServiceDescriptorExtension(instance: 2, control: .dataPathRequired)),
                .dataLinkQoS(DataLinkQoS(minimumSlots: 1, maximumLatency: 2)),
                .dataLinkQoS(DataLinkQoS(minimumSlots: 3, maximumLatency: 4)),
            ])
        #expect(frame.serviceDescriptors == [descriptor(1), descriptor(2)])
        #expect(frame.serviceDescriptorExtension(ofInstance: 1) == nil)
        #expect(frame.serviceDescriptorExtension(ofInstance: 2)?.control == .dataPathRequired)
        #expect(frame.attributes.dataLinkQoS?.minimumSlots == 1)
        #expect(frame.availability == nil)
    }

    @Test func `a device from before pairing is not refused`() throws {
        for body: [UInt8] in [[], [0]] {
            let octets = [0x2a, UInt8(body.count), 0] + body
            #expect(try attribute(octets) == .unknown(.deviceCapabilityExtension, body))
        }
    }

    @Test func `empty service information is kept as it came`() throws {
        for information: [UInt8] in [[0, 0], [3, 0, 0x50, 0x6f, 0x9a]] {
            let octets = [0x0e, UInt8(3 + information.count), 0, 1, 0, 0] + information
            let value = ServiceDescriptorExtension(instance: 1, control: [], rest: information)
            #expect(try attribute(octets) == .serviceDescriptorExtension(value))
            #expect(try written(.serviceDescriptorExtension(value)) == octets)
        }
    }

    @Test func `a filter that would divide by zero is refused`() {
        let octets: [UInt8] = [0x03, 0x0b, 0x00, 1, 2, 3, 4, 5, 6, 1, 0, 0x09, 0x01, 0x01]
        #expect(throws: WireError.tooShort(for: "Bloom filter", missing: 1)) { try attribute(octets) }
    }

    @Test func `what fits no frame is not sent`() {
        let vendor = Attribute.vendorSpecific(
            VendorSpecificAttribute(oui: 1, octets: .init(repeating: 0, count: 2300)))
        let frame = ActionFrame(kind: .serviceDiscovery, isProtectedDual: false, attributes: [vendor])
        #expect(throws: WireError.tooLong("frame", by: 8)) { try frame.octets() }
    }

    @Test func `fields of a wrong size are not sent`() {
        for attribute: Attribute in [
            .identityResolution(IdentityResolution(nonce: [1], tag: .init(repeating: 0, count: 8))),
            .serviceDescriptorExtension(
                ServiceDescriptorExtension(instance: 1, control: [], rangeLimit: [1])),
            .pairingBootstrapping(
                PairingBootstrapping(
                    dialogToken: 1, step: .comeBack(after: TimeUnits(1 << 16), cookie: []), methods: [])),
            .pairingBootstrapping(
                PairingBootstrapping(
                    dialogToken: 1, step: .request(cookie: .init(repeating: 1, count: 256)), methods: [])),
            .availability(
                Availability(
                    sequence: 0, control: 0,
                    entries: [.init(control: 0, slots: nil, channels: .bands(.init(repeating: 2, count: 16)))]
                )),
        ] {
            #expect(throws: WireError.self) { try written(attribute) }
        }
    }
}
