public import Ports
import Wire

/// The one loop of the program: waits for everyone at once, then turns everyone.
public final class Loop {
    /// So many events of a radio are answered in one turn: a flood on the air leaves the others theirs, and what is timed
    /// its time. A radio that has more is due at once.
    static let mostEventsPerTurn = 64

    private let waiter: any Waiter
    private var sources: [any Turnable] = []
    private var descriptors = DescriptorSet()
    private var isStopped = false

    public init(waiter: any Waiter) {
        self.waiter = waiter
    }

    /// The source is turned in each round from now on, after those added before.
    public func add(_ source: any Turnable) {
        sources.append(source)
    }

    /// Ends ``run()`` when everyone has had this turn.
    public func stop() {
        isStopped = true
    }

    /// Runs until somebody stops it.
    public func run() {
        while !isStopped {
            descriptors.removeAll()
            var deadline: Instant?
            for source in sources {
                source.addDescriptors(to: &descriptors)
                deadline = Instant.earliest(deadline, source.deadline)
            }
            let now = waiter.wait(for: descriptors, until: deadline)
            for source in sources { source.turn(at: now) }
        }
    }
}
