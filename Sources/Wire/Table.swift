/// Aligned columns of text, for lists that a person reads on a terminal.
public struct Table {
    private var rows: [[String]]

    /// A table with a line of headings; the number of headings is the number of columns.
    public init(_ headings: [String]) {
        rows = [headings]
    }

    public var isEmpty: Bool { rows.count == 1 }

    /// Adds a line. Cells beyond the headings are dropped, missing ones are empty.
    public mutating func row(_ cells: [String]) {
        var line: [String] = []
        for column in 0..<rows[0].count { line.append(column < cells.count ? cells[column].printable : "") }
        rows.append(line)
    }

    /// All lines, each ended; columns two spaces apart.
    public var text: String {
        var text = ""
        let widths = self.widths
        for row in rows {
            var line = ""
            var pending = 0
            for (column, cell) in row.enumerated() {
                if !cell.isEmpty {
                    line += String(repeating: " ", count: pending) + cell
                    pending = 0
                }
                pending += widths[column] + 2 - cell.unicodeScalars.count
            }
            text += line + "\n"
        }
        return text
    }

    private var widths: [Int] {
        var widths = [Int](repeating: 0, count: rows[0].count)
        for row in rows {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], cell.unicodeScalars.count)
            }
        }
        return widths
    }
}
