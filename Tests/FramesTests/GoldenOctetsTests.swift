import Frames
import Testing
import Wire

/// Octets beside their fields. Sources: what phones are known to send and expect (worked out from public sources,
/// not recorded), and two stations on the virtual board.
struct GoldenOctetsTests {
    static let pairing = PairingInformation(
        pairingName: "My Drone", vendorName: "Example Inc", modelName: "Example Model")
    static let service = GenericService(port: 3333, transport: .udp, text: pairing.text)

    private static let genericOctets: [UInt8] =
        [
            0x50, 0x6f, 0x9a,  // Wi-Fi Alliance
            0x02,  // generic service protocol
            0x00, 0x02, 0x00, 0x05, 0x0d,  // port 3333
            0x01, 0x01, 0x00, 0x11,  // UDP
            0x04, 0x44, 0x00,  // text, 68 octets
        ]
        + [0x14] + Array("pairingName=My Drone".utf8)
        + [0x16] + Array("vendorName=Example Inc".utf8)
        + [0x17] + Array("modelName=Example Model".utf8)

    static let attributes: [(String, [UInt8], Attribute)] = [
        (
            "a publisher's extension with port, protocol and names",
            [
                0x0e, 0x59, 0x00,
                0x01,  // instance
                0x44, 0x00,  // data path and security required
                0x54, 0x00,  // service information, 84 octets
            ] + genericOctets,
            .serviceDescriptorExtension(
                ServiceDescriptorExtension(
                    instance: 1, control: [.dataPathRequired, .securityRequired],
                    information: ServiceInformation(content: .generic(service))))
        ),
        (
            "an accessory advertises its display",
            [0x2c, 0x05, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00],
            .pairingBootstrapping(
                PairingBootstrapping(dialogToken: 0, step: .advertisement, methods: .pinDisplay))
        ),
        (
            "a phone asks to type the PIN",
            [0x2c, 0x05, 0x00, 0x01, 0x01, 0x00, 0x20, 0x00],
            .pairingBootstrapping(
                PairingBootstrapping(dialogToken: 1, step: .request(cookie: []), methods: .pinKeypad))
        ),
        (
            "the accessory accepts",
            [0x2c, 0x05, 0x00, 0x01, 0x02, 0x00, 0x02, 0x00],
            .pairingBootstrapping(
                PairingBootstrapping(dialogToken: 1, step: .accepted, methods: .pinDisplay))
        ),
        (
            "or rejects, reason 13",
            [0x2c, 0x05, 0x00, 0x01, 0x12, 0x0d, 0x02, 0x00],
            .pairingBootstrapping(
                PairingBootstrapping(
                    dialogToken: 1, step: .rejected(.methodNotSupported), methods: .pinDisplay))
        ),
        (
            "or asks to come back",
            [
                0x2c, 0x0c, 0x00,
                0x01,  // dialog token
                0x22, 0x00,  // response, come back; no reason
                0x00, 0x04,  // after 1024 TU
                0x04, 0xe4, 0x0a, 0xd3, 0x12,  // cookie
                0x00, 0x00,  // no method yet
            ],
            .pairingBootstrapping(
                PairingBootstrapping(
                    dialogToken: 1,
                    step: .comeBack(after: TimeUnits(1024), cookie: [0xe4, 0x0a, 0xd3, 0x12]), methods: []))
        ),
        (
            "it comes back with the cookie",
            [0x2c, 0x0a, 0x00, 0x01, 0x21, 0x00, 0x04, 0xe4, 0x0a, 0xd3, 0x12, 0x20, 0x00],
            .pairingBootstrapping(
                PairingBootstrapping(
                    dialogToken: 1, step: .request(cookie: [0xe4, 0x0a, 0xd3, 0x12]), methods: .pinKeypad))
        ),
        (
            "setup and caching of keys",
            [0x2a, 0x02, 0x00, 0x00, 0x03],
            .deviceCapabilityExtension(DeviceCapabilityExtension(pairing: [.setup, .caching]))
        ),
        (
            "an identity to be resolved",
            [
                0x2b, 0x11, 0x00,
                0x00,  // cipher version
                0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,  // nonce
                0x01, 0x8a, 0x8c, 0xec, 0xb9, 0xa2, 0xae, 0x52,  // tag
            ],
            .identityResolution(
                IdentityResolution(
                    nonce: [0, 1, 2, 3, 4, 5, 6, 7], tag: [0x01, 0x8a, 0x8c, 0xec, 0xb9, 0xa2, 0xae, 0x52]))
        ),
        (
            "a responder's data path with address and service",
            [
                0x29, 0x2c, 0x00,
                0x07,  // dialog token
                0x11, 0x00,  // accepted response; no reason
                0x42, 0x00, 0x00, 0x00, 0x01, 0x00,  // initiator
                0x01,  // identifier
                0x14,  // security, responder present
                0x42, 0x00, 0x00, 0x00, 0x02, 0x00,  // responder
                0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xfe, 0x00, 0x00,  // fe80::fffe:0
                0x01, 0x0d, 0x00, 0x50, 0x6f, 0x9a, 0x02,  // service information, generic
                0x00, 0x02, 0x00, 0x05, 0x0d,  // port 3333
                0x01, 0x01, 0x00, 0x11,  // UDP
            ],
            .dataPathExtension(
                DataPathExtension(
                    head: DataPathHead(
                        dialogToken: 7, kind: .response, status: .accepted,
                        initiator: MACAddress(rawValue: 0x4200_0000_0100), identifier: 1,
                        control: [.securityPresent, .responderPresent],
                        responder: MACAddress(rawValue: 0x4200_0000_0200)),
                    items: [
                        .interfaceIdentifier(0xfffe_0000),
                        .service(
                            ServiceInformation(
                                content: .generic(GenericService(port: 3333, transport: .udp)))),
                    ]))
        ),
        (
            "the older data path with plain information",
            [
                0x10, 0x0e, 0x00,
                0x01, 0x00, 0x00,  // token, request continued, no reason
                0x42, 0x00, 0x00, 0x00, 0x01, 0x00,  // initiator
                0x01,  // identifier
                0x28,  // publish id and service information present
                0x05,  // publish id
                0xaa, 0xbb,
            ],
            .dataPath(
                DataPathAttribute(
                    head: DataPathHead(
                        dialogToken: 1, kind: .request, status: .continued,
                        initiator: MACAddress(rawValue: 0x4200_0000_0100), identifier: 1,
                        control: [.publishPresent, .bit5], publish: 5),
                    information: [0xaa, 0xbb]))
        ),
        (
            "a publish with everything that a descriptor can hold",
            [
                0x03, 0x26, 0x00,
                0x82, 0x92, 0xf9, 0xa7, 0x1a, 0xcc,  // service
                0x01, 0x02,  // instance, requestor
                0x7d,  // subscribe; filter, response filter, information, range, binding
                0x34, 0x12,  // binding
                0x05, 0x02, 0x61, 0x62, 0x00, 0x00,  // matching filter: "ab", anything, anything
                0x0d, 0x02,  // response filter: include these addresses
                0x02, 0x11, 0x22, 0x33, 0x44, 0x01, 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0x02,
                0x06, 0x73, 0x75, 0x62, 0x73, 0x73, 0x69,  // information
            ],
            .serviceDescriptor(
                ServiceDescriptor(
                    service: ServiceIdentifier(rawValue: 0x8292_f9a7_1acc), instance: 1, requestor: 2,
                    kind: .subscribe, isRangeLimited: true, matchingFilter: [[0x61, 0x62], [], []],
                    responseFilter: ServiceResponseFilter(
                        includes: true,
                        members: .addresses([
                            MACAddress(rawValue: 0x0211_2233_4401), MACAddress(rawValue: 0x02aa_bbcc_dd02),
                        ])),
                    binding: 0x1234, information: Array("subssi".utf8)))
        ),
        (
            "a Bloom filter of those who shall not answer",
            [
                0x03, 0x0d, 0x00,
                0x82, 0x92, 0xf9, 0xa7, 0x1a, 0xcc, 0x01, 0x00,
                0x09,  // subscribe, response filter
                0x03, 0x09, 0x40, 0x01,  // Bloom, index 2
            ],
            .serviceDescriptor(
                ServiceDescriptor(
                    service: ServiceIdentifier(rawValue: 0x8292_f9a7_1acc), instance: 1, kind: .subscribe,
                    responseFilter: ServiceResponseFilter(
                        includes: false, members: .bloom(index: 2, bits: [0x40, 0x01]))))
        ),
        (
            "committed slots on channel 6, and two bands that are possible",
            [
                0x12, 0x1a, 0x00,
                0x01,  // sequence
                0x31, 0x00,  // map 1; committed and potential changed
                0x0e, 0x00, 0xe1, 0x12,  // committed, utilization unknown, two streams, bitmap
                0x18, 0x00, 0x04, 0xfe, 0xff, 0xff, 0xff,  // 16 TU a bit, period 512 TU; all but the window
                0x11, 0x51, 0x20, 0x00, 0x00,  // one entry: class 81, channel 6
                0x05, 0x00, 0xea, 0x02,  // potential
                0x20, 0x02, 0x04,  // two bands
            ],
            .availability(
                Availability(
                    sequence: 1, control: 0x0031,
                    entries: [
                        Availability.Entry(
                            control: 0x12e1,
                            slots: TimeBitmap(control: 0x0018, bits: [0xfe, 0xff, 0xff, 0xff]),
                            channels: .entries(
                                [.init(operatingClass: 81, channels: 0x0020)], hasAuxiliary: false)),
                        Availability.Entry(control: 0x02ea, slots: nil, channels: .bands([2, 4])),
                    ]))
        ),
        (
            "what the Linux kernel can do",
            [0x0f, 0x09, 0x00, 0x00, 0x49, 0x04, 0x14, 0x17, 0x22, 0x00, 0x00, 0x08],
            .deviceCapability(
                DeviceCapability(
                    committedWindows: 0x0449, bands: 0x14, operationMode: 0x17, antennas: 0x22,
                    channelSwitchTime: 0, capabilities: .dataPathExtension))
        ),
        (
            "a link that may be idle for 25 s",
            [0x14, 0x06, 0x00, 0x01, 0x11, 0x00, 0x14, 0x19, 0x00],
            .dataLink(
                DataLink(dialogToken: 1, kind: .response, status: .accepted, control: 0x14, idlePeriod: 25))
        ),
        (
            "four slots, whatever the delay",
            [0x15, 0x03, 0x00, 0x04, 0xff, 0xff],
            .dataLinkQoS(DataLinkQoS(minimumSlots: 4, maximumLatency: 0xffff))
        ),
        (
            "a data cluster that meets after the window",
            [
                0x13, 0x0f, 0x00, 0x44, 0x47, 0xee, 0x13, 0x45, 0x17, 0x01, 0x01, 0x18, 0x00, 0x04, 0x02,
                0x00,
                0x00, 0x00,
            ],
            .dataCluster(
                DataCluster(
                    identifier: MACAddress(rawValue: 0x4447_ee13_4517), control: 1,
                    schedules: [.init(map: 1, slots: TimeBitmap(control: 0x0018, bits: [2, 0, 0, 0]))]))
        ),
        (
            "cipher suites",
            [0x22, 0x05, 0x00, 0x02, 0x01, 0x03, 0x07, 0x03],
            .cipherSuiteInformation(
                CipherSuiteInformation(
                    capabilities: 2,
                    entries: [.init(suite: .sharedKey128, publish: 3), .init(suite: .pasn128, publish: 3)]))
        ),
        (
            "a key identifier",
            [0x23, 0x14, 0x00, 0x10, 0x00, 0x01, 0x01] + [UInt8](repeating: 0x78, count: 16),
            .securityContextInformation(
                SecurityContextInformation(
                    entries: [.init(publish: 1, identifier: [UInt8](repeating: 0x78, count: 16))]))
        ),
        (
            "an unaligned schedule",
            [
                0x17, 0x11, 0x00, 0x01, 0x02, 0x03, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x05, 0x00,
                0x00, 0x00,
                0x06, 0xaa, 0xbb,
            ],
            .unalignedSchedule(
                UnalignedSchedule(
                    control: 0x0201, start: 3, duration: 4, period: 5, count: 6, octets: [0xaa, 0xbb]))
        ),
        (
            "a public availability",
            [0x27, 0x06, 0x00, 0x01, 0x18, 0x00, 0x02, 0x01, 0x02],
            .publicAvailability(PublicAvailability(sequence: 1, octets: [0x18, 0x00, 0x02, 0x01, 0x02]))
        ),
        (
            "a vendor's own",
            [0xdd, 0x05, 0x00, 0x00, 0x17, 0xf2, 0x01, 0x02],
            .vendorSpecific(VendorSpecificAttribute(oui: 0x0017f2, octets: [1, 2]))
        ),
        (
            "one of a later version",
            [0x2d, 0x02, 0x00, 0x01, 0x02],
            .unknown(AttributeID(rawValue: 0x2d), [1, 2])
        ),
    ]

    @Test(arguments: attributes)
    func `fields and octets are the same thing`(_ name: String, _ octets: [UInt8], _ value: Attribute) throws
    {
        #expect(try attribute(octets) == value)
        #expect(try written(value) == octets)
    }

    @Test(arguments: attributes)
    func `every shorter body is refused, or read as something else`(
        _ name: String, _ octets: [UInt8], _ value: Attribute
    ) throws {
        for count in 3..<octets.count {
            let cut = [octets[0], UInt8(count - 3), 0] + octets[3..<count]
            guard let other = try? attribute(cut) else { continue }
            #expect(other != value)
            #expect(try written(other) == cut)
        }
    }

    @Test func `the accessory's text is what phones show`() throws {
        #expect(Self.service.pairing == Self.pairing)
        #expect(Self.service.port == 3333)
        #expect(Self.service.transport == .udp)
    }

    @Test func `a time bitmap longer than 512 TU is read`() throws {
        let octets: [UInt8] = [
            0x12, 0x12, 0x00, 0x01, 0x01, 0x00,
            0x0d, 0x00, 0x01, 0x10,
            0x28, 0x00, 0x06, 0xfe, 0xff, 0xff, 0xff, 0x01, 0x02,  // period 2048 TU
            0x10, 0x02,
        ]
        guard case .availability(let availability) = try attribute(octets) else {
            Issue.record("no availability")
            return
        }
        #expect(availability.entries.first?.slots?.bits.count == 6)
        #expect(availability.entries.first?.channels == .bands([2]))
    }

    @Test func `other protocols' action frames are refused`() {
        for (octets, error): ([UInt8], WireError) in [
            ([0x04, 0x0a, 0x50, 0x6f, 0x9a, 0x13], .unexpected("public action", value: 0x0a)),
            ([0x04, 0x09, 0x50, 0x6f, 0x9a, 0x1c], .unexpected("protocol", value: 0x1c)),
            ([0x04, 0x09, 0x00, 0x17, 0xf2, 0x13], .unexpected("organisation", value: 0x17f2)),
            ([0x7f, 0x09, 0x50, 0x6f, 0x9a, 0x13], .unexpected("category", value: 0x7f)),
        ] {
            #expect(throws: error) { try parse(octets) }
        }
    }

    private func parse(_ octets: [UInt8]) throws -> ActionFrame {
        try ActionFrame(parsing: FrameReader(octets.span.bytes))
    }
}
