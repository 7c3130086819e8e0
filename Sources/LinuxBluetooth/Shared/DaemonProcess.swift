import CShim

extension SharedBluetooth {
    /// Whether bluetoothd runs on this machine, as root or as our own user: what `auto` chooses by.
    ///
    /// The processes are looked through, because asking the bus would need its library on every board. It is for the
    /// start of a program; from then on ``BluetoothEvent/unavailable(_:)`` tells. Where /proc hides other users'
    /// processes (`ProtectProc=` of systemd) there seems to be none.
    public static func isDaemonRunning() -> Bool {
        let directory = shim_open_directory("/proc")
        guard directory >= 0 else { return false }
        defer { shim_close(directory) }
        guard let listing = shim_list(directory) else { return false }
        defer { shim_end_list(listing) }
        while let name = shim_next_name(listing) {
            guard name.pointee >= code("1"), name.pointee <= code("9") else { continue }
            if isDaemon(String(cString: name)) { return true }
        }
        return false
    }

    private static func isDaemon(_ process: String) -> Bool {
        let file = shim_open_file(shim_here(), "/proc/" + process + "/comm")
        guard file >= 0 else { return false }
        defer { shim_close(file) }
        // Anybody may call a program bluetoothd; a process owns the files that tell of it.
        guard shim_writable_by_others(file) == 0 else { return false }
        var name = [UInt8](repeating: 0, count: 16)
        let count = name.withUnsafeMutableBytes { shim_read(file, $0.baseAddress, $0.count) }
        return count > 0 && name[..<count].elementsEqual("bluetoothd\n".utf8)
    }

    private static func code(_ digit: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: digit.value) }
}
