public import Frames

/// How a bitmap of any period reads as slots of 16 TU in 512 TU, which is what radios schedule.
extension TimeBitmap {
    /// Slots of 16 TU in 512 TU.
    private static let slotsPerWindow = 32

    /// Bit n of `slots` is slot n of a period of 512 TU: bits of 16 TU, no offset.
    public init(slots: UInt32) {
        self.init(
            control: 3 << 3,
            bits: [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: slots >> UInt32($0)) })
    }

    /// The slots of 512 TU that can be relied upon: of a longer period, those set in each of its repetitions of 512
    /// TU. Bit n is slot n. A bitmap that does not repeat promises nothing, nor does one with a reserved duration.
    public var dependableSlots: UInt32 {
        let duration = control & 7
        let period = control >> 3 & 7
        guard duration <= 3, period > 0 else { return 0 }
        let available = expanded(slotsPerBit: 1 << Int(duration), period: 8 << Int(period - 1))
        var slots: UInt32 = 0
        for slot in 0..<Self.slotsPerWindow where isSet(slot, inEveryWindowOf: available) {
            slots |= 1 << UInt32(slot)
        }
        return slots
    }

    /// One period, slot by slot. Bits past the period's end mean nothing; an offset moves the rest around it.
    private func expanded(slotsPerBit: Int, period: Int) -> [Bool] {
        let offset = Int(control >> 6 & 0x1ff)
        var available = [Bool](repeating: false, count: period)
        for bit in 0..<min(bits.count * 8, period / slotsPerBit)
        where bits[bit / 8] >> UInt8(bit % 8) & 1 == 1 {
            for slot in 0..<slotsPerBit { available[(offset + bit * slotsPerBit + slot) % period] = true }
        }
        return available
    }

    private func isSet(_ slot: Int, inEveryWindowOf available: [Bool]) -> Bool {
        for start in stride(from: 0, to: max(available.count, Self.slotsPerWindow), by: Self.slotsPerWindow) {
            if !available[(start + slot) % available.count] { return false }
        }
        return true
    }
}
