public import Wire

/// A message as a value. Fields are sent in the order of their size, extensions last.
public protocol MAVLinkMessage: Sendable {
    /// Its number, the same for all of its kind.
    static var id: MessageID { get }
    /// Of the payload, with the extension fields that we know of.
    static var length: Int { get }
    /// - Throws: Nothing but a mistake of ours: the reader is given ``length`` octets.
    init(parsing payload: inout FrameReader) throws(WireError)
    /// Writes ``length`` octets.
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
