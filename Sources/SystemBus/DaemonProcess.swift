import CShim

/// Whether a daemon of this name, of at most 15 characters, runs on this machine, as root or as our own user.
///
/// The processes are looked through, because asking the bus would need its library on every board. Where /proc hides
/// other users' processes (`ProtectProc=` of systemd) there seems to be none.
public func daemonRuns(_ daemon: String) -> Bool {
    guard let listing = shim_list_path("/proc") else { return false }
    defer { shim_end_list(listing) }
    while let name = shim_next_name(listing) {
        guard name.pointee >= code("1"), name.pointee <= code("9") else { continue }
        if process(String(cString: name), is: daemon) { return true }
    }
    return false
}

private func process(_ number: String, is daemon: String) -> Bool {
    let file = shim_open_file(shim_here(), "/proc/" + number + "/comm")
    guard file >= 0 else { return false }
    defer { shim_close(file) }
    // Anybody may give a program that name; a process owns the files that tell of it.
    guard shim_writable_by_others(file) == 0 else { return false }
    var name = [UInt8](repeating: 0, count: 16)
    let count = name.withUnsafeMutableBytes { shim_read(file, $0.baseAddress, $0.count) }
    return count > 0 && name[..<count].elementsEqual((daemon + "\n").utf8)
}
