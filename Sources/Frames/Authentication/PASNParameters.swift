public import Wire

/// The PASN Parameters element: what is wrapped, and the ephemeral public key.
///
/// - Spec: 802.11az-2022 §9.4.2.303.
public struct PASNParameters: Equatable, Sendable {
    public struct WrappedDataFormat: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let none = WrappedDataFormat(rawValue: 0)
        public static let sae = WrappedDataFormat(rawValue: 3)
    }

    public struct PublicKey: Equatable, Sendable {
        public var group: UInt16
        /// 02 or 03 and the x coordinate.
        public var key: [UInt8]

        public init(group: UInt16, key: [UInt8]) {
            self.group = group
            self.key = key
        }
    }

    public struct ComeBack: Equatable, Sendable {
        public var after: TimeUnits
        public var cookie: [UInt8]

        public init(after: TimeUnits, cookie: [UInt8]) {
            self.after = after
            self.cookie = cookie
        }
    }

    public var format: WrappedDataFormat
    /// Control bit 0.
    public var comeBack: ComeBack?
    /// Control bit 1; absent in the third frame.
    public var publicKey: PublicKey?

    public init(format: WrappedDataFormat, comeBack: ComeBack? = nil, publicKey: PublicKey?) {
        self.format = format
        self.comeBack = comeBack
        self.publicKey = publicKey
    }
}
