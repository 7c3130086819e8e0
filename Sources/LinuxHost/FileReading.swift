import CShim

/// Why a file cannot be read.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    public var file: String
    public var explanation: String

    public var description: String { "\(file): \(explanation)" }

    init(_ file: String, _ explanation: String) {
        self.file = file
        self.explanation = explanation
    }
}

/// The whole content of a regular file of at most `limit` octets.
public func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let opened = shim_open_file(shim_here(), path)
    guard opened >= 0 else { throw FileError(path, reason(opened)) }
    let file = Descriptor(opened)
    let size = shim_file_size(file.number)
    guard size >= 0 else { throw FileError(path, reason(Int(size))) }
    guard size <= limit else { throw FileError(path, "has \(size) octets, more than the \(limit) allowed") }
    var result = 0
    let content = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        result = file.read(into: UnsafeMutableRawBufferPointer(buffer))
        count = max(result, 0)
    }
    guard result >= 0 else { throw FileError(path, reason(result)) }
    return content
}
