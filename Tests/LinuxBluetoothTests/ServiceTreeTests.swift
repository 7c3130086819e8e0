import BluetoothLE
import Ports
import SystemBus
import Testing

@testable import LinuxBluetooth

/// What bluetoothd is told when it reads the objects that are registered with it.
struct ServiceTreeTests {
    static let information = GATTCharacteristic(.init(1), .assigned(0x2a24), .read)
    static let state = GATTCharacteristic(.init(2), .custom(0x1111_2222_3333_4444, 2), [.read, .notify])
    static let control = GATTCharacteristic(
        .init(3), .custom(0x1111_2222_3333_4444, 3), [.write, .writeWithoutResponse])
    static let secret = GATTCharacteristic(
        .init(4), .custom(0x1111_2222_3333_4444, 4), [.read, .write, .notify], access: .authenticated)
    static let services = [
        GATTService(.assigned(0x180a), [information]),
        GATTService(.custom(0x1111_2222_3333_4444, 1), [state, control, secret]),
    ]

    @Test func `a service and its characteristics are objects below the root`() throws {
        let tree = ServiceTree(Self.services)
        let listing = ExportedObject.listing(tree.objects, at: "/awared/services")
        #expect(listing.signature == "a{oa{sa{sv}}}")
        let objects = try #require(listing.elements)
        #expect(objects.count == 6)
        let service = try #require(listing["/awared/services/service0"]?["org.bluez.GattService1"])
        #expect(service["UUID"] == .string("180a"))
        #expect(service["Primary"] == .boolean(true))
        let state = try #require(
            listing["/awared/services/service1/characteristic0"]?["org.bluez.GattCharacteristic1"])
        #expect(state["UUID"] == .string("11112222-3333-4444-0000-000000000002"))
        #expect(state["Service"] == .path("/awared/services/service1"))
        #expect(state["Flags"] == .array(of: "s", [.string("read"), .string("notify")]))
    }

    @Test func `what a link has to be like is in the flags`() {
        let flags = ServiceTree.flags(Self.secret).map { $0.text }
        #expect(
            flags == [
                "secure-read", "secure-write", "notify",
                "secure-notify",
            ])
        let command = GATTCharacteristic(
            .init(5), .assigned(1), [.writeWithoutResponse, .indicate], access: .encrypted)
        #expect(
            ServiceTree.flags(command).map { $0.text } == [
                "write-without-response", "encrypt-write", "indicate", "encrypt-indicate",
            ])
    }

    @Test func `a listing stops at its path`() {
        let tree = ServiceTree(Self.services)
        #expect(ExportedObject.listing(tree.objects, at: "/awared/services/service0").elements?.count == 2)
        #expect(ExportedObject.listing(tree.objects, at: "/awared/service").elements?.isEmpty == true)
    }
}

struct AdvertisementPropertiesTests {
    private func value(_ advertisement: BluetoothAdvertisement) throws -> BusValue {
        .dictionary(try AdvertisementProperties(advertisement).dictionary)
    }

    @Test func `elements become properties`() throws {
        let advertisement = BluetoothAdvertisement(
            // 128-bit service; service data of 0x4677; company 0x05f1; appearance
            data: [17, 7] + [UInt8](1...16) + [
                5, 0x16, 0x77, 0x46, 1, 2, 4, 0xff, 0xf1, 0x05, 9, 2, 0x19, 2,
            ],
            // complete name; power; end, behind which nothing counts
            scanResponse: [4, 9, 0x61, 0x62, 0x63, 2, 0x0a, 0, 0, 7], interval: 100)
        let properties = try value(advertisement)
        #expect(
            properties["ServiceUUIDs"]
                == .array(of: "s", [.string("100f0e0d-0c0b-0a09-0807-060504030201")]))
        #expect(properties["ServiceData"]?["4677"] == .octets([1, 2]))
        #expect(
            properties["ManufacturerData"]
                == .array(of: "{qv}", [.entry(.uint16(0x05f1), .variant(.octets([9])))]))
        #expect(properties["Data"] == .array(of: "{yv}", [.entry(.octet(0x19), .variant(.octets([2])))]))
        #expect(properties["LocalName"] == .string("abc"))
        #expect(properties["Includes"] == .array(of: "s", [.string("tx-power")]))
        #expect(properties["MinInterval"] == .uint32(100))
    }

    @Test func `what is not advertising data is refused`() {
        for data: [UInt8] in [[3, 3, 1], [1], [2, 3, 1], [17, 7, 1], [2, 0x16, 1]] {
            #expect(throws: (any Error).self) {
                _ = try AdvertisementProperties(
                    BluetoothAdvertisement(data: data, scanResponse: [], interval: 100))
            }
        }
    }
}
