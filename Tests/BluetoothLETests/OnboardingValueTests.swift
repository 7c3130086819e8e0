import Testing
import Wire

@testable import BluetoothLE

struct OnboardingValueTests {
    private static func octets(_ write: (inout FrameWriter) -> Void) throws -> [UInt8] {
        var frame = FrameWriter(limit: 512)
        write(&frame)
        return try frame.finish()
    }

    static let information = AccessoryInformation(
        capabilities: [.identify, .bonds], identifier: [0x44, 0x31, 0x70, 0xe3], vendor: "Example Inc",
        model: "M", name: "My Drone", firmware: "1")
    static let aware = AwareState(
        radio: .up(channel: 6, address: MACAddress(rawValue: 0x02aa_bbcc_ddee)), pairingSeconds: 300,
        services: [
            AwareState.Service(identifier: [0x34, 0x25, 0xf1, 0x7b, 0xda, 0x31], name: "_drone-service._udp")
        ])

    @Test func `the accessory's information, octet by octet`() throws {
        let octets = try Self.octets { Self.information.write(into: &$0) }
        #expect(
            String(hex: octets)
                == "01" + "05" + "443170e3" + "0b" + String(hex: Array("Example Inc".utf8)) + "014d" + "08"
                + String(hex: Array("My Drone".utf8)) + "0131")
        #expect(try AccessoryInformation(parsing: octets) == Self.information)
        #expect(try AccessoryInformation(parsing: octets + [1]) == Self.information, "a later version's")
    }

    @Test func `the state of Wi-Fi Aware, octet by octet`() throws {
        let octets = try Self.octets { Self.aware.write(into: &$0) }
        #expect(
            String(hex: octets)
                == "01" + "06" + "02aabbccddee" + "2c010000" + "00" + "01" + "3425f17bda31" + "13"
                + String(hex: Array("_drone-service._udp".utf8)))
        #expect(try AwareState(parsing: octets) == Self.aware)
        let down = AwareState(radio: .down("switched off"), pairingSeconds: 0, services: [])
        #expect(try AwareState(parsing: Self.octets { down.write(into: &$0) }) == down)
    }

    @Test func `progress and result, octet by octet`() throws {
        let progress: [(OnboardingProgress, String)] = [
            (.idle, "000000000000"), (.open(seconds: 120), "017800000000"), (.pinShown, "020000000000"),
            (.paired, "030000000000"), (.failed("no"), "0400000000026e6f"),
            (.locked(seconds: 2), "050200000000"),
        ]
        for (value, hex) in progress {
            let octets = try Self.octets { value.write(into: &$0) }
            #expect(String(hex: octets) == hex)
            #expect(try OnboardingProgress(parsing: octets) == value)
        }
        for (value, hex) in [(OnboardingResult.none, "0000000000"), (.paired([1, 2, 3, 4]), "0101020304")] {
            let octets = try Self.octets { value.write(into: &$0) }
            #expect(String(hex: octets) == hex)
            #expect(try OnboardingResult(parsing: octets) == value)
        }
        #expect(throws: WireError.self) { try OnboardingProgress(parsing: [6, 0, 0, 0, 0, 0]) }
    }

    @Test func `commands are one octet, and known`() {
        #expect(try! OnboardingCommand(parsing: [2]) == .openPairing)
        #expect(throws: ATTError.unknownCommand) { try OnboardingCommand(parsing: [0]) }
        #expect(throws: ATTError.unknownCommand) { try OnboardingCommand(parsing: [5]) }
        #expect(throws: ATTError.invalidAttributeValueLength) { try OnboardingCommand(parsing: []) }
        #expect(throws: ATTError.invalidAttributeValueLength) { try OnboardingCommand(parsing: [1, 1]) }
    }

    @Test func `what is cut off is refused`() throws {
        let information = try Self.octets { Self.information.write(into: &$0) }
        for count in 0..<information.count {
            #expect(throws: WireError.self) {
                try AccessoryInformation(parsing: Array(information[..<count]))
            }
        }
        let aware = try Self.octets { Self.aware.write(into: &$0) }
        for count in 0..<aware.count {
            #expect(throws: WireError.self) { try AwareState(parsing: Array(aware[..<count])) }
        }
    }
}
