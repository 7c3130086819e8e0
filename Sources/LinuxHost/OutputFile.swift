import CShim

/// A file that a program writes from its beginning, piece by piece. What does not fit on the disk is lost.
public final class OutputFile {
    private let file: Descriptor

    /// Makes the file, for its owner alone, in place of one that is there.
    public init(path: String) throws(HostError) {
        // A device that goes by the name, /dev/null say, is not taken away.
        _ = shim_remove_file(path)
        let opened = shim_create_file(shim_here(), path)
        guard opened >= 0 else { throw HostError("\(path): \(reason(opened))") }
        file = Descriptor(opened)
    }

    @discardableResult
    public func write(_ octets: [UInt8]) -> WriteOutcome {
        let result = octets.withUnsafeBytes { writeAll($0, to: file.number) }
        return result >= 0 ? .written : .failed(Int32(clamping: -result))
    }
}
