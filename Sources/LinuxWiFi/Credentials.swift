import Crypto

/// What a password can be for.
enum Credentials {
    /// A network without protection.
    case none
    /// 8 … 63 octets.
    case passphrase
    /// The key itself, in 64 hexadecimal digits.
    case key

    /// Nil for what no network takes, or a file of the daemon's could be spoilt with.
    ///
    /// - Spec: IEEE 802.11-2020, J.4.1.
    init?(_ password: Key) {
        let kind = password.secret.withOctets { octets -> Credentials? in
            switch octets.count {
            case 0: return Credentials.none
            case 8...63:
                for octet in octets where octet < 0x20 || octet == 0x7f { return nil }
                return .passphrase
            case 64:
                for octet in octets where !Self.isDigit(octet) { return nil }
                return .key
            default: return nil
            }
        }
        guard let kind else { return nil }
        self = kind
    }

    private static func isDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// How an access point wants to know who joins.
enum Protection: Equatable {
    case none
    /// WPA or WPA2, alone or beside WPA3.
    case psk
    /// WPA3 alone.
    case sae
}
