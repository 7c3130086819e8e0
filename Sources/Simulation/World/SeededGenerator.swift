public import Crypto

/// Numbers that look random and follow from a seed (SplitMix64). For simulations only.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True in `probability` of all cases; 0 … 1.
    public mutating func happens(_ probability: Double) -> Bool {
        guard probability > 0 else { return false }
        return Double(next() >> 11) < probability * 0x1p53
    }

    /// A number below `bound`; zero where that is zero.
    public mutating func number(below bound: UInt64) -> UInt64 {
        bound == 0 ? 0 : next().multipliedFullWidth(by: bound).high
    }
}

/// Entropy for simulations: the same seed gives the same keys.
public final class SeededEntropy: Entropy {
    private var generator: SeededGenerator

    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    public func fill(_ octets: UnsafeMutableRawBufferPointer) {
        var word: UInt64 = 0
        for index in octets.indices {
            if index % 8 == 0 { word = generator.next() }
            octets[index] = UInt8(truncatingIfNeeded: word)
            word >>= 8
        }
    }
}
