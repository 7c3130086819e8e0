import Ports
import Simulation
import Wire

/// Knows from when to when a PIN was shown.
final class PanelWatch: Panel {
    struct Showing {
        var pin: [UInt8]
        var from: Instant
        var to: Instant?
    }

    private(set) var showings: [Showing] = []
    private let clock: any Clock
    let name = "watch"
    let fault: String? = nil
    let deadline: Instant? = nil

    init(clock: any Clock) {
        self.clock = clock
    }

    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func stop(at now: Instant) {
        if let last = showings.indices.last, showings[last].to == nil { showings[last].to = now }
    }
    let isStill = true

    func show(_ content: PanelContent, at now: Instant) {
        if case .pin(let digits) = content.state, digits == showings.last?.pin, showings.last?.to == nil {
            return
        }
        if let last = showings.indices.last, showings[last].to == nil { showings[last].to = now }
        if case .pin(let digits) = content.state { showings.append(Showing(pin: digits, from: now)) }
    }

    /// How long the last PIN has been gone, in seconds; nil while one is shown.
    var secondsWithoutPIN: Double? {
        guard let last = showings.last else { return .infinity }
        guard let end = last.to else { return nil }
        return Double(clock.now.microseconds(since: end)) / 1e6
    }
}

/// Stands where the local socket is.
final class RecordedControl: LocalControl {
    var answerer: (any LocalAnswerer)?
    private(set) var lines: [String] = []
    var hasListeners: Bool { true }
    var deadline: Instant? { nil }
    func addDescriptors(to set: inout DescriptorSet) {}
    func turn(at now: Instant) {}
    func broadcast(_ line: String) { lines.append(line) }
}

/// Counts the turns of another participant.
final class TurnCounter: Turnable {
    private let participant: any Turnable
    private(set) var turns = 0

    init(_ participant: any Turnable) {
        self.participant = participant
    }

    var deadline: Instant? { participant.deadline }
    func addDescriptors(to set: inout DescriptorSet) { participant.addDescriptors(to: &set) }
    func turn(at now: Instant) {
        turns += 1
        participant.turn(at: now)
    }
}

/// Keeps what is on the air.
final class RecordedAir: AirCapture {
    private(set) var frames: [[UInt8]] = []
    func capture(_ datagram: AirDatagram, isSent: Bool) { frames.append(datagram.frame) }
}
