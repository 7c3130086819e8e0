import CShim
import Ports
import Wire

/// The directory in which the stations of one machine meet: a socket a station, named by its address.
final class AirDirectory {
    /// More stations than this do not hear each other.
    static let stationLimit = 64

    private let path: String
    private let descriptor: Int32

    /// Makes the directory where there is none.
    init(_ path: String) throws(RadioError) {
        self.path = path
        descriptor = shim_air_open_directory(path)
        switch -descriptor {
        case ...0: break
        case Self.notOurs:
            throw RadioError(
                .system(-descriptor),
                "\(path): the air's directory must belong to this user and be closed to all others (mode 0700)"
            )
        default: throw RadioError(.system(-descriptor), "\(path): \(systemReason(descriptor))")
        }
    }

    private static let notOurs: Int32 = 13

    deinit { shim_close(descriptor) }

    func socket(named name: String) throws(RadioError) -> AirSocket {
        let socket = shim_air_bind(path, name)
        guard socket >= 0 else {
            throw RadioError(.system(-socket), "\(path)/\(name): \(systemReason(socket))")
        }
        return AirSocket(directory: path, name: name, descriptor: socket)
    }

    /// The names of all stations. Empty where the directory was taken away.
    func stations() -> [String] {
        let width = Int(SHIM_AIR_NAME)
        var count = 0
        let names = [CChar](unsafeUninitializedCapacity: width * Self.stationLimit) { buffer, filled in
            count = Int(max(0, shim_air_list(descriptor, buffer.baseAddress, Int32(Self.stationLimit))))
            filled = count * width
        }
        return (0..<count).map { stationName(names[$0 * width..<($0 + 1) * width]) }
    }
}

/// A station's socket. Its file goes with it.
final class AirSocket {
    enum Sending: Equatable {
        case done
        /// Its process is dead, and left the file.
        case stale
        case failed
    }

    let name: String
    let descriptor: Int32
    private let directory: String
    private let room = UnsafeMutableRawBufferPointer.allocate(
        byteCount: AirDatagram.headCount + AirDatagram.frameLimit, alignment: 8)

    init(directory: String, name: String, descriptor: Int32) {
        self.directory = directory
        self.name = name
        self.descriptor = descriptor
    }

    deinit {
        shim_air_remove(directory, name)
        shim_close(descriptor)
        room.deallocate()
    }

    func send(_ octets: [UInt8], to station: String) -> Sending {
        let outcome = octets.withUnsafeBytes {
            shim_air_send(
                descriptor, directory, station, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
        }
        switch outcome {
        case 0: return .done
        case Int32(shim_error_refused): return .stale
        default: return .failed
        }
    }

    /// The next datagram and its sender's name. Nil when there is none for now; empty where it is too long.
    func receive() -> (octets: [UInt8], sender: String)? {
        var name = [CChar](repeating: 0, count: Int(SHIM_AIR_NAME))
        let count = Int(shim_air_receive(descriptor, room.baseAddress, room.count, &name))
        guard count >= 0 else { return nil }
        let octets = count <= room.count ? [UInt8](UnsafeRawBufferPointer(rebasing: room[..<count])) : []
        return (octets, stationName(name[...]))
    }

    func removeStale(_ station: String) { shim_air_remove(directory, station) }
}

private func stationName(_ characters: ArraySlice<CChar>) -> String {
    var octets: [UInt8] = []
    for character in characters where character != 0 { octets.append(UInt8(bitPattern: character)) }
    return String(decoding: octets, as: UTF8.self)
}

private func systemReason(_ error: Int32) -> String {
    guard let text = shim_reason(error) else { return "error \(error)" }
    return String(cString: text)
}
