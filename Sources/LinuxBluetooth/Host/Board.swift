import CShim
import Crypto
import Wire

/// What files say of the board, as far as Bluetooth wants to know.
enum Board {
    /// Where nothing tells this board from another.
    private static let noNumber = "awared"
    private static let longest = 128

    /// An address that stays the board's own, whatever its controller has: some have all the same.
    ///
    /// - Spec: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.1: a static device address, whose two upper bits are 1.
    static func staticAddress() -> MACAddress {
        let number =
            text("/proc/device-tree/serial-number") ?? text("/etc/machine-id") ?? Array(noNumber.utf8)
        // The number itself is nobody's business.
        let digest = HashFunction.sha256.digest(Array("awared Bluetooth address ".utf8) + number)
        return MACAddress(
            rawValue: digest.prefix(6).reduce(0) { $0 << 8 | UInt64($1) } | 0xc000_0000_0000)
    }

    /// Why radio switches keep a controller off. Nil where they don't.
    static func block(of controller: UInt16) -> String? {
        let switches = "/sys/class/rfkill"
        for entry in names(in: switches) {
            let place = switches + "/" + entry
            guard text(place + "/type") == Array("bluetooth".utf8), let name = text(place + "/name") else {
                continue
            }
            // Beside a switch of each controller there can be one of the machine.
            let isOther = name.starts(with: "hci".utf8) && name != Array("hci\(controller)".utf8)
            if isOther { continue }
            switch shim_radio_switch(place) {
            case Int32(shim_switch_off_by_key):
                return "Bluetooth is switched off by a key of this machine (rfkill)"
            case Int32(shim_switch_off): return "Bluetooth is blocked (rfkill unblock bluetooth)"
            default: continue
            }
        }
        return nil
    }

    private static func names(in path: String) -> [String] {
        guard let listing = shim_list_path(path) else { return [] }
        defer { shim_end_list(listing) }
        var names: [String] = []
        while let name = shim_next_name(listing) { names.append(String(cString: name)) }
        return names
    }

    /// A short file without the newline or zero at its end. Nil where there is none, or nothing in it.
    private static func text(_ path: String) -> [UInt8]? {
        let file = shim_open_file(shim_here(), path)
        guard file >= 0 else { return nil }
        defer { shim_close(file) }
        var octets = [UInt8](repeating: 0, count: longest)
        let count = octets.withUnsafeMutableBytes { shim_read(file, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        octets.removeLast(octets.count - count)
        while let last = octets.last, last == 0 || last == 0x0a { octets.removeLast() }
        return octets.isEmpty ? nil : octets
    }
}
