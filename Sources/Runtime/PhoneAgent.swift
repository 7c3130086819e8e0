import Aware
public import Phone
public import Ports
public import Wire

/// What a program that plays the phone does with what the phone finds out.
public protocol PhoneOwner: AnyObject {
    /// Everything but what concerns the radio and the records, which the agent has done already.
    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant)
}

/// The running phone.
public final class PhoneAgent: Turnable {
    private static let farewell = TimeUnits.milliseconds(1_500)

    private enum State {
        case running
        case leaving(until: Instant)
        case gone
    }

    public private(set) var phone: Phone
    private let owner: any PhoneOwner
    private let radio: any Radio
    private let records: Records
    private let clock: any Clock
    private var state = State.running

    public init(_ phone: Phone, radio: any Radio, records: Records, clock: any Clock, owner: any PhoneOwner) {
        self.phone = phone
        self.radio = radio
        self.records = records
        self.clock = clock
        self.owner = owner
    }

    /// The leave is taken: nothing is left to do.
    public var isGone: Bool {
        if case .gone = state { true } else { false }
    }

    public var deadline: Instant? {
        var earliest = Instant.earliest(phone.deadline, radio.deadline)
        if case .leaving(let until) = state { earliest = Instant.earliest(earliest, until) }
        return earliest
    }

    public func addDescriptors(to set: inout DescriptorSet) { radio.addDescriptors(to: &set) }

    public func turn(at now: Instant) {
        phone.date = clock.date
        for _ in 0..<Loop.mostEventsPerTurn {
            guard let event = radio.nextEvent(at: now) else { break }
            perform(phone.receive(event, at: now), at: now)
        }
        if let deadline = phone.deadline, deadline <= now { perform(phone.advance(to: now), at: now) }
        leave(at: now)
    }

    /// Has the phone do something, and does what it answers.
    public func ask(at now: Instant, _ body: (inout Phone) -> [Phone.Action]) {
        phone.date = clock.date
        perform(body(&phone), at: now)
    }

    /// Ends what is open; ``isGone`` says when that is done.
    public func stop(at now: Instant) {
        guard case .running = state else { return }
        state = .leaving(until: now + Self.farewell)
        perform(phone.stop(), at: now)
        leave(at: now)
    }

    private func leave(at now: Instant) {
        guard case .leaving(let until) = state, phone.isQuiet || until <= now else { return }
        state = .gone
        request(.stop, at: now)
    }

    private func perform(_ actions: [Phone.Action], at now: Instant) {
        for action in actions {
            switch action {
            case .radio(let request): self.request(request, at: now)
            case .save(let accessory): records.save(accessory)
            case .found, .askPIN, .paired, .connected, .disconnected, .failed, .note:
                owner.phone(self, wants: action, at: now)
            }
        }
    }

    private func request(_ request: RadioRequest, at now: Instant) {
        do throws(RadioError) {
            try radio.perform(request, at: now)
        } catch {
            perform(phone.failed(request, error, at: now), at: now)
        }
    }
}
