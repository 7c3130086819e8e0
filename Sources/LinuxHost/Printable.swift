/// The text with everything replaced that could move a terminal's cursor or break a line of a log: control
/// characters (C0, DEL, C1), and what is beyond `limit` octets.
func printable(_ text: String, limit: Int = 1024) -> String {
    var safe = ""
    var count = 0
    for scalar in text.unicodeScalars {
        count += UTF8.width(scalar)
        guard count <= limit else { return safe + "..." }
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: safe.unicodeScalars.append("?")
        default: safe.unicodeScalars.append(scalar)
        }
    }
    return safe
}
