import Ports
import Testing
import Wire

@testable import LinuxBluetooth

struct DeviceSearchTests {
    private static func information(_ current: ControllerSettings, supported: UInt8 = 2) -> [UInt8] {
        [
            0, 0, 0, 0, 0, 0, 9, 0, 0, 1, supported, 0, 0, UInt8(truncatingIfNeeded: current.rawValue),
            UInt8(truncatingIfNeeded: current.rawValue >> 8), 0, 0,
        ]
    }

    private static func message(_ event: ManagementMessage.Event, index: UInt16 = 0) -> ManagementMessage {
        ManagementMessage(index: index, event: event)
    }

    private static func listed(_ search: inout DeviceSearch, _ octets: [UInt8]) -> ManagementCommand? {
        search.receive(message(.answer(.readIndexList, .success, octets), index: ManagementCommand.noIndex))
    }

    /// One that searches.
    private static func searching() -> DeviceSearch {
        var search = DeviceSearch()
        #expect(search.start() == .readIndexList())
        #expect(listed(&search, [1, 0, 0, 0]) == .readInformation(0))
        let read = message(.answer(.readInformation, .success, information([.powered, .lowEnergy])))
        #expect(search.receive(read) == .startDiscovery(0))
        #expect(search.receive(message(.answer(.startDiscovery, .success, [6]))) == nil)
        return search
    }

    @Test func `devices are kept as they were heard last`() {
        var search = Self.searching()
        let one = DeviceFound(address: ManagementTests.phone, signal: -40, data: [1])
        let again = DeviceFound(address: ManagementTests.phone, signal: -50, data: [2])
        _ = search.receive(Self.message(.found(one), index: 1))
        #expect(search.found.isEmpty)
        _ = search.receive(Self.message(.found(one)))
        _ = search.receive(Self.message(.found(again)))
        #expect(search.found == [again])
        for number in 0..<1000 {
            let address = BluetoothAddress(MACAddress(rawValue: UInt64(number)), isRandom: true)
            _ = search.receive(Self.message(.found(DeviceFound(address: address, signal: 0, data: []))))
        }
        #expect(search.found.count == 256)
        #expect(search.stop() == .stopDiscovery(0))
        #expect(search.stop() == nil)
    }

    @Test func `a device keeps its name when its scan response is not heard again`() {
        var search = Self.searching()
        var device = DeviceFound(address: ManagementTests.phone, signal: -40, data: [2, 1, 6, 2, 9, 0x61])
        _ = search.receive(Self.message(.found(device)))
        _ = search.receive(
            Self.message(.found(DeviceFound(address: device.address, signal: -50, data: [2, 1, 6]))))
        device.signal = -50
        #expect(search.found == [device])
    }

    @Test func `a search that the kernel ends is begun again`() {
        var search = Self.searching()
        #expect(search.receive(Self.message(.discovering(false))) == .startDiscovery(0))
    }

    @Test func `it says why it cannot`() {
        var none = DeviceSearch()
        #expect(Self.listed(&none, [0, 0]) == nil)
        #expect(none.state == .failed("there is no Bluetooth controller"))

        var off = DeviceSearch()
        _ = Self.listed(&off, [1, 0, 0, 0])
        _ = off.receive(Self.message(.answer(.readInformation, .success, Self.information([.lowEnergy]))))
        #expect(off.state == .failed("the Bluetooth controller is switched off (bluetoothctl power on)"))

        var denied = Self.searching()
        _ = denied.receive(Self.message(.discovering(false)))
        _ = denied.receive(Self.message(.answer(.startDiscovery, .permissionDenied, [])))
        #expect(
            denied.state == .failed("this program may not search over Bluetooth: it lacks CAP_NET_ADMIN"))

        var gone = Self.searching()
        _ = gone.receive(Self.message(.controllerRemoved))
        #expect(gone.state == .failed("the Bluetooth controller is gone"))

        var strange = DeviceSearch()
        _ = Self.listed(&strange, [1])
        guard case .failed = strange.state else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `one without Bluetooth LE is passed over`() {
        var search = DeviceSearch()
        _ = Self.listed(&search, [2, 0, 0, 0, 1, 0])
        let classic = Self.message(.answer(.readInformation, .success, Self.information([], supported: 0)))
        #expect(search.receive(classic) == .readInformation(1))
    }
}
