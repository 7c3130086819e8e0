/// Parts of long values that a client has sent, until it says that they are to be written.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F, 3.4.6.
struct PreparedWrites {
    struct Part: Equatable {
        var handle: UInt16
        var offset: UInt16
        var value: [UInt8]
    }

    /// A value of 512 octets in the parts of the smallest MTU, and as much again.
    static let mostParts = 64
    static let mostOctets = 2 * ATTServer.mostValue

    private var parts: [Part] = []
    private var count = 0

    /// Whether there is room for another. There is none for one of another value: of two, the first could not be
    /// taken back when the second is refused, and no characteristic here is for reliable writes.
    mutating func add(_ part: Part) -> Bool {
        guard parts.count < Self.mostParts, count + part.value.count <= Self.mostOctets,
            parts.first.map({ $0.handle == part.handle }) ?? true
        else { return false }
        parts.append(part)
        count += part.value.count
        return true
    }

    /// What is to be written, which has to be whole: from its first octet, without holes or repetitions. Nil where
    /// nothing is.
    consuming func write() throws(ATTRefusal) -> (handle: UInt16, value: [UInt8])? {
        guard let handle = parts.first?.handle else { return nil }
        var value: [UInt8] = []
        for part in parts {
            guard Int(part.offset) == value.count else { throw ATTRefusal(.invalidOffset, handle: handle) }
            guard value.count + part.value.count <= ATTServer.mostValue else {
                throw ATTRefusal(.invalidAttributeValueLength, handle: handle)
            }
            value += part.value
        }
        return (handle, value)
    }
}
