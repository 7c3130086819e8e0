/// The name of a service, a characteristic or a descriptor.
///
/// - Spec: Bluetooth Core 5.4, Vol 3, Part B, 2.5.1.
public enum BluetoothUUID: Hashable, Sendable {
    /// One that the Bluetooth SIG has given out: 0000xxxx-0000-1000-8000-00805f9b34fb.
    case assigned(UInt16)
    /// Any other, as the two halves of its text: the first 16 and the last 16 digits.
    case custom(UInt64, UInt64)
}
