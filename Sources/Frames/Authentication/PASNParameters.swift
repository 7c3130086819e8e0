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
    /// The control's other bits, which mean nothing yet.
    public var reserved: UInt8

    public init(
        format: WrappedDataFormat, comeBack: ComeBack? = nil, publicKey: PublicKey?, reserved: UInt8 = 0
    ) {
        self.format = format
        self.comeBack = comeBack
        self.publicKey = publicKey
        self.reserved = reserved
    }
}

// MARK: Octets
//
//   control (1) | wrapped data's format (1) | [after (2) | cookie length (1) | cookie] |
//   [group (2) | key length (1) | key]

extension PASNParameters: ElementContent {
    public static let id = Element.ID.pasnParameters

    private enum Control {
        static let comeBack: UInt8 = 1 << 0
        static let publicKey: UInt8 = 1 << 1
        static let known: UInt8 = 0b11
    }

    public init(parsing body: consuming FrameReader) throws(WireError) {
        let control = try body.octet("PASN control")
        reserved = control & ~Control.known
        format = WrappedDataFormat(rawValue: try body.octet("wrapped data's format"))
        comeBack = nil
        publicKey = nil
        if control & Control.comeBack != 0 {
            let after = TimeUnits(UInt32(try body.number16("PASN come-back time")))
            let count = Int(try body.octet("PASN cookie's length"))
            comeBack = ComeBack(after: after, cookie: try body.octets(count, "PASN cookie"))
        }
        if control & Control.publicKey != 0 {
            let group = try body.number16("PASN group")
            let count = Int(try body.octet("PASN public key's length"))
            publicKey = PublicKey(group: group, key: try body.octets(count, "PASN public key"))
        }
        try body.end("PASN parameters")
    }

    public func write(into body: inout FrameWriter) {
        var control = reserved & ~Control.known
        if comeBack != nil { control |= Control.comeBack }
        if publicKey != nil { control |= Control.publicKey }
        body.octet(control)
        body.octet(format.rawValue)
        if let comeBack {
            guard let after = UInt16(exactly: comeBack.after.count) else {
                return body.fail(.unexpected("PASN come-back time", value: UInt64(comeBack.after.count)))
            }
            body.number16(after)
            body.measured8("PASN cookie") { $0.octets(comeBack.cookie) }
        }
        if let publicKey {
            body.number16(publicKey.group)
            body.measured8("PASN public key") { $0.octets(publicKey.key) }
        }
    }
}
