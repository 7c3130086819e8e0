/// An access point's network, as seen by the board.
public struct WiFiNetwork: Equatable, Sendable {
    /// At most 32 octets of whatever.
    public var name: [UInt8]
    /// In dBm.
    public var signal: Int8
    public var isProtected: Bool

    public init(name: [UInt8], signal: Int8, isProtected: Bool) {
        self.name = name
        self.signal = signal
        self.isProtected = isProtected
    }
}
