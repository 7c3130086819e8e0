/// Opens what is wired to the board. Whoever wants lines or a bus keeps this, to ask again after a fault.
public protocol Wiring: AnyObject {
    /// Takes the lines for this program alone, until what it returns is released.
    func lines(_ request: LineRequest) throws(BoardFault) -> any Lines
    /// - Parameter path: as in `/dev/i2c-1`.
    func i2cBus(_ path: String, address: UInt8) throws(BoardFault) -> any I2CBus
    /// - Parameter path: as in `/dev/spidev0.0`.
    func spiBus(_ path: String, hertz: UInt32) throws(BoardFault) -> any SPIBus
}

/// The board that this program runs on.
public final class LinuxWiring: Wiring {
    public init() {}

    public func lines(_ request: LineRequest) throws(BoardFault) -> any Lines { try GPIOLines(request) }

    public func i2cBus(_ path: String, address: UInt8) throws(BoardFault) -> any I2CBus {
        try LinuxI2CBus(path, address: address)
    }

    public func spiBus(_ path: String, hertz: UInt32) throws(BoardFault) -> any SPIBus {
        try LinuxSPIBus(path, hertz: hertz)
    }
}
