import LinuxBoard
import LinuxHost
import Ports
import Wire

/// Tries what hangs on the board, and says of each part why it does not work; nil where it does.
///
/// The loop of a program that has nothing else to do: it ends by its own limits, whatever the hardware does.
struct PartTest {
    /// Longer than any panel takes to draw.
    private static let patience = TimeUnits.seconds(3)
    /// Six digits on a panel of four come in two steps of two seconds.
    private static let showing = TimeUnits.seconds(4)

    private let clock = SystemClock()
    private let panels: [any Panel]
    private let buttons: [(name: String, port: BoardButtons)]

    init(_ board: BoardConfiguration) {
        let wiring = LinuxWiring()
        panels = board.makePanels(on: wiring, clock: clock)
        var buttons: [(name: String, port: BoardButtons)] = []
        for button in board.buttons {
            buttons.append(("button \(button.name)", BoardButtons([button], on: wiring)))
        }
        self.buttons = buttons
    }

    /// Has every panel show everything that it has, then 123456, then nothing. Buttons are read.
    func run(showing isShowing: Bool) -> [(name: String, fault: String?)] {
        if isShowing {
            show(.identify)
            pass(Self.showing, untilStill: false)
            show(.pin([1, 2, 3, 4, 5, 6]))
            pass(Self.showing, untilStill: false)
        }
        for panel in panels { panel.turn(at: clock.now) }
        for button in buttons { _ = button.port.nextPress(at: clock.now) }
        var faults: [(name: String, fault: String?)] = []
        for panel in panels { panel.stop(at: clock.now) }
        pass(Self.patience, untilStill: true)
        for panel in panels { faults.append((panel.name, panel.fault)) }
        for button in buttons { faults.append((button.name, button.port.fault)) }
        return faults
    }

    private func show(_ state: PanelState) {
        for panel in panels {
            panel.show(PanelContent(state, name: "Awared", connected: 0), at: clock.now)
        }
    }

    private func pass(_ time: TimeUnits, untilStill: Bool) {
        let poller = Poller(clock: clock)
        let end = clock.now + time
        var set = DescriptorSet()
        var now = clock.now
        while now < end {
            for panel in panels { panel.turn(at: now) }
            if untilStill, areStill { return }
            set.removeAll()
            var deadline = end
            for panel in panels {
                panel.addDescriptors(to: &set)
                if let wanted = panel.deadline { deadline = min(deadline, wanted) }
            }
            now = poller.wait(for: set, until: deadline)
        }
    }

    private var areStill: Bool {
        for panel in panels where !panel.isStill { return false }
        return true
    }
}
