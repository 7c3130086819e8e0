public import BluetoothLE
public import Ports
public import Wire

/// Listens for what others advertise over Bluetooth LE, on the kernel's management channel. Needs CAP_NET_ADMIN.
public final class BluetoothSearch: Turnable {
    /// A device, by what it last said.
    public struct Sighting: Equatable, Sendable {
        public var address: BluetoothAddress
        /// In dBm.
        public var signal: Int8
        /// Its advertisement and its scan response.
        public var data: AdvertisingData
    }

    private let socket: ManagementSocket
    private var search = DeviceSearch()

    /// - Throws: where the kernel has no Bluetooth.
    public init() throws(BluetoothObstacle) {
        socket = try ManagementSocket()
        send(search.start())
    }

    /// Why nothing can be found; nil while all is well.
    public var obstacle: String? {
        if case .failed(let reason) = search.state { reason } else { nil }
    }

    /// Everyone whose octets made sense.
    public var sightings: [Sighting] {
        var sightings: [Sighting] = []
        for device in search.found {
            do throws(WireError) {
                sightings.append(
                    Sighting(
                        address: device.address, signal: device.signal,
                        data: try AdvertisingData(parsing: device.data)))
            } catch {
                continue
            }
        }
        return sightings
    }

    public func stop() { send(search.stop()) }

    // MARK: The loop

    public var deadline: Instant? { nil }

    public func addDescriptors(to set: inout DescriptorSet) {
        if obstacle == nil { set.add(socket.descriptor) }
    }

    public func turn(at now: Instant) {
        while obstacle == nil {
            switch socket.receive() {
            case .message(let message): send(search.receive(message))
            case .malformed: continue
            case .nothing: return
            case .failed(let obstacle): search.fail(obstacle.explanation)
            }
        }
    }

    private func send(_ command: ManagementCommand?) {
        guard let command, !socket.send(command) else { return }
        search.fail("the kernel's Bluetooth refuses to \(command.name)")
    }
}
