import Ports
import Wire

/// What displays say that have letters: a headline, and what belongs to it.
struct Wording {
    var headline: String
    /// Who or why; empty where there is nothing to say.
    var detail = ""
    var changes: Instant?

    init(_ state: PanelState, connected: Int, since: Instant, now: Instant) {
        switch state {
        case .idle:
            headline = connected > 0 ? "\(connected) connected" : "ready"
        case .open(let end):
            headline = "pairing \(now.secondsLeft(until: end)) s"
            changes = now.nextSecond(until: end)
        case .pin(let digits):
            headline = "PIN " + Self.text(digits)
        case .passkey(let digits):
            headline = "BT " + Self.text(digits)
        case .paired(let name):
            headline = "paired"
            detail = name
        case .refused(let name, let reason):
            headline = "refused"
            detail = name.isEmpty ? reason : reason + ", " + name
        case .locked(let end):
            headline = "locked \(now.secondsLeft(until: end)) s"
            changes = now.nextSecond(until: end)
        case .forgetting(let time):
            headline = "forget all: \(now.secondsLeft(until: time)) s"
            detail = "release to keep"
            changes = now.nextSecond(until: time)
        case .identify:
            // Twice a second another.
            let half = now.microseconds(since: since) / 250_000
            headline = half % 2 == 0 ? "this one" : ""
            changes = Instant(microseconds: since.microseconds + (half + 1) * 250_000)
        case .fault(let reason):
            headline = "fault"
            detail = reason
        }
    }

    private static func text(_ digits: [UInt8]) -> String {
        var text = ""
        for digit in digits { text += String(digit) }
        return text
    }

    /// Its ASCII characters, and a question mark for each other.
    static func characters(_ text: String) -> [UInt8] {
        var characters: [UInt8] = []
        for scalar in text.unicodeScalars {
            characters.append(0x20..<0x7f ~= scalar.value ? UInt8(scalar.value) : 0x3f)
        }
        return characters
    }
}

/// Rows of a character display, in its own character set.
///
/// Two rows: the pairing name and the headline; or the headline and its detail. Four: name, headline, detail in two
/// rows, or how many are connected.
struct TextPicture {
    var rows: [[UInt8]]
    var changes: Instant?

    init(_ scene: Scene, columns: Int, rows count: Int) {
        var texts: [String] = []
        switch scene {
        case .blank:
            break
        case .content(let content, let since, let now):
            let words = Wording(content.state, connected: content.connected, since: since, now: now)
            changes = words.changes
            if count > 2 {
                texts = [content.name, words.headline, words.detail]
            } else {
                texts =
                    words.detail.isEmpty ? [content.name, words.headline] : [words.headline, words.detail]
            }
        }
        rows = []
        for text in texts {
            var rest = Self.characters(text)[...]
            repeat {
                rows.append(Self.padded(rest.prefix(columns), columns))
                rest = rest.dropFirst(columns)
            } while !rest.isEmpty && rows.count == count - 1 && count > 2
        }
        while rows.count < count { rows.append(Self.padded([], columns)) }
        if rows.count > count { rows.removeLast(rows.count - count) }
    }

    private static func padded(_ characters: ArraySlice<UInt8>, _ columns: Int) -> [UInt8] {
        var row = Array(characters)
        while row.count < columns { row.append(0x20) }
        return row
    }

    /// The display has other characters for two of ASCII's.
    private static func characters(_ text: String) -> [UInt8] {
        Wording.characters(text).map { $0 == 0x5c ? 0x2f : $0 == 0x7e ? 0x2d : $0 }
    }
}
