import CShim
public import Crypto
public import Ports
import Wire

/// Keeps records as files of one directory, each written whole under another name and then renamed.
///
/// A record is flushed before it gets its name, and the name is flushed before `save` returns, so a kill or a power
/// cut at any moment leaves the old record or the new. What is left of a save that did not come to its end is
/// removed when the directory is next opened. Several processes may use one directory.
public final class FileStore: Store {
    /// In octets. A larger file is no record of ours.
    public static let largestRecord = 64 * 1024
    private static let piece = 4096
    private static let mostSetAside = 99

    private let path: String
    private let directory: Descriptor
    private let fault: (StoreStep) -> StoreFault?

    /// Opens a directory for the records; makes it with mode 0700 where it is not there.
    ///
    /// - Throws: When it cannot be opened, or others could replace records in it.
    public convenience init(directory path: String) throws(StoreError) {
        try self.init(directory: path) { _ in nil }
    }

    /// For tests: `fault` is asked before every step of a save.
    init(directory path: String, fault: @escaping (StoreStep) -> StoreFault?) throws(StoreError) {
        let made = shim_make_directories(path, 0o700)
        guard made >= 0 else { throw StoreError("\(path): cannot be made: \(reason(made))") }
        let opened = shim_open_directory(path)
        guard opened >= 0 else { throw StoreError("\(path): cannot be opened: \(reason(opened))") }
        self.path = path
        self.fault = fault
        directory = Descriptor(opened)
        guard shim_writable_by_others(opened) == 0 else {
            throw StoreError("\(path): others may write there and could replace keys: chmod 700 it")
        }
        try removeLeftovers()
    }

    public func names() throws(StoreError) -> [String] {
        var names: [String] = []
        for name in try files() where RecordName.isValid(name) && !RecordName.isSetAside(name) {
            names.append(name)
        }
        return names
    }

    public func load(_ name: String) throws(StoreError) -> Key? {
        try check(name)
        let opened = shim_open_file(directory.number, name)
        if opened == shim_error_missing { return nil }
        guard opened >= 0 else { throw failure(name, "cannot be opened", opened) }
        let file = Descriptor(opened)
        let size = shim_file_size(file.number)
        guard size >= 0 else { throw failure(name, "is no file", Int32(clamping: size)) }
        guard size <= Self.largestRecord else { throw tooLarge(name, Int(size)) }
        var got = 0
        let record = Secret(count: Int(size)) { got = file.read(into: $0) }
        guard got >= 0 else { throw failure(name, "cannot be read", Int32(clamping: got)) }
        guard got == Int(size) else { throw StoreError("\(path)/\(name): was cut while it was read") }
        return Key(record)
    }

    public func save(_ name: String, _ record: borrowing Secret) throws(StoreError) {
        try check(name)
        guard record.count <= Self.largestRecord else { throw tooLarge(name, record.count) }
        let temporary = RecordName.temporary(name, process: shim_process())
        do {
            try write(record, to: temporary)
            _ = try step(.rename) { shim_rename(directory.number, temporary, name) }
            _ = try step(.flushDirectory) { shim_flush(directory.number) }
        } catch {
            switch error {
            case .powerCut:
                throw StoreError("\(path)/\(name): the program ended")
            case .system(let step, let error):
                _ = shim_remove(directory.number, temporary)
                throw failure(name, step.complaint, error)
            }
        }
    }

    public func remove(_ name: String) throws(StoreError) {
        try check(name)
        let removed = shim_remove(directory.number, name)
        if removed == shim_error_missing { return }
        guard removed >= 0 else { throw failure(name, "cannot be removed", removed) }
        try flushNames(after: name)
    }

    /// Renames the record to `NAME.damaged-N` with the first number that is free. The 99th gives way to the next.
    public func setAside(_ name: String) throws(StoreError) {
        try check(name)
        var number = 1
        while number < Self.mostSetAside,
            shim_exists(directory.number, RecordName.setAside(name, number: number)) == 1
        {
            number += 1
        }
        let moved = shim_rename(directory.number, name, RecordName.setAside(name, number: number))
        guard moved >= 0 else { throw failure(name, "cannot be set aside", moved) }
        try flushNames(after: name)
    }

    private func write(_ record: borrowing Secret, to temporary: String) throws(StepFailure) {
        _ = shim_remove(directory.number, temporary)
        let file = Descriptor(try step(.create) { shim_create_file(directory.number, temporary) })
        var written = 0
        while written < record.count {
            let end = min(written + Self.piece, record.count)
            _ = try step(.write) {
                record.withOctets {
                    Int32(
                        clamping: writeAll(
                            UnsafeRawBufferPointer(rebasing: $0[written..<end]), to: file.number))
                }
            }
            written = end
        }
        _ = try step(.flush) { shim_flush(file.number) }
    }

    private func step(_ step: StoreStep, _ action: () -> Int32) throws(StepFailure) -> Int32 {
        switch fault(step) {
        case .powerCut: throw .powerCut
        case .error(let error): throw .system(step, error)
        case nil: break
        }
        let result = action()
        guard result >= 0 else { throw .system(step, result) }
        return result
    }

    private func flushNames(after name: String) throws(StoreError) {
        let flushed = shim_flush(directory.number)
        guard flushed >= 0 else { throw failure(name, "cannot be flushed", flushed) }
    }

    /// A file that a living process writes is left to it.
    private func removeLeftovers() throws(StoreError) {
        for file in try files() {
            guard let writer = RecordName.writer(ofTemporary: file) else { continue }
            if writer != shim_process(), shim_process_lives(writer) == 1 { continue }
            let removed = shim_remove(directory.number, file)
            guard removed >= 0 else { throw failure(file, "cannot be removed", removed) }
        }
    }

    private func files() throws(StoreError) -> [String] {
        guard let listing = shim_list(directory.number) else { throw StoreError("\(path): cannot be listed") }
        defer { shim_end_list(listing) }
        var files: [String] = []
        while let name = shim_next_name(listing) { files.append(String(cString: name)) }
        return files
    }

    private func check(_ name: String) throws(StoreError) {
        guard RecordName.isValid(name), !RecordName.isSetAside(name) else {
            throw StoreError("\(path): a record cannot be named \(name.printable)")
        }
    }

    private func failure(_ name: String, _ complaint: StaticString, _ error: Int32) -> StoreError {
        StoreError("\(path)/\(name): \(complaint): \(reason(error))")
    }

    private func tooLarge(_ name: String, _ count: Int) -> StoreError {
        StoreError("\(path)/\(name): \(count) octets are more than a record can have")
    }
}
