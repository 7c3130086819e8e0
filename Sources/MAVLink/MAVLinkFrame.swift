public import Wire

/// One MAVLink frame that stood the checks: its octets as they came, which is also how they are passed on.
///
/// - Spec: MAVLink guide, "Packet Serialization".
public struct MAVLinkFrame: Equatable, Sendable {
    public enum Version: Sendable {
        case one
        case two
    }

    /// The whole frame: start marker, header, payload, check value, and the signature if it has one.
    public let octets: [UInt8]

    /// Longest frame there is: of version two, with 255 octets of payload and a signature.
    public static let limit = 10 + 255 + 2 + 13

    /// The caller has measured and verified the octets.
    init(verified octets: [UInt8]) {
        self.octets = octets
    }

    public var version: Version { octets[0] == Layout.two.marker ? .two : .one }
    public var sequence: UInt8 { octets[layout.sequence] }
    public var sender: MAVLinkAddress {
        MAVLinkAddress(system: octets[layout.sequence + 1], component: octets[layout.sequence + 2])
    }
    public var message: MessageID { layout.message(of: octets, at: 0) }
    public var isSigned: Bool { version == .two && octets[2] & Layout.signed != 0 }
    public var payload: ArraySlice<UInt8> { octets[layout.header..<layout.header + Int(octets[1])] }

    private var layout: Layout { version == .two ? .two : .one }
}

/// Who sends or receives a message: a system (a vehicle, a ground station) and a part of it. Zero means all.
public struct MAVLinkAddress: Hashable, Sendable {
    public var system: UInt8
    public var component: UInt8

    public init(system: UInt8, component: UInt8) {
        self.system = system
        self.component = component
    }
}

/// The number of a kind of message. Peers send kinds that we do not know.
public struct MessageID: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

// MARK: Octets
//
//   version one   0xfe | length (1)                                        | sequence | system | component | message (1)
//   version two   0xfd | length (1) | incompatible (1) | compatible (1)    | sequence | system | component | message (3)
//   both          … payload | check value (2) over all but the marker, and the seed of the message
//                 … signature (13), in version two, if so flagged

/// Where the fields of a version's header are.
struct Layout {
    var marker: UInt8
    var sequence: Int
    var messageOctets: Int

    static let one = Layout(marker: 0xfe, sequence: 2, messageOctets: 1)
    static let two = Layout(marker: 0xfd, sequence: 4, messageOctets: 3)

    /// The only flag of those that a receiver has to understand.
    static let signed: UInt8 = 0x01
    static let signatureLength = 13
    static let checksumLength = 2

    init(marker: UInt8, sequence: Int, messageOctets: Int) {
        self.marker = marker
        self.sequence = sequence
        self.messageOctets = messageOctets
    }

    /// Nil where no frame starts with this octet.
    init?(marker: UInt8) {
        switch marker {
        case Layout.one.marker: self = .one
        case Layout.two.marker: self = .two
        default: return nil
        }
    }

    var header: Int { sequence + 3 + messageOctets }

    /// The caller has seen to it that a header is there.
    func message(of octets: [UInt8], at start: Int) -> MessageID {
        var number: UInt32 = 0
        for offset in 0..<messageOctets {
            number |= UInt32(octets[start + sequence + 3 + offset]) << UInt32(8 * offset)
        }
        return MessageID(rawValue: number)
    }
}

// MARK: Messages

/// A message as a value. Fields are sent in the order of their size, extensions last.
public protocol MAVLinkMessage: Sendable {
    static var id: MessageID { get }
    /// Of the payload, with the extension fields that we know of.
    static var length: Int { get }
    init(parsing payload: inout FrameReader) throws(WireError)
    func write(into payload: inout FrameWriter)
}

extension MAVLinkFrame {
    /// The message in a frame, or nil where the frame holds another.
    ///
    /// A sender of version two leaves out zeros at the end, and one of tomorrow appends fields: both are read.
    public func read<Message: MAVLinkMessage>(_ type: Message.Type) -> Message? {
        guard message == Message.id else { return nil }
        var whole = Array(payload.prefix(Message.length))
        whole += repeatElement(0, count: Message.length - whole.count)
        var reader = FrameReader(whole.span.bytes)
        do {
            return try Message(parsing: &reader)
        } catch {
            die("a MAVLink message reads more than its length")
        }
    }

    /// Makes a frame of version two around a message.
    public init<Message: MAVLinkMessage>(_ message: Message, from sender: MAVLinkAddress, sequence: UInt8) {
        guard let seed = ChecksumSeeds.seed(of: Message.id) else {
            die("a MAVLink message of ours has no seed")
        }
        var writer = FrameWriter(limit: Message.length)
        message.write(into: &writer)
        var payload: [UInt8]
        do {
            payload = try writer.finish()
        } catch {
            die("a MAVLink message writes more than its length")
        }
        while payload.count > 1, payload.last == 0 { payload.removeLast() }

        let id = Message.id.rawValue
        var frame: [UInt8] = [
            Layout.two.marker, UInt8(truncatingIfNeeded: payload.count), 0, 0,
            sequence, sender.system, sender.component,
            UInt8(truncatingIfNeeded: id), UInt8(truncatingIfNeeded: id >> 8),
            UInt8(truncatingIfNeeded: id >> 16),
        ]
        frame += payload
        var checksum = Checksum()
        checksum.add(frame.dropFirst())
        checksum.add(seed)
        frame += [UInt8(truncatingIfNeeded: checksum.value), UInt8(checksum.value >> 8)]
        self.init(verified: frame)
    }
}

extension FrameReader {
    mutating func float(_ purpose: StaticString) throws(WireError) -> Float {
        Float(bitPattern: try number32(purpose))
    }

    mutating func signed16(_ purpose: StaticString) throws(WireError) -> Int16 {
        Int16(bitPattern: try number16(purpose))
    }

    mutating func signed32(_ purpose: StaticString) throws(WireError) -> Int32 {
        Int32(bitPattern: try number32(purpose))
    }

    /// A field of characters, ended by a zero or by its length.
    mutating func text(_ count: Int, _ purpose: StaticString) throws(WireError) -> [UInt8] {
        let field = try octets(count, purpose)
        return Array(field.prefix { $0 != 0 })
    }
}

extension FrameWriter {
    mutating func float(_ value: Float) { number32(value.bitPattern) }
    mutating func signed16(_ value: Int16) { number16(UInt16(bitPattern: value)) }
    mutating func signed32(_ value: Int32) { number32(UInt32(bitPattern: value)) }

    /// Cut or filled with zeros to the length of the field.
    mutating func text(_ value: [UInt8], _ count: Int) {
        let cut = value.prefix(count)
        octets(Array(cut))
        zeros(count - cut.count)
    }
}
