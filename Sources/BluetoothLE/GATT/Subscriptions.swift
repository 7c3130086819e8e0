/// What a client wants to be told of by itself.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part G, 3.3.3.3.
public struct Subscriptions: Equatable, Sendable {
    static let notification: UInt16 = 0x0001
    static let indication: UInt16 = 0x0002

    struct Choice: Equatable, Sendable {
        var id: GATTCharacteristic.ID
        /// The descriptor's value; never 0.
        var value: UInt16
    }

    /// Never more than there are characteristics.
    private(set) var all: [Choice] = []

    public init() {}

    /// The descriptor's value; 0 where nothing is wanted.
    subscript(id: GATTCharacteristic.ID) -> UInt16 {
        get {
            for choice in all where choice.id == id { return choice.value }
            return 0
        }
        set {
            for index in all.indices where all[index].id == id {
                all.remove(at: index)
                break
            }
            if newValue != 0 { all.append(Choice(id: id, value: newValue)) }
        }
    }
}
