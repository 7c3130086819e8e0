public import Ports

extension BoardConfiguration {
    /// The panels that the file declares, the console apart, which is no part of the board.
    public func makePanels(on wiring: any Wiring, clock: any Clock) -> [any Ports.Panel] {
        var made: [any Ports.Panel] = []
        for panel in panels { made.append(Self.make(panel, wiring, clock)) }
        return made
    }

    /// Nil where there are none.
    public func makeButtons(on wiring: any Wiring) -> (any Buttons)? {
        buttons.isEmpty ? nil : BoardButtons(buttons, on: wiring)
    }

    private static func make(_ panel: Panel, _ wiring: any Wiring, _ clock: any Clock) -> any Ports.Panel {
        switch panel {
        case .tm1637(let settings): DisplayPanel(TM1637(settings, wiring: wiring), clock: clock)
        case .hd44780(let size, let connection):
            DisplayPanel(HD44780(size, on: connection, wiring: wiring), clock: clock)
        case .oled(let settings): DisplayPanel(OLED(settings, wiring: wiring), clock: clock)
        case .max7219(let settings): DisplayPanel(MAX7219(settings, wiring: wiring), clock: clock)
        case .light(let light): LightPanel(light, on: wiring)
        case .exec(let path): ExecPanel(path)
        }
    }
}
