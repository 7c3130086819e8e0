import Foundation

/// CPU time of this process, which the machine's other work does not touch.
enum CPUTime {
    /// In seconds since some moment.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What `work` takes, in seconds.
    static func of(_ work: () throws -> Void) rethrows -> Double {
        let start = now
        try work()
        return now - start
    }

    /// How often `work` can be done in a second, measured for as many seconds.
    static func rate(for seconds: Double = 1, _ work: () throws -> Void) rethrows -> Double {
        try work()
        var count = 0.0
        let start = now
        while now - start < seconds {
            try work()
            count += 1
        }
        return count / (now - start)
    }
}

/// Adds up the CPU time of one of several parties.
final class CPUMeter {
    private(set) var seconds = 0.0

    func callAsFunction(_ work: () -> Void) { seconds += CPUTime.of(work) }

    func reset() { seconds = 0 }
}
