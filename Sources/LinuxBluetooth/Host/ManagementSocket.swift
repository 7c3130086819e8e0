import CShim
import Crypto
import Wire

/// The kernel's management channel of all Bluetooth controllers. It never blocks.
final class ManagementSocket {
    /// No message of the kernel's is longer: an advertisement of 1650 octets and little else.
    private static let longest = 2048

    let descriptor: Int32
    private var room = [UInt8](repeating: 0, count: ManagementSocket.longest)

    /// - Throws: where the kernel has no Bluetooth, or this program may not use it.
    init() throws(BluetoothObstacle) {
        descriptor = shim_bluetooth_management()
        switch descriptor {
        case 0...: break
        case Int32(shim_error_family), Int32(shim_error_protocol):
            throw BluetoothObstacle("the kernel has no Bluetooth", isLasting: true)
        default: throw BluetoothObstacle("the kernel's Bluetooth cannot be used: " + reason(descriptor))
        }
    }

    deinit { shim_close(descriptor) }

    /// Whether the kernel took it. Where it did, it will answer.
    func send(_ command: ManagementCommand) -> Bool {
        command.octets.withUnsafeBytes { shim_write(descriptor, $0.baseAddress, $0.count) }
            == command.octets.count
    }

    enum Reception {
        case message(ManagementMessage)
        case malformed(WireError)
        /// None for now.
        case nothing
        case failed(BluetoothObstacle)
    }

    func receive() -> Reception {
        let count = room.withUnsafeMutableBytes { shim_read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            if count == shim_error_again { return .nothing }
            return .failed(
                BluetoothObstacle("the kernel's Bluetooth is gone: " + reason(Int32(clamping: count))))
        }
        // Keys come this way.
        defer { room.erase() }
        var octets = [UInt8](room[..<count])
        defer { octets.erase() }
        do throws(WireError) {
            return .message(try ManagementMessage(parsing: octets))
        } catch {
            return .malformed(error)
        }
    }
}

/// Why there is no Bluetooth here, in words for the operator.
public struct BluetoothObstacle: Error, Equatable, Sendable {
    public var explanation: String
    /// Whether it makes no sense to try again.
    var isLasting: Bool

    init(_ explanation: String, isLasting: Bool = false) {
        self.explanation = explanation
        self.isLasting = isLasting
    }
}

/// The system's words for an error number, whichever its sign.
func reason(_ error: Int32) -> String {
    guard let text = shim_reason(error) else { return "error \(error)" }
    return String(cString: text)
}
