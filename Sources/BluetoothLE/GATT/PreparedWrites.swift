/// Parts of long values that a client has sent, until it says that they are to be written.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part F, 3.4.6.
struct PreparedWrites {
    struct Part: Equatable {
        var handle: UInt16
        var offset: UInt16
        var value: [UInt8]
    }

    /// A value of 512 octets in the parts of the smallest MTU, and a second one.
    static let mostParts = 64
    static let mostOctets = 2 * ATTServer.mostValue

    private var parts: [Part] = []
    private var count = 0

    /// Whether there is room for another.
    mutating func add(_ part: Part) -> Bool {
        guard parts.count < Self.mostParts, count + part.value.count <= Self.mostOctets else { return false }
        parts.append(part)
        count += part.value.count
        return true
    }

    /// What is to be written, in the order in which the values were begun. Each value has to be whole, from its first
    /// octet, without holes or repetitions.
    consuming func values() throws(ATTRefusal) -> [(handle: UInt16, value: [UInt8])] {
        var values: [(handle: UInt16, value: [UInt8])] = []
        for part in parts {
            let place = values.firstIndex { $0.handle == part.handle }
            let known = place.map { values[$0].value.count } ?? 0
            guard Int(part.offset) == known else { throw ATTRefusal(.invalidOffset, handle: part.handle) }
            guard known + part.value.count <= ATTServer.mostValue else {
                throw ATTRefusal(.invalidAttributeValueLength, handle: part.handle)
            }
            if let place {
                values[place].value += part.value
            } else {
                values.append((part.handle, part.value))
            }
        }
        return values
    }
}
