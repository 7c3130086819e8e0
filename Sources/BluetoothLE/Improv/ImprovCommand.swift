public import Wire

/// What a client asks of the Improv service.
///
/// - Spec: Improv via BLE 2.4, RPC Command.
public enum ImprovCommand: Equatable, Sendable {
    /// Join the network with this name by this password.
    case connect(name: [UInt8], password: [UInt8])
    case identify
    case deviceInformation
    case scan

    /// Why a command is not done, as the error state says it.
    public enum Refusal: UInt8, Error, Sendable {
        case invalidPacket = 1
        case unknownCommand = 2
        case unableToConnect = 3
        case notAuthorised = 4
    }

    /// As results name it.
    public var number: UInt8 {
        switch self {
        case .connect: 1
        case .identify: 2
        case .deviceInformation: 3
        case .scan: 4
        }
    }

    /// An access point's name and a passphrase, or its key in hexadecimal digits, have so many octets at most.
    public static let mostName = 32
    public static let mostPassword = 64
}

// MARK: Octets: command (1) | length (1) | data | low octet of the sum of all before (1)

extension ImprovCommand {
    public init(parsing packet: [UInt8]) throws(Refusal) {
        let command: UInt8
        let data: [UInt8]
        do throws(WireError) {
            var reader = FrameReader(packet.span.bytes)
            command = try reader.octet("command")
            data = try reader.octets(Int(try reader.octet("length")), "data")
            let sum = try reader.octet("checksum")
            try reader.end("packet")
            guard sum == ImprovPacket.sum(packet.dropLast()) else {
                throw .unexpected("checksum", value: UInt64(sum))
            }
        } catch {
            throw .invalidPacket
        }
        switch (command, data.isEmpty) {
        case (1, _): self = try Self.connect(data)
        case (2, true): self = .identify
        case (3, true): self = .deviceInformation
        case (4, true): self = .scan
        case (2...4, false): throw .invalidPacket
        default: throw .unknownCommand
        }
    }

    private static func connect(_ data: [UInt8]) throws(Refusal) -> ImprovCommand {
        do throws(WireError) {
            var reader = FrameReader(data.span.bytes)
            let name = try reader.octets(Int(try reader.octet("name's length")), "network's name")
            let password = try reader.octets(Int(try reader.octet("password's length")), "password")
            try reader.end("Wi-Fi settings")
            guard 1...mostName ~= name.count, password.count <= mostPassword else {
                throw .unexpected("Wi-Fi settings", value: UInt64(data.count))
            }
            return .connect(name: name, password: password)
        } catch {
            throw .invalidPacket
        }
    }

    public func write(into frame: inout FrameWriter) {
        switch self {
        case .connect(let name, let password):
            var data = FrameWriter(limit: 255)
            data.measured8("network's name") { $0.octets(name) }
            data.measured8("password") { $0.octets(password) }
            do throws(WireError) {
                frame.octets(ImprovPacket.packet(number, try data.finish()))
            } catch {
                frame.fail(error)
            }
        case .identify, .deviceInformation, .scan: frame.octets(ImprovPacket.packet(number, []))
        }
    }
}

/// Commands and results alike.
public enum ImprovPacket {
    /// The longest: 255 octets of data.
    static let mostOctets = 258

    static func sum(_ octets: ArraySlice<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for octet in octets { sum &+= octet }
        return sum
    }

    static func packet(_ command: UInt8, _ data: [UInt8]) -> [UInt8] {
        var packet = [command, UInt8(clamping: data.count)] + data.prefix(255)
        packet.append(sum(packet[...]))
        return packet
    }

    /// A result: texts, each behind its length. Those that don't fit any more are left out, in whole groups.
    public static func result(of command: UInt8, _ texts: [[UInt8]], groups: Int = 1) -> [UInt8] {
        var data: [UInt8] = []
        var group: [UInt8] = []
        for (index, text) in texts.enumerated() {
            group += [UInt8(clamping: text.count)] + text.prefix(255)
            guard (index + 1) % max(1, groups) == 0 else { continue }
            guard data.count + group.count <= 255 else { break }
            data += group
            group = []
        }
        return packet(command, data)
    }
}
