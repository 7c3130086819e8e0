public import Ports
public import Wire

/// A display on its lines or its bus, drawn in steps. ``DisplayPanel`` makes a panel of it.
///
/// Nothing here waits: a step says how long the display then has to be left alone. It talks to the hardware for less
/// than 2 ms, or for less than 1 ms where it is to be left alone for a moment only. Drawing is making what stands on the display equal to what was composed: a step finds the next
/// difference, so that something else may be composed at any time.
public protocol Display: AnyObject {
    /// Its kind and place, as in `tm1637 on GPIO23`.
    var name: String { get }
    /// Takes its lines or its bus. The steps that follow first start the display and clear it, whatever it shows.
    func open() throws(BoardFault)
    /// Lets lines and bus go.
    func close()
    /// What the steps are to draw from now on. Returns when it should look different though nothing else changed: at
    /// the next second of a time that is visible, at the next page.
    func compose(_ scene: Scene) -> Instant?
    /// Does the next step, if there is one: how many microseconds the display is then left alone. Nil when what was
    /// composed stands.
    func step() throws(BoardFault) -> UInt32?
}

/// What a display shows at a time.
public enum Scene: Equatable, Sendable {
    case blank
    /// The content, since when, and the time.
    case content(PanelContent, since: Instant, now: Instant)
}
