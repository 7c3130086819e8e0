import CShim

/// One device on an I2C bus.
public protocol I2CBus: AnyObject {
    /// Writes `command` and up to 32 octets behind it in one transaction. On the wire they are all alike; the system
    /// wants the first apart.
    func write(_ command: UInt8, _ octets: [UInt8]) throws(BoardFault)
}

/// An I2C device of the system, reached by SMBus calls alone: every adapter has them.
public final class LinuxI2CBus: I2CBus {
    private let path: String
    private let address: UInt8
    private let descriptor: Int32

    public init(_ path: String, address: UInt8) throws(BoardFault) {
        let descriptor = shim_i2c_open(path, address)
        guard descriptor >= 0 else { throw .system("open \(path)", descriptor) }
        self.path = path
        self.address = address
        self.descriptor = descriptor
    }

    deinit { shim_close(descriptor) }

    public func write(_ command: UInt8, _ octets: [UInt8]) throws(BoardFault) {
        let result = shim_i2c_write(descriptor, command, octets, octets.count)
        switch result {
        case 0: return
        case Int32(shim_error_remote_io), Int32(shim_error_no_such_address):
            throw .silent(bus: path, address: address)
        case Int32(shim_error_timed_out), Int32(shim_error_again): throw .stuck(bus: path)
        default: throw .system("write to 0x\(String(address, radix: 16)) on \(path)", result)
        }
    }
}
