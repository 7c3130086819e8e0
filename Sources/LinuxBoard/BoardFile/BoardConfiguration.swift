public import Ports

/// What hangs on which line of the board, as its board file says. Every key is explained in board/README.md.
public struct BoardConfiguration: Equatable, Sendable {
    public enum Panel: Equatable, Sendable {
        case tm1637(TM1637.Settings)
        case hd44780(HD44780.Size, HD44780.Connection)
        case oled(OLED.Settings)
        case max7219(MAX7219.Settings)
        case light(LightWiring)
        /// The program's path.
        case exec(String)
    }

    /// What people call the board; empty where the file does not say.
    public var name = ""
    /// Lights among them.
    public var panels: [Panel] = []
    public var buttons: [ButtonWiring] = []
    /// Whether standard output shows the states too.
    public var hasConsole = false

    /// Reads what a file declares, `file` being its name for the operator.
    public init(_ entries: [ConfigurationEntry], file: String) throws(ConfigurationError) {
        var sections: [BoardSection] = []
        for entry in entries { try BoardSection.add(entry, to: &sections, file: file) }
        var lines = BoardLines(file: file)
        for index in sections.indices { try read(&sections[index], setting: &lines) }
        for index in sections.indices { try read(&sections[index], claiming: &lines) }
    }

    /// The first round: what the board has.
    private mutating func read(
        _ section: inout BoardSection, setting lines: inout BoardLines
    ) throws(ConfigurationError) {
        switch section.kind {
        case "board":
            guard section.name.isEmpty else { throw section.mistake("write [board]") }
            if let name = section.entry("name") { self.name = name.value }
            if let chip = section.entry("gpio-chip") { lines.chip = try section.word(chip) }
            if let console = section.entry("console") { hasConsole = try section.yesOrNo(console) }
            if let declared = section.entry("lines") { try lines.declare(declared) }
        case "lines":
            while let entry = section.next() { try lines.declare(entry.key, at: entry) }
        case "bus":
            try lines.declareBus(section.named(), at: try section.required("lines"))
        case "reserved":
            try lines.reserve(for: section.named(), at: try section.required("lines"))
        case "panel", "button", "light":
            return
        default:
            throw section.mistake("unknown section [\(section.title)]")
        }
        try section.finish()
    }

    /// The second round: what is wired to it.
    private mutating func read(
        _ section: inout BoardSection, claiming lines: inout BoardLines
    ) throws(ConfigurationError) {
        switch section.kind {
        case "panel": panels.append(try Panel(&section, &lines))
        case "light": panels.append(.light(try LightWiring(light: &section, &lines)))
        case "button": buttons.append(try ButtonWiring(&section, &lines))
        default: return
        }
        try section.finish()
        let limit = 16
        guard panels.count <= limit, buttons.count <= limit else {
            throw section.mistake("more than \(limit) panels and lights, or buttons")
        }
    }
}
