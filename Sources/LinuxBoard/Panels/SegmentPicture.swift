import Ports
import Wire

/// What a row of 7-segment digits shows, and when that changes by itself.
///
/// | state | four digits | wider |
/// |---|---|---|
/// | idle | `   -` | the same |
/// | idle, 2 devices connected | `on 2` | `on   2` |
/// | pairing open, 118 s left | `P118` | `P  118` |
/// | PIN 482913 | `482-` 2 s, `-913` 2 s, dark 0.6 s | `482913` |
/// | Bluetooth's passkey 104711 | `bt` 1 s, `104-` 2 s, `-711` 2 s | `bt` 1 s, `104711` 3 s; from eight digits `bt104711` |
/// | paired | `donE` | the same |
/// | refused | `FAIL` | the same |
/// | locked, 58 s left | `L 58` | `L   58` |
/// | everything is forgotten in 7 s | `CL 7` | `CL   7` |
/// | identify | all segments, on and off twice a second | the same |
/// | fault | `Err` | the same |
///
/// Neither half of a number looks like a number of four digits, and each says which half it is: the dash stands where
/// the number goes on.
struct SegmentPicture {
    /// A digit's segments: a in bit 0 to g in bit 6; from the left.
    var cells: [UInt8]
    var changes: Instant?

    init(_ scene: Scene, digits: Int) {
        var text: [UInt8] = []
        switch scene {
        case .blank:
            break
        case .content(let content, let since, let now):
            (text, changes) = Self.text(content, digits: digits, since: since, now: now)
        }
        cells = text.prefix(digits).map(Self.segments)
        while cells.count < digits { cells.append(0) }
    }

    private static func text(
        _ content: PanelContent, digits: Int, since: Instant, now: Instant
    ) -> ([UInt8], Instant?) {
        switch content.state {
        case .idle:
            if content.connected > 0 { return (label("on", UInt64(content.connected), digits), nil) }
            return ([UInt8](repeating: 0x20, count: digits - 1) + [0x2d], nil)
        case .open(let end):
            return (label("P", now.secondsLeft(until: end), digits), now.nextSecond(until: end))
        case .pin(let pin):
            if digits >= 6 { return (right(pin, "", digits), nil) }
            return pages(halves(pin) + [Page("", 600)], since: since, now: now)
        case .passkey(let passkey):
            if digits >= 8 { return (right(passkey, "bt", digits), nil) }
            if digits >= 6 {
                return pages(
                    [Page("bt", 1_000), Page(right(passkey, "", digits), 3_000)], since: since, now: now)
            }
            return pages([Page("bt", 1_000)] + halves(passkey), since: since, now: now)
        case .paired: return (Array("donE".utf8), nil)
        case .refused: return (Array("FAIL".utf8), nil)
        case .locked(let end):
            return (label("L", now.secondsLeft(until: end), digits), now.nextSecond(until: end))
        case .forgetting(let time):
            return (label("CL", now.secondsLeft(until: time), digits), now.nextSecond(until: time))
        case .identify:
            let all = [UInt8](repeating: 0x38, count: digits)
            return pages([Page(all, 250), Page("", 250)], since: since, now: now)
        case .fault: return (Array("Err".utf8), nil)
        }
    }

    // MARK: Pages

    private struct Page {
        var text: [UInt8]
        var milliseconds: UInt64

        init(_ text: [UInt8], _ milliseconds: UInt64) {
            self.text = text
            self.milliseconds = milliseconds
        }

        init(_ text: StaticString, _ milliseconds: UInt64) {
            self.init(text.withUTF8Buffer { Array($0) }, milliseconds)
        }
    }

    /// A number of six digits for a display of four.
    private static func halves(_ digits: [UInt8]) -> [Page] {
        let text = digits.map { 0x30 + $0 % 10 }
        return [Page(text.prefix(3) + [0x2d], 2_000), Page([0x2d] + text.dropFirst(3), 2_000)]
    }

    private static func pages(_ pages: [Page], since: Instant, now: Instant) -> ([UInt8], Instant?) {
        var round: UInt64 = 0
        for page in pages { round += page.milliseconds * 1_000 }
        var left = now.microseconds(since: since) % round
        for page in pages {
            let length = page.milliseconds * 1_000
            if left < length { return (page.text, Instant(microseconds: now.microseconds + length - left)) }
            left -= length
        }
        return ([], nil)
    }

    // MARK: Text

    /// A word on the left, a number on the right, as large as there is room for.
    private static func label(_ word: StaticString, _ number: UInt64, _ digits: Int) -> [UInt8] {
        var most: UInt64 = 9
        for _ in 1..<max(1, digits - word.utf8CodeUnitCount) { most = most * 10 + 9 }
        return right(Array(String(min(number, most)).utf8), word, digits)
    }

    private static func right(_ number: [UInt8], _ word: StaticString, _ digits: Int) -> [UInt8] {
        var text = word.withUTF8Buffer { Array($0) }
        while text.count + number.count < digits { text.append(0x20) }
        for digit in number { text.append(digit < 10 ? 0x30 + digit : digit) }
        return text
    }

    /// Of a digit, a letter that is used above, and the dash.
    private static func segments(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30: 0x3f
        case 0x31: 0x06
        case 0x32: 0x5b
        case 0x33: 0x4f
        case 0x34: 0x66
        case 0x35: 0x6d
        case 0x36: 0x7d
        case 0x37: 0x07
        case 0x38: 0x7f
        case 0x39: 0x6f
        case 0x2d: 0x40
        case 0x41: 0x77  // A
        case 0x43: 0x39  // C
        case 0x45: 0x79  // E
        case 0x46: 0x71  // F
        case 0x49: 0x06  // I
        case 0x4c: 0x38  // L
        case 0x50: 0x73  // P
        case 0x62: 0x7c  // b
        case 0x64: 0x5e  // d
        case 0x6e: 0x54  // n
        case 0x6f: 0x5c  // o
        case 0x72: 0x50  // r
        case 0x74: 0x78  // t
        default: 0
        }
    }
}

extension Instant {
    /// When ``secondsLeft(until:)`` has its next value; nil once it is zero.
    func nextSecond(until end: Instant) -> Instant? {
        let left = secondsLeft(until: end)
        guard left > 0 else { return nil }
        return Instant(
            microseconds: end.microseconds + 1_000_001 - TimeUnits.microseconds - left * 1_000_000)
    }
}
