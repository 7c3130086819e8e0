/// What a client wants to be told of by itself. Kept with a bond, it holds over connections.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part G, 3.3.3.3.
public struct Subscriptions: Equatable, Sendable {
    static let notification: UInt16 = 0x0001
    static let indication: UInt16 = 0x0002

    private var choices: [GATTCharacteristic.ID: UInt16] = [:]

    public init() {}

    public var isEmpty: Bool { choices.isEmpty }

    /// The descriptor's value; 0 where nothing is wanted. There are never more choices than characteristics.
    subscript(id: GATTCharacteristic.ID) -> UInt16 {
        get { choices[id] ?? 0 }
        set { choices[id] = newValue == 0 ? nil : newValue }
    }
}
