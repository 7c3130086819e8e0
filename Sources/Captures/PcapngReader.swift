import Wire

/// The newer format: blocks, each with its type and length; a section header begins anew with other interfaces.
///
///     type (4) | length of all (4) | body, a multiple of 4 | length of all (4)
struct PcapngReader {
    /// Packets of interfaces beyond these are refused: a file must not make us keep what it likes.
    private static let interfaceLimit = 256

    private struct Interface {
        var link: UInt32
        var clock = CaptureClock()
    }

    private struct Block {
        var type: UInt32
        var body: [UInt8]
    }

    private var order = ByteOrder(isBigEndian: false)
    private var interfaces: [Interface] = []

    /// Goes on behind the first four octets, which named the format.
    init(afterMagicOf source: inout OctetSource) throws(CaptureError.Reason) {
        try beginSection(from: &source)
    }

    mutating func next(from source: inout OctetSource) throws(CaptureError.Reason) -> CaptureRecord? {
        while let block = try nextBlock(from: &source) {
            let packet: Packet?
            do throws(WireError) {
                packet = try take(block)
            } catch {
                throw .malformed(error)
            }
            if let packet { return try record(packet) }
        }
        return nil
    }

    // MARK: Blocks

    private mutating func beginSection(from source: inout OctetSource) throws(CaptureError.Reason) {
        let head = try source.read(8)
        guard head.count == 8 else { throw .endsInside("section header") }
        switch Array(head[4...]) {
        case [0x4d, 0x3c, 0x2b, 0x1a]: order = ByteOrder(isBigEndian: false)
        case [0x1a, 0x2b, 0x3c, 0x4d]: order = ByteOrder(isBigEndian: true)
        default: throw .unknownFormat
        }
        interfaces = []
        let length = number(head, at: 0)
        guard length >= 28, length % 4 == 0 else { throw .badLength("section header", length) }
        guard try source.skip(Int(length) - 12) else { throw .endsInside("section header") }
    }

    /// The next block that matters; others are passed over, however long.
    private mutating func nextBlock(from source: inout OctetSource) throws(CaptureError.Reason) -> Block? {
        while true {
            let kind = try source.read(4)
            guard !kind.isEmpty else { return nil }
            guard kind.count == 4 else { throw .endsInside("block header") }
            if kind == [0x0a, 0x0d, 0x0d, 0x0a] {
                try beginSection(from: &source)
                continue
            }
            let size = try source.read(4)
            guard size.count == 4 else { throw .endsInside("block header") }
            let type = number(kind, at: 0)
            let length = number(size, at: 0)
            guard length >= 12, length % 4 == 0 else { throw .badLength("block", length) }
            if try isWanted(type, length: length) {
                return Block(type: type, body: try body(length, from: &source))
            }
            guard try source.skip(Int(length) - 8) else { throw .endsInside("block") }
        }
    }

    private func isWanted(_ type: UInt32, length: UInt32) throws(CaptureError.Reason) -> Bool {
        switch type {
        case PcapngBlock.interfaceDescription, PcapngBlock.packet, PcapngBlock.simplePacket,
            PcapngBlock.enhancedPacket:
            guard length <= CaptureReader.packetLimit + 1024 else { throw .badLength("block", length) }
            return true
        default: return false
        }
    }

    private func body(_ length: UInt32, from source: inout OctetSource) throws(CaptureError.Reason) -> [UInt8]
    {
        let count = Int(length) - 8
        let rest = try source.read(count)
        guard rest.count == count else { throw .endsInside("block") }
        guard number(rest, at: count - 4) == length else {
            throw .badLength("block's end", number(rest, at: count - 4))
        }
        return Array(rest.dropLast(4))
    }

    /// Four octets that were checked to be there.
    private func number(_ octets: [UInt8], at start: Int) -> UInt32 {
        let value = octets[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        return order.isBigEndian ? value : value.byteSwapped
    }

    // MARK: What is in them

    private struct Packet {
        var interface: UInt32
        var ticks: UInt64
        var octets: [UInt8]
        var isCut: Bool
    }

    private mutating func take(_ block: Block) throws(WireError) -> Packet? {
        var reader = FrameReader(block.body.span.bytes)
        switch block.type {
        case PcapngBlock.interfaceDescription:
            guard interfaces.count < Self.interfaceLimit else { return nil }
            interfaces.append(try interface(&reader))
            return nil
        case PcapngBlock.enhancedPacket:
            let interface = try order.number32(&reader, "packet interface")
            return try packet(&reader, interface: interface)
        case PcapngBlock.packet:
            let interface = try order.number16(&reader, "packet interface")
            _ = try order.number16(&reader, "drop count")
            return try packet(&reader, interface: UInt32(interface))
        default:
            let original = try order.number32(&reader, "packet length")
            let octets = try reader.octets(min(Int(original), reader.remaining), "packet")
            return Packet(interface: 0, ticks: 0, octets: octets, isCut: octets.count < Int(original))
        }
    }

    private func packet(_ reader: inout FrameReader, interface: UInt32) throws(WireError) -> Packet {
        let high = try order.number32(&reader, "packet time")
        let low = try order.number32(&reader, "packet time")
        let kept = try order.number32(&reader, "packet length")
        let original = try order.number32(&reader, "packet length")
        return Packet(
            interface: interface, ticks: UInt64(high) << 32 | UInt64(low),
            octets: try reader.octets(Int(kept), "packet"), isCut: kept < original)
    }

    private func interface(_ reader: inout FrameReader) throws(WireError) -> Interface {
        var interface = Interface(link: UInt32(try order.number16(&reader, "link type")))
        _ = try order.number16(&reader, "interface description")
        _ = try order.number32(&reader, "snap length")
        while reader.remaining >= 4 {
            let code = try order.number16(&reader, "option")
            let count = Int(try order.number16(&reader, "option length"))
            if code == PcapngBlock.Option.end { break }
            var value = try reader.slice(count, "option")
            switch code {
            case PcapngBlock.Option.timeResolution:
                interface.clock.resolution = try value.octet("time resolution")
            case PcapngBlock.Option.timeOffset:
                interface.clock.offset = Int64(bitPattern: try order.number64(&value, "time offset"))
            default: break
            }
            _ = try reader.octets(min((4 - count % 4) % 4, reader.remaining), "option padding")
        }
        return interface
    }

    private func record(_ packet: Packet) throws(CaptureError.Reason) -> CaptureRecord {
        guard packet.interface < interfaces.count else { throw .unknownInterface(packet.interface) }
        let interface = interfaces[Int(packet.interface)]
        guard let link = LinkType(rawValue: interface.link) else { throw .foreignLink(interface.link) }
        return CaptureRecord(
            link: link, microseconds: interface.clock.microseconds(packet.ticks), octets: packet.octets,
            isCut: packet.isCut)
    }
}

/// How an interface of a pcapng file counts time.
struct CaptureClock {
    /// Below 128 the ticks are 10⁻ⁿ s, otherwise 2⁻⁽ⁿ⁻¹²⁸⁾ s.
    var resolution: UInt8 = 6
    /// In seconds, added to every time.
    var offset: Int64 = 0

    /// The time in µs, held to what the number can hold.
    func microseconds(_ ticks: UInt64) -> UInt64 {
        let time = resolution < 128 ? decimal(ticks) : binary(ticks)
        let (shift, isTooMuch) = offset.magnitude.multipliedReportingOverflow(by: 1_000_000)
        guard offset < 0 else {
            let (sum, overflow) = time.addingReportingOverflow(shift)
            return overflow || isTooMuch ? .max : sum
        }
        return isTooMuch || shift > time ? 0 : time - shift
    }

    private func decimal(_ ticks: UInt64) -> UInt64 {
        var time = ticks
        if resolution >= 6 {
            for _ in 0..<min(20, resolution - 6) { time /= 10 }
            return time
        }
        for _ in resolution..<6 {
            let (product, overflow) = time.multipliedReportingOverflow(by: 10)
            time = overflow ? .max : product
        }
        return time
    }

    private func binary(_ ticks: UInt64) -> UInt64 {
        let shift = UInt64(resolution & 0x7f)
        let (high, low) = ticks.multipliedFullWidth(by: 1_000_000)
        if shift >= 64 { return high >> (shift - 64) }
        guard high >> shift == 0 else { return .max }
        return shift == 0 ? low : high << (64 - shift) | low >> shift
    }
}
