import Crypto
import Foundation
import Ports
import Testing

@testable import LinuxHost

struct FileStoreTests {
    private let directory = TemporaryDirectory()

    @Test func `what was saved is loaded, also by the next program`() throws {
        let store = try FileStore(directory: directory.path)
        try store.save("peer-1", Secret([1, 2, 3]))
        try store.save("empty", Secret([]))
        #expect(octets(try store.load("peer-1")) == [1, 2, 3])
        #expect(octets(try FileStore(directory: directory.path).load("peer-1")) == [1, 2, 3])
        #expect(octets(try store.load("empty")) == [])
        #expect(try store.load("nobody") == nil)
        #expect(try store.names().sorted() == ["empty", "peer-1"])
    }

    @Test func `a removed record is gone, and removing it again is no error`() throws {
        let store = try FileStore(directory: directory.path)
        try store.save("peer", Secret([1]))
        try store.remove("peer")
        try store.remove("peer")
        #expect(try store.load("peer") == nil)
        #expect(directory.files.isEmpty)
    }

    @Test func `only the owner can read the directory and the records`() throws {
        let state = directory.path + "/var/lib/state"
        let store = try FileStore(directory: state)
        try store.save("peer", Secret([1]))
        #expect(directory.mode(of: "var/lib/state") == 0o700)
        #expect(directory.mode(of: "var/lib/state/peer") == 0o600)
    }

    @Test func `a directory in which others may write is refused`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: directory.path)
        #expect(complaint { _ = try FileStore(directory: directory.path) }?.contains("chmod 700") == true)
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "a/b", "../up", "a b", "ä", "a\0b", "x.damaged-1",
        String(repeating: "x", count: 65),
    ])
    func `a name that is none is refused`(_ name: String) throws {
        let store = try FileStore(directory: directory.path)
        #expect(throws: StoreError.self) { try store.save(name, Secret([1])) }
        #expect(throws: StoreError.self) { _ = try store.load(name) }
        #expect(throws: StoreError.self) { try store.remove(name) }
        #expect(throws: StoreError.self) { try store.setAside(name) }
        #expect(directory.files.isEmpty)
    }

    @Test func `damaged records are set aside under numbers and are records no more`() throws {
        let store = try FileStore(directory: directory.path)
        for _ in 0..<2 {
            try store.save("peer", Secret([1]))
            try store.setAside("peer")
        }
        #expect(directory.files == ["peer.damaged-1", "peer.damaged-2"])
        #expect(try store.names().isEmpty)
        #expect(
            complaint { try store.setAside("peer") }?.contains("peer: cannot be set aside: No such file")
                == true)
    }

    @Test func `damage without end does not fill the disk`() throws {
        let store = try FileStore(directory: directory.path)
        for number in 0..<120 {
            try store.save("peer", Secret([UInt8(number)]))
            try store.setAside("peer")
        }
        #expect(directory.files.count == 99)
    }

    @Test func `a record that is too large is refused both ways`() throws {
        let store = try FileStore(directory: directory.path)
        let largest = [UInt8](repeating: 7, count: FileStore.largestRecord)
        try store.save("largest", Secret(largest))
        #expect(octets(try store.load("largest")) == largest)
        #expect(throws: StoreError.self) { try store.save("larger", Secret(largest + [7])) }
        _ = directory.file("foreign", String(repeating: "x", count: FileStore.largestRecord + 1))
        #expect(complaint { _ = try store.load("foreign") }?.contains("foreign") == true)
    }

    @Test func `what is no plain file is not followed`() throws {
        let store = try FileStore(directory: directory.path)
        let outside = directory.file("outside", "secret")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/link", withDestinationPath: outside)
        try FileManager.default.createDirectory(
            atPath: directory.path + "/folder", withIntermediateDirectories: false)
        #expect(throws: StoreError.self) { _ = try store.load("link") }
        #expect(throws: StoreError.self) { _ = try store.load("folder") }
    }

    @Test func `a directory that cannot be made is named`() throws {
        let file = directory.file("file", "")
        #expect(
            complaint { _ = try FileStore(directory: file + "/below") }?.contains("Not a directory") == true)
    }
}

/// The store loses power, or is refused something, before each step of a save.
struct FileStoreFaultTests {
    private let directory = TemporaryDirectory()
    private let old = [UInt8](repeating: 1, count: 5000)
    private let new = [UInt8](repeating: 2, count: 10_000)
    /// create, three pieces, flush, rename, flush the directory.
    private let steps = 7

    @Test func `a power cut before any step leaves the old record or the new`() throws {
        for cut in 0...steps {
            try FileStore(directory: directory.path).save("peer", Secret(old))
            let passed = save { $0 == cut ? .powerCut : nil }
            #expect(passed == (cut == steps))
            let after = try FileStore(directory: directory.path)
            #expect(octets(try after.load("peer")) == (cut < 6 ? old : new))
            #expect(directory.files == ["peer"])
        }
    }

    @Test func `a first record that lost its power is there or not`() throws {
        for cut in 0..<steps {
            _ = save { $0 == cut ? .powerCut : nil }
            let after = try FileStore(directory: directory.path)
            #expect(octets(try after.load("peer")) == (cut < 6 ? nil : new))
            try after.remove("peer")
            #expect(directory.files.isEmpty)
        }
    }

    @Test func `a full disk at any step leaves the old record and nothing else`() throws {
        try FileStore(directory: directory.path).save("peer", Secret(old))
        for step in 0..<6 {
            #expect(!save { $0 == step ? .error(-28) : nil })
            #expect(octets(try FileStore(directory: directory.path).load("peer")) == old)
            #expect(directory.files == ["peer"])
        }
    }

    @Test func `the complaint names the file and the system's reason`() throws {
        let store = try FileStore(directory: directory.path) { $0 == .flush ? .error(-28) : nil }
        #expect(
            complaint { try store.save("peer", Secret([1])) }
                == "\(directory.path)/peer: cannot be flushed: No space left on device")
    }

    @Test func `a file that another living program writes is left to it`() throws {
        // Process 1 lives as long as the machine; no process has the other number.
        _ = directory.file(".new-1-peer", "half")
        _ = directory.file(".new-2147483646-peer", "half")
        _ = directory.file(".new-x-peer", "not ours")
        _ = try FileStore(directory: directory.path)
        #expect(directory.files == [".new-1-peer", ".new-x-peer"])
    }

    /// Saves the new record; `fault` is asked with the number of each step. Returns whether the save returned.
    private func save(_ fault: @escaping (Int) -> StoreFault?) -> Bool {
        var step = -1
        do {
            let store = try FileStore(directory: directory.path) { _ in
                step += 1
                return fault(step)
            }
            try store.save("peer", Secret(new))
            return true
        } catch {
            return false
        }
    }
}

struct FileStoreKillTests {
    /// Real kills, at moments that nobody chose.
    @Test func `a killed program leaves a whole record`() throws {
        let directory = TemporaryDirectory()
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        var generations: Set<UInt8> = []
        for _ in 0..<40 {
            let writer = Process()
            writer.executableURL = tests.deletingLastPathComponent().appending(path: "store-writer")
            writer.arguments = [directory.path]
            let progress = Pipe()
            writer.standardOutput = progress
            try writer.run()
            #expect(try progress.fileHandleForReading.read(upToCount: 1)?.count == 1)
            usleep(UInt32.random(in: 0...8_000))
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
            #expect(writer.terminationReason == .uncaughtSignal)

            let store = try FileStore(directory: directory.path)
            #expect(directory.files.count <= 1)
            guard let record = octets(try store.load("record")), let generation = record.first else {
                continue
            }
            #expect(record == [UInt8](repeating: generation, count: 9000 + Int(generation)))
            generations.insert(generation)
        }
        #expect(generations.count > 3, "the kills came too early to prove anything")
    }
}

private func octets(_ record: Key?) -> [UInt8]? {
    record.map { $0.secret.withOctets { Array($0) } }
}

private func complaint(_ action: () throws -> Void) -> String? {
    do {
        try action()
        return nil
    } catch {
        return (error as? StoreError)?.explanation
    }
}
