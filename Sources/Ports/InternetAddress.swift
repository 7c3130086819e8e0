/// An address that sockets of this machine can bind or send to.
public enum InternetAddress: Hashable, Sendable {
    /// 127.0.0.1 is 0x7f000001.
    case v4(UInt32)
    /// fe80:: and the interface identifier, on the interface with index `scope`.
    case linkLocal(identifier: UInt64, scope: UInt32)
}

/// A UDP or TCP port at an address.
public struct SocketAddress: Hashable, Sendable {
    public var address: InternetAddress
    public var port: UInt16

    public init(address: InternetAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `127.0.0.1:14550`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]) else { return nil }
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4 else { return nil }
        var address: UInt32 = 0
        for number in numbers {
            guard let octet = UInt8(number) else { return nil }
            address = address << 8 | UInt32(octet)
        }
        self.init(address: .v4(address), port: port)
    }
}

extension InternetAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .v4(let address):
            return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
        case .linkLocal(let identifier, let scope):
            var text = "fe80:"
            for shift: UInt64 in [48, 32, 16, 0] {
                text += ":" + String(identifier >> shift & 0xffff, radix: 16)
            }
            return text + "%\(scope)"
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    public var description: String {
        switch address {
        case .v4: "\(address):\(port)"
        case .linkLocal: "[\(address)]:\(port)"
        }
    }
}
