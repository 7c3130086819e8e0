import Ports
import Wire

/// A picture of single dots, as OLED controllers keep it: rows of eight dots' height (pages), an octet a column, the
/// top dot in bit 0.
struct DotPicture: Equatable {
    let width: Int
    let height: Int
    private(set) var octets: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        octets = [UInt8](repeating: 0, count: width * height / 8)
    }

    private mutating func set(_ x: Int, _ y: Int) {
        guard 0..<width ~= x, 0..<height ~= y else { return }
        octets[y / 8 * width + x] |= 1 << UInt8(y % 8)
    }

    private mutating func invert() {
        for index in octets.indices { octets[index] = ~octets[index] }
    }

    /// Draws a character, each of its dots so wide and so high.
    private mutating func draw(_ character: UInt8, x: Int, y: Int, wide: Int, high: Int) {
        for column in 0..<DotFont.width * wide {
            let dots = DotFont.column(column / wide, of: character)
            for row in 0..<DotFont.height * high where dots >> UInt8(row / high) & 1 == 1 {
                set(x + column, y + row)
            }
        }
    }

    /// Draws a line in the middle, as much of it as there is room for.
    private mutating func drawLine(_ text: [UInt8], y: Int, wide: Int = 1, high: Int = 1) {
        let advance = (DotFont.width + 1) * wide
        let line = text.prefix((width + wide) / advance)
        var x = (width - line.count * advance + wide) / 2
        for character in line {
            draw(character, x: x, y: y, wide: wide, high: high)
            x += advance
        }
    }
}

extension DotPicture {
    /// What a display of 128 columns and 64 or 32 rows shows of a content, and when that changes by itself.
    ///
    /// The name above; below it a PIN's digits, as large as there is room for, or the state; at the bottom who or why,
    /// or how many are connected. Small displays say above whether it is a PIN or Bluetooth's passkey, large ones at
    /// the bottom. To identify it, the picture is inverted twice a second.
    static func drawn(_ scene: Scene, height: Int) -> (picture: DotPicture, changes: Instant?) {
        var picture = DotPicture(width: 128, height: height)
        guard case .content(let content, let since, let now) = scene else { return (picture, nil) }
        let words = Wording(content.state, connected: content.connected, since: since, now: now)
        let name = Wording.characters(content.name)
        switch content.state {
        case .pin(let digits): picture.drawNumber(digits, label: "PIN", name: name)
        case .passkey(let digits): picture.drawNumber(digits, label: "BT", name: name)
        case .identify:
            picture.drawWords(name, Wording.characters("this one"), [])
            if words.headline.isEmpty { picture.invert() }
        default:
            var detail = Wording.characters(words.detail)
            if detail.isEmpty, content.state != .idle, content.connected > 0 {
                detail = Wording.characters("\(content.connected) connected")
            }
            picture.drawWords(name, Wording.characters(words.headline), detail)
        }
        return (picture, words.changes)
    }

    private mutating func drawNumber(_ digits: [UInt8], label: String, name: [UInt8]) {
        let isLarge = height >= 64
        drawLine(isLarge ? name : Wording.characters(label + " ") + name, y: 0)
        if isLarge { drawLine(Wording.characters(label == "BT" ? "Bluetooth PIN" : label), y: 56) }
        var x = 8
        for (index, digit) in digits.enumerated() {
            draw(0x30 + digit % 10, x: x, y: isLarge ? 16 : 10, wide: 3, high: isLarge ? 5 : 3)
            x += index == 2 ? 25 : 18
        }
    }

    private mutating func drawWords(_ name: [UInt8], _ headline: [UInt8], _ detail: [UInt8]) {
        let isLarge = height >= 64
        drawLine(name, y: 0)
        drawLine(headline, y: isLarge ? 20 : 9, wide: headline.count <= 10 ? 2 : 1, high: 2)
        guard isLarge else { return drawLine(detail, y: 25) }
        let columns = (width + 1) / (DotFont.width + 1)
        var first = detail.prefix(columns)
        var rest = detail.dropFirst(columns)
        if !rest.isEmpty, let space = detail.prefix(columns + 1).lastIndex(of: 0x20) {
            first = detail[..<space]
            rest = detail[(space + 1)...]
        }
        drawLine(Array(first), y: 46)
        drawLine(Array(rest), y: 56)
    }
}
