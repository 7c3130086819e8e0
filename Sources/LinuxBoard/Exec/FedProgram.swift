import CShim

/// A program that runs, and reads from us. Its input ends with the last reference; unless it was left before, it is
/// killed then. Somebody has to keep it for the moments that dying takes, or a dead process stays in the system's table.
final class FedProgram {
    private let process: Int32
    private let input: Int32
    private var isOver = false

    enum Handing {
        case taken
        /// It reads too slowly; nothing was handed over.
        case full
        case failed
    }

    init(_ path: String) throws(BoardFault) {
        // One that ends while it is fed does not take us along, whichever of our commands it runs for.
        shim_ignore_broken_pipes()
        var input: Int32 = -1
        let process = shim_start_program(path, &input)
        guard process > 0 else { throw .system("start \(path)", process) }
        self.process = process
        self.input = input
    }

    deinit {
        shim_close(input)
        guard !isOver else { return }
        kill()
        var status: Int32 = 0
        _ = shim_program_ended(process, &status)
    }

    func kill() {
        if !isOver { shim_kill_program(process) }
    }

    /// From now on it ends by itself.
    func leave() { isOver = true }

    /// For the loop: an error shows there when nobody reads any more.
    var descriptor: Int32 { input }

    /// Hands over all octets, at most 4096, or none.
    func feed(_ octets: [UInt8]) -> Handing {
        let count = shim_write(input, octets, octets.count)
        if count == octets.count { return .taken }
        return count == Int(shim_error_again) ? .full : .failed
    }

    /// How it ended, in words; nil while it runs and reads.
    func end() -> String? {
        var status: Int32 = 0
        guard shim_program_ended(process, &status) == 0 else {
            isOver = true
            return status < 0 ? "ended by signal \(-status)" : "ended with status \(status)"
        }
        return shim_is_unread(input) == 1 ? "does not read its input any more" : nil
    }
}
