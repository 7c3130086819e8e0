import CShim

/// One device on an SPI bus.
public protocol SPIBus: AnyObject {
    /// Selects the device, writes the octets, most significant bit first, and lets it go.
    func write(_ octets: [UInt8]) throws(BoardFault)
}

/// An SPI device of the system, mode 0.
public final class LinuxSPIBus: SPIBus {
    private let path: String
    private let descriptor: Int32

    public init(_ path: String, hertz: UInt32) throws(BoardFault) {
        let descriptor = shim_spi_open(path, hertz)
        guard descriptor >= 0 else { throw .system("open \(path)", descriptor) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { shim_close(descriptor) }

    public func write(_ octets: [UInt8]) throws(BoardFault) {
        let result = shim_spi_write(descriptor, octets, octets.count)
        guard result == 0 else { throw .system("write to \(path)", result) }
    }
}
