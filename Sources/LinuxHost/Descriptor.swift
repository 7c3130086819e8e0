import CShim

/// A file descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes over an open descriptor.
    init(_ number: Int32) {
        self.number = number
    }

    deinit { shim_close(number) }

    /// Fills the room as far as there is something to read. Returns how many octets there were, or a negative error
    /// number.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < room.count {
            let free = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = shim_read(number, free.baseAddress, free.count)
            if count < 0 { return count }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}

/// Writes all octets to an open descriptor. Returns 0 or a negative error number.
func writeAll(_ octets: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    var written = 0
    while written < octets.count {
        let rest = UnsafeRawBufferPointer(rebasing: octets[written...])
        let count = shim_write(descriptor, rest.baseAddress, rest.count)
        if count < 0 { return count }
        written += count
    }
    return 0
}
