public import Wire

/// Whoever knows the values of an accessory's characteristics, towards one client.
public protocol CharacteristicValues: AnyObject {
    /// The whole value, of at most 512 octets; what is beyond is cut off.
    func read(_ characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError) -> [UInt8]
    /// A whole value, of at most 512 octets.
    func write(_ value: [UInt8], to characteristic: GATTCharacteristic.ID, at now: Instant) throws(ATTError)
}
