public import Crypto

/// Six decimal digits that a person reads off the accessory and types on the phone.
///
/// It has no description, so that it cannot reach a log; only a panel asks for its digits.
public struct PIN: Equatable, Sendable {
    private let number: UInt32

    /// A fresh PIN, each of the million being as likely as any other.
    public init(from entropy: any Entropy) {
        while true {
            if let pin = PIN(random: UInt32(truncatingIfNeeded: entropy.number64())) {
                self = pin
                return
            }
        }
    }

    /// A PIN from random octets, or nil where taking these would favour some PINs over others.
    ///
    /// 2³² is not a multiple of 10⁶; the caller draws again. That happens less than once in 4000 draws.
    init?(random: UInt32) {
        let unbiased = UInt32.max - UInt32.max % 1_000_000
        guard random < unbiased else { return nil }
        number = random % 1_000_000
    }

    /// The digits as shown, leading zeros kept.
    public var digits: [UInt8] {
        var digits = [UInt8](repeating: 0, count: 6)
        var rest = number
        for place in digits.indices.reversed() {
            digits[place] = UInt8(rest % 10)
            rest /= 10
        }
        return digits
    }

    /// What both sides put into SAE: the digits in ASCII.
    var password: Secret {
        Secret(count: 6) { octets in
            var rest = number
            for place in (0..<6).reversed() {
                octets[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
    }
}
