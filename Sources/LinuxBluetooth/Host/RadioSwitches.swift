import CShim
import Ports

/// Tells of changes of the machine's radio switches, while it is wanted.
final class RadioSwitches {
    private var descriptor: Int32?

    deinit { close() }

    /// Whether changes will be told of from now on.
    func watch() -> Bool {
        if descriptor != nil { return true }
        let opened = shim_switches_open()
        guard opened >= 0 else { return false }
        descriptor = opened
        _ = haveChanged()
        return true
    }

    func close() {
        if let descriptor { shim_close(descriptor) }
        descriptor = nil
    }

    func addDescriptors(to set: inout DescriptorSet) {
        if let descriptor { set.add(descriptor) }
    }

    func haveChanged() -> Bool {
        guard let descriptor else { return false }
        var room: (UInt64, UInt64) = (0, 0)
        var have = false
        while withUnsafeMutableBytes(of: &room, { shim_read(descriptor, $0.baseAddress, $0.count) }) > 0 {
            have = true
        }
        return have
    }
}
