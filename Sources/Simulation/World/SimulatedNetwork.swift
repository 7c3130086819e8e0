import BluetoothLE
public import Crypto
public import Ports
public import Wire

/// An ordinary network that a board can be put into.
public final class SimulatedNetwork: WiFiProvisioner {
    public static let name = Array("Home".utf8)
    public static let password = Array("correct horse".utf8)

    /// The board is in the network.
    public private(set) var isJoined = false
    public let canScan = true
    private var event: (time: Instant, event: WiFiProvisionerEvent)?

    public init() {}

    public var deadline: Instant? { event?.time }
    public func addDescriptors(to set: inout DescriptorSet) {}

    public func scan(at now: Instant) {
        event = (
            now + .seconds(2), .found([WiFiNetwork(name: Self.name, signal: -48, isProtected: true)])
        )
    }

    public func join(_ name: [UInt8], password: Key, at now: Instant) {
        let isRight = name == Self.name && password.secret.withOctets { $0.elementsEqual(Self.password) }
        event = (now + .seconds(3), isRight ? .joined : .failed("wrong password"))
    }

    public func nextEvent(at now: Instant) -> WiFiProvisionerEvent? {
        guard let due = event, due.time <= now else { return nil }
        event = nil
        if due.event == .joined { isJoined = true }
        return due.event
    }
}
