import Testing

@testable import LinuxBluetooth

/// What `awared doctor` says of a controller.
struct BluetoothSurveyTests {
    private func finding(
        lack: String? = nil, hasDaemon: Bool, mayAdminister: Bool, block: String? = nil
    ) -> BluetoothFinding {
        BluetoothFinding(
            "hci0", lack: lack,
            in: Adapter.Surroundings(hasDaemon: hasDaemon, block: block, mayAdminister: mayAdminister))
    }

    @Test func `without bluetoothd it takes CAP_NET_ADMIN`() {
        #expect(finding(hasDaemon: false, mayAdminister: true).obstacle == nil)
        #expect(finding(hasDaemon: false, mayAdminister: false).obstacle?.contains("CAP_NET_ADMIN") == true)
    }

    @Test func `over bluetoothd it takes none, and who would do without that is told`() {
        let found = finding(hasDaemon: true, mayAdminister: false)
        #expect(found.obstacle == nil)
        #expect(found.remark.contains("bluetoothd, which runs"))
        #expect(found.remark.contains("CAP_NET_ADMIN"))
        let root = finding(hasDaemon: true, mayAdminister: true)
        #expect(root.obstacle == nil && !root.remark.contains("CAP_NET_ADMIN"))
    }

    @Test(arguments: [false, true])
    func `what the controller lacks is said first, then what switches it off`(hasDaemon: Bool) {
        for mayAdminister in [false, true] {
            let both = finding(
                lack: "it has no Bluetooth LE", hasDaemon: hasDaemon, mayAdminister: mayAdminister,
                block: "blocked")
            #expect(both.obstacle == "it has no Bluetooth LE")
            let blocked = finding(hasDaemon: hasDaemon, mayAdminister: mayAdminister, block: "blocked")
            #expect(blocked.obstacle == "blocked")
        }
    }
}
