import Foundation

/// What a measurement found, for people.
struct ResultTable {
    private let title: String
    private let columns: [String]
    private var rows: [(name: String, values: [String])] = []

    init(_ title: String, columns: [String] = []) {
        self.title = title
        self.columns = columns
    }

    mutating func row(_ name: String, _ values: String...) { rows.append((name, values)) }
    mutating func row(_ name: String, _ values: [String]) { rows.append((name, values)) }

    var text: String {
        let width = (rows.map { $0.name.count } + [title.count]).max() ?? 0
        let lines = [(title, columns)] + rows.map { ($0.name, $0.values) }
        return lines.map { name, values in
            let cells = values.map { String(repeating: " ", count: max(0, 18 - $0.count)) + $0 }
            return name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + cells.joined()
        }.joined(separator: "\n") + "\n"
    }
}

/// A number with few enough digits to be read.
func figure(_ value: Double, _ unit: String = "") -> String {
    let digits = value < 10 ? 2 : value < 100 ? 1 : 0
    let number = String(format: "%.\(digits)f", value)
    return unit.isEmpty ? number : "\(number) \(unit)"
}

struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
